/** A prolog longer than this is no prolog. */
const MAX_PROLOG_CHARS = 16_384;

/**
 * The (lower-case) name of a document's first element after XML declaration, processing instructions, comments and
 * DOCTYPE; `undefined` when text comes first.
 */
export function rootElementOf(text: string): string | undefined {
  const prolog = text.slice(0, MAX_PROLOG_CHARS);
  let position = 0;
  for (;;) {
    while (/\s/.test(prolog.charAt(position))) position++;
    if (prolog.startsWith("<!--", position)) position = after(prolog, "-->", position + 4);
    else if (prolog.startsWith("<?", position)) position = after(prolog, "?>", position + 2);
    else if (/^<!doctype/i.test(prolog.slice(position, position + 9))) position = afterDoctype(prolog, position + 9);
    else return /^<([A-Za-z][\w.:-]{0,60})/.exec(prolog.slice(position, position + 64))?.[1]?.toLowerCase();
  }
}

function after(text: string, terminator: string, from: number): number {
  const index = text.indexOf(terminator, from);
  return index === -1 ? text.length : index + terminator.length;
}

/** A DOCTYPE ends at its `>`, or after the `]` of an internal subset. */
function afterDoctype(text: string, from: number): number {
  const end = text.indexOf(">", from);
  const subset = text.indexOf("[", from);
  return subset !== -1 && subset < end ? after(text, ">", after(text, "]", subset)) : after(text, ">", from);
}
