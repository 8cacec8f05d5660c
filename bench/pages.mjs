// Made-up pages in the shape of documentation: navigation, headings, prose, code, tables, links.

const WORDS =
  "harbour tide rope anchor mast sail keel rudder compass chart lantern signal buoy current depth shore channel crew cargo deck hull bow stern wake".split(
    " ",
  );

function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** HTML of about `bytes` bytes; the same bytes for the same arguments. */
export function documentationPage(bytes, seed = 7) {
  const random = createRandom(seed);
  const word = () => WORDS[Math.floor(random() * WORDS.length)];
  const sentence = (length) => `${Array.from({ length }, word).join(" ")}.`;
  const parts = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Harbour manual</title>',
    "<style>.nav a{color:#235}.note{padding:1em}</style></head><body><nav><ul>",
    ...Array.from({ length: 40 }, () => `<li><a href="/manual/${word()}">${word()} ${word()}</a></li>`),
    '</ul></nav><main><article><h1 id="top">Harbour manual</h1>',
  ];
  let size = parts.join("").length;
  const add = (html) => {
    parts.push(html);
    size += html.length;
  };
  for (let section = 1; size < bytes; section += 1) {
    add(`<h2 id="s${section}">${word()} ${word()} <a class="anchor" href="#s${section}">¶</a></h2>`);
    for (let i = 0; i < 4; i += 1) {
      add(`<p>${sentence(24)} <a href="../${word()}.html">${word()}</a> <code>${word()}()</code> ${sentence(18)}</p>`);
    }
    add(
      `<pre><code class="language-js"><span class="k">const</span> ${word()} = <span class="f">${word()}</span>(${section});\n</code></pre>`,
    );
    add(`<ul>${Array.from({ length: 5 }, () => `<li>${sentence(8)}</li>`).join("")}</ul>`);
    add(
      `<table><tr><th>${word()}</th><th>${word()}</th></tr>${Array.from({ length: 4 }, () => `<tr><td>${word()}</td><td>${sentence(5)}</td></tr>`).join("")}</table>`,
    );
  }
  parts.push("</article></main><footer><p>Printed on recycled paper.</p></footer></body></html>");
  return parts.join("");
}
