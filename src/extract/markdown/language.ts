import { classTokens } from "../class-names.js";
import { attribute, type Node, type Tree } from "../tree.js";
import { isLanguageLabel, isLitter } from "./code-litter.js";
import { titleText } from "./code-title.js";
import { guessLanguage } from "./language-guess.js";
import { isLanguageName, languageOfFile, languageOfTitle } from "./language-names.js";
import { previousSibling } from "./siblings.js";

/** Any name may follow these: Prism, highlight.js, Prettify, GitHub, MediaWiki, Crayon, SyntaxHighlighter. */
const NAMING_CLASS = /^(?:(?:mw-highlight-)?(?:language|lang)[-_:]|highlight-(?:source|text)-|brush:)([\w+#.-]+);?$/i;
/** Only the name of a language may follow these, or stand before `High`. */
const HINTING_CLASS =
  /^(?:(?:[\w-]+-)?(?:code|highlight|syntax|brush|prism|hljs|hl|mode|tab|source|src|lang|language)[-_:]([\w+#.-]+)|([a-z]+)High)$/i;
/** Classes that a bare language name stands beside. */
const HIGHLIGHTER =
  /^(?:hljs|sourceCode|programlisting|prettyprint|syntaxhighlighter|codehilite|highlight|src|code|CodeMirror|prism)$/i;
const LANGUAGE_ATTRIBUTES = [
  "data-lang",
  "data-language",
  "data-code-lang",
  "data-code-language",
  "data-enlighter-language",
  "data-ke-language",
  "data-syntax",
  "syntax",
  "language",
];
const FILE_ATTRIBUTES = ["data-filename", "data-file-name", "data-gist-filename", "data-file", "data-title", "title"];
const BRUSH_ATTRIBUTES = ["class", "data-syntaxhighlighter-params"];
const NO_LANGUAGE =
  /^(?:none|no-?highlight|plain(?:text)?|text|txt|default|undefined|null|auto|code|raw|wrap|notranslate|output|literal|dark|light|block|inline|button|container|line-?numbers?|basic|shell-session-output|other|unknown|switch(?:er)?|select(?:or)?|label|name|id|menu|filter)$/i;
/** Outside the code itself `lang-de` speaks of people, `language-menu-box` of a menu. */
const OTHER_NAME = /^[a-z]{2}$|[-_]/i;
const NAME = /^[a-z][\w+#.-]{0,23}$/i;
const CODE_TAGS: ReadonlySet<string> = new Set(["pre", "code"]);
const PAGE_PART = /^(?:body|main|article|section|li|td|th)$/;
const MAX_WRAPPERS = 4;
const MAX_TITLE_CHARS = 80;
const MAX_TITLE_NODES = 24;
const MAX_SIBLINGS = 3;
const MAX_INNER_STEPS = 12;
const MAX_PANEL_NODES = 2_000;
const MAX_CLASS_CHARS = 60;

/** Where the language of a block may be written. */
export interface CodePlace {
  readonly tree: Tree;
  readonly gone: Uint8Array;
  /** Labels of tabs by their panels. */
  readonly tabLabels: ReadonlyMap<Node, string>;
}

/**
 * The language of a block of code: what a highlighter wrote on it, on its inner `code` or on a wrapper, else what the
 * page shows over it, else what the text itself says beyond doubt; "" when nobody says.
 */
export function codeLanguage(place: CodePlace, block: Node, text: string): string {
  return (
    markedLanguage(place.tree, block) ||
    titledLanguage(place, block) ||
    tabLanguage(place, block) ||
    guessLanguage(text)
  );
}

function markedLanguage(tree: Tree, block: Node): string {
  const own = innerLanguage(tree, block) || namedLanguage(block);
  if (own !== "") return own;
  let wrapper = block.parent;
  for (let steps = 0; wrapper !== undefined && steps < MAX_WRAPPERS; steps++, wrapper = wrapper.parent) {
    if (PAGE_PART.test(wrapper.tag.name)) return "";
    const named = namedLanguage(wrapper);
    if (named !== "") return named;
  }
  return "";
}

/** What the `code` inside says, or a label that stands in the block. */
function innerLanguage(tree: Tree, block: Node): string {
  let at = block.index + 1;
  for (let steps = 0; at < block.end && steps < MAX_INNER_STEPS; steps++) {
    const node = tree.nodes[at];
    if (node === undefined) break;
    if (isLanguageLabel(node)) return languageOfTitle(tree.nodes[at + 1]?.text ?? "");
    const isMarked = CODE_TAGS.has(node.tag.name) || attribute(node, "data-language") !== undefined;
    const named = isMarked ? namedLanguage(node) : "";
    if (named !== "") return named;
    at = isLitter(tree, node) ? node.end : at + 1;
  }
  return "";
}

function namedLanguage(node: Node): string {
  const isCode = CODE_TAGS.has(node.tag.name);
  for (const name of LANGUAGE_ATTRIBUTES) {
    const language = accept(attribute(node, name) ?? "", isCode);
    if (language !== "" && (isCode || isLanguageName(language))) return language;
  }
  for (const name of BRUSH_ATTRIBUTES) {
    const brush = /(?:^|[\s;])brush:\s*([\w+#.-]+)/i.exec(attribute(node, name) ?? "")?.[1];
    if (brush !== undefined) return accept(brush, true);
  }
  const tokens = classTokens(node.className).filter((token) => token.length <= MAX_CLASS_CHARS);
  const language = classLanguage(tokens, isCode);
  if (language !== "") return language;
  // `<pre lang="go">` is how GitHub's renderer wrote it; elsewhere `lang` is a human language.
  const written = isCode ? (attribute(node, "lang") ?? "").toLowerCase() : "";
  if (isLanguageName(written)) return written;
  for (const name of FILE_ATTRIBUTES) {
    const file = attribute(node, name);
    if (file !== undefined && languageOfFile(file) !== "") return languageOfFile(file);
  }
  return "";
}

function classLanguage(tokens: readonly string[], isCode: boolean): string {
  for (const token of tokens) {
    const language = accept(NAMING_CLASS.exec(token)?.[1] ?? "", isCode);
    if (language !== "") return language;
  }
  for (const token of tokens) {
    const [, suffix, prefix] = HINTING_CLASS.exec(token) ?? [];
    const hinted = (suffix ?? prefix ?? "").toLowerCase();
    // Sphinx names every lexer of Pygments this way.
    const isHint = isLanguageName(hinted) || (tokens.includes("notranslate") && token.startsWith("highlight-"));
    if (isHint && accept(hinted, true) !== "") return hinted;
  }
  if (!isCode && !tokens.some((token) => HIGHLIGHTER.test(token))) return "";
  return tokens.find((token) => isLanguageName(token.toLowerCase()) && !NO_LANGUAGE.test(token))?.toLowerCase() ?? "";
}

function accept(written: string, isCode: boolean): string {
  const name = written.trim().toLowerCase();
  if (!NAME.test(name) || NO_LANGUAGE.test(name)) return "";
  return isCode || isLanguageName(name) || !OTHER_NAME.test(name) ? name : "";
}

/** A title bar with a file's name, a label: whatever stands right before the block and says nothing else. */
function titledLanguage({ tree, gone }: CodePlace, block: Node): string {
  let node: Node | undefined = block;
  for (let steps = 0; node !== undefined && steps <= MAX_WRAPPERS; steps++, node = node.parent) {
    if (PAGE_PART.test(node.tag.name)) return "";
    let sibling = previousSibling(tree, node);
    for (let seen = 0; sibling !== undefined && seen < MAX_SIBLINGS; seen++) {
      const isTitle = sibling.end - sibling.index <= MAX_TITLE_NODES && !CODE_TAGS.has(sibling.tag.name);
      const stretch = { from: sibling.index, to: sibling.end };
      const title = isTitle ? titleText(tree, gone, stretch, MAX_TITLE_CHARS) : undefined;
      if (title !== "") return title === undefined ? "" : languageOfTitle(title);
      sibling = previousSibling(tree, sibling);
    }
    if (sibling !== undefined) return "";
  }
  return "";
}

/** What the tab says whose panel holds this block and no other. */
function tabLanguage({ tree, tabLabels }: CodePlace, block: Node): string {
  let panel: Node | undefined = block;
  for (let steps = 0; panel !== undefined && tabLabels.size > 0 && steps <= MAX_WRAPPERS; steps++) {
    const label = tabLabels.get(panel);
    if (label !== undefined) return isAlone(tree, panel, block) ? languageOfTitle(label) : "";
    panel = panel.parent;
  }
  return "";
}

function isAlone(tree: Tree, panel: Node, block: Node): boolean {
  if (panel.end - panel.index > MAX_PANEL_NODES) return false;
  for (let at = panel.index + 1; at < panel.end; at++) {
    if (tree.nodes[at]?.tag.name === "pre" && (at < block.index || at >= block.end)) return false;
  }
  return true;
}
