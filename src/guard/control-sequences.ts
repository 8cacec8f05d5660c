/**
 * ECMA-48 control sequences, control strings (OSC, DCS, SOS, PM, APC) and short escapes, 7- and 8-bit; then single
 * controls, CR LF and lone surrogates. No body holds ESC or a C1 control, so none is read twice, and each is bounded.
 */
const CONTROLS = new RegExp(
  [
    "(?<sequence>(?:\\x1B\\[|\\x9B)[0-?]{0,256}[ -\\/]{0,16}[@-~]",
    "(?:\\x1B[\\]PX^_]|[\\x90\\x98\\x9D-\\x9F])[^\\x07\\x1B\\x80-\\x9F\\n]{0,4096}(?:\\x07|\\x1B\\\\|\\x9C)",
    "\\x1B[ -\\/]{0,16}[0-~])",
    "\\r\\n?",
    "[\\x00-\\x08\\x0B-\\x1F\\x7F-\\x9F]",
    "[\\uD800-\\uDFFF]",
  ].join("|"),
  "gu",
);

/** Removes controls except line feed and tab; a carriage return becomes a line feed, a lone surrogate U+FFFD. Linear. */
export function withoutControls(
  text: string,
  onRemoved: (kind: "control" | "ansi_escape" | "lone_surrogate") => void,
): string {
  return text.replace(CONTROLS, (match, sequence: string | undefined) => {
    if (match.startsWith("\r")) return "\n";
    if (match >= "\uD800") {
      onRemoved("lone_surrogate");
      return "\uFFFD";
    }
    onRemoved(sequence === undefined ? "control" : "ansi_escape");
    return "";
  });
}
