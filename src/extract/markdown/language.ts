import { classTokens } from "../class-names.js";
import { attribute, type Node } from "../tree.js";

const CLASS_PATTERNS: readonly RegExp[] = [
  /^(?:language|lang)-(?!switch)([\w+#.-]+)$/i,
  /^highlight-(?:source|text)-([\w+#.-]+)$/i,
  /^highlight-([\w+#.]+)$/i,
  /^(?:brush:|src-|code-?block-lang-|hljs-lang-)([\w+#.-]+);?$/i,
];
/** Classes that a bare language name stands beside. */
const HIGHLIGHTER = /^(?:hljs|sourceCode|programlisting|prettyprint|syntaxhighlighter|highlight|src|code|CodeMirror)$/i;
const LANGUAGE_ATTRIBUTES = ["data-lang", "data-language", "data-code-lang", "data-enlighter-language", "data-syntax"];
const NO_LANGUAGE =
  /^(?:none|no-?highlight|plain(?:text)?|text|txt|default|undefined|null|auto|code|raw|wrap|notranslate|output|literal|dark|light|block|inline|button|container|line-?numbers?|basic|shell-session-output)$/i;
const NAME = /^[a-z][\w+#.-]{0,23}$/i;
const KNOWN_BARE =
  /^(?:bash|c|cpp|c\+\+|csharp|cs|css|diff|dart|docker(?:file)?|elixir|erlang|fsharp|go|golang|graphql|groovy|haskell|html|http|ini|java|javascript|js|json|jsonc|jsx|julia|kotlin|latex|less|lisp|lua|makefile|markdown|matlab|nginx|nim|objectivec|ocaml|perl|php|powershell|python|py|r|ruby|rust|scala|scss|sh|shell|console|sql|svelte|swift|toml|ts|tsx|typescript|vb|vim|vue|wasm|xml|yaml|yml|zig|zsh)$/i;
const MAX_WRAPPERS = 4;

/** The language a highlighter wrote on the block, its inner `code` or a wrapper; "" when nobody says. */
export function codeLanguage(block: Node, inner: Node | undefined): string {
  const own = (inner === undefined ? "" : namedLanguage(inner)) || namedLanguage(block);
  if (own !== "") return own;
  let wrapper = block.parent;
  for (let steps = 0; wrapper !== undefined && steps < MAX_WRAPPERS; steps++, wrapper = wrapper.parent) {
    if (/^(?:body|main|article|section|li|td)$/.test(wrapper.tag.name)) return "";
    const named = namedLanguage(wrapper);
    if (named !== "") return named;
  }
  return "";
}

function namedLanguage(node: Node): string {
  for (const name of LANGUAGE_ATTRIBUTES) {
    const value = attribute(node, name);
    if (value !== undefined && accept(value) !== "") return accept(value);
  }
  const brush = /(?:^|\s)brush:\s*([\w+#.-]+)/i.exec(node.className)?.[1];
  if (brush !== undefined) return accept(brush);
  const tokens = classTokens(node.className);
  for (const token of tokens) {
    for (const pattern of CLASS_PATTERNS) {
      const language = accept(pattern.exec(token)?.[1] ?? "");
      if (language !== "") return language;
    }
  }
  if (tokens.some((token) => HIGHLIGHTER.test(token)) || node.tag.name === "code" || node.tag.name === "pre") {
    const bare = tokens.find((token) => KNOWN_BARE.test(token));
    if (bare !== undefined) return bare.toLowerCase();
  }
  // `<pre lang="go">` is how GitHub's renderer wrote it; elsewhere `lang` is a human language.
  const written = node.tag.name === "pre" || node.tag.name === "code" ? (attribute(node, "lang") ?? "") : "";
  return KNOWN_BARE.test(written) ? written.toLowerCase() : "";
}

function accept(written: string): string {
  const name = written.trim().toLowerCase();
  return NAME.test(name) && !NO_LANGUAGE.test(name) ? name : "";
}
