/** The tokens of a class attribute. */
export function classTokens(className: string): readonly string[] {
  return className === "" ? [] : className.split(/\s+/).filter((token) => token !== "");
}
