/** What an element's classes make of it for the writer, whatever its name. */
export type Role =
  | "katex"
  | "katex_display"
  | "wiki_math"
  | "rendered_math"
  | "tex_source"
  | "tex_image"
  | "admonition"
  | "admonition_title"
  | "litter"
  | "code_label"
  | "code_root"
  | "code_frame"
  | "code_header"
  | "";

const ROLES: readonly (readonly [Role, RegExp])[] = [
  ["katex_display", /(?:^|\s)katex-display(?:\s|$)/],
  ["katex", /(?:^|\s)katex(?:\s|$)/],
  ["wiki_math", /(?:^|\s)mwe-math-element/],
  ["rendered_math", /(?:^|\s)MathJax(?:_Preview|_SVG|_CHTML|_Display|_SVG_Display)?(?:\s|$)/],
  [
    "tex_source",
    /(?:^|\s)(?:math-container|arithmatex|tex2jax_process|js-(?:inline|display)-math|math(?:\s+(?:inline|display|notranslate|nohighlight))*)(?:\s|$)/,
  ],
  ["tex_image", /(?:^|\s)(?:latex|tex|imgmath|mathtex)(?:\s|$)/],
  [
    "litter",
    /(?:^|\s)(?:headerlink|header-?anchor|anchor-?link|anchorjs-link|hash-link|heading-?(?:link|anchor)|permalink|mw-editsection|footnote-back(?:ref)?|reversefootnote|mw-cite-backlink|fn-backref|backrefs|line-numbers-(?:wrapper|rows)|linenodiv|zeroclipboard-container|copy-?(?:btn|button|code|to-clipboard)[\w-]*|[\w-]*-copy-?(?:btn|button))(?:\s|$)/i,
  ],
  [
    "admonition_title",
    /(?:^|\s)(?:admonition-title|markdown-alert-title|admonitionHeading[\w-]*|callout-(?:title(?:-container)?|heading|caption)|custom-block-title|alert-(?:heading|title)|starlight-aside__title|panelHeader)(?:\s|$)/i,
  ],
  [
    "admonition",
    /(?:^|\s)(?:admonition|admonitionblock|markdown-alert|theme-admonition|callout|custom-block|notecard|starlight-aside|confluence-information-macro|ak-editor-panel|alert-(?:info|warning|danger|success|note|tip|primary|secondary)|hint--?(?:info|warning|danger|success|tip))(?:\s|$)|(?:^|\s)alert is-|^(?:note|tip|warning|caution|important)$/i,
  ],
  [
    "code_root",
    /(?:^|\s)(?:CodeMirror|cm-editor|monaco-editor|ace_editor|syntaxhighlighter|(?:urvanov-syntax-highlighter|crayon)-syntax|fragment|w3-code)(?:\s|$)/,
  ],
  ["code_header", /(?:^|\s)(?:codeheader|code-?block-?header|code-header)(?:\s|$)/i],
  [
    "code_frame",
    /(?:^|\s)(?:[\w-]*code-?(?:box|block|frame|toolbar|container|wrapper|snippet|panel)[\w-]*|code|bbcode_container|listingblock|expressive-code)(?:\s|$)/i,
  ],
  ["code_label", /(?:^|\s)lang(?:uage)?(?:-?(?:label|name|tag))?(?:\s|$)/i],
];

/** Roles by class attribute, remembered for one document: pages repeat the same classes thousands of times. */
export function createRoleTable(): (className: string) => Role {
  const known = new Map<string, Role>([["", ""]]);
  return (className) => {
    let role = known.get(className);
    if (role === undefined) {
      role = ROLES.find(([, pattern]) => pattern.test(className))?.[0] ?? "";
      known.set(className, role);
    }
    return role;
  };
}

const ADMONITION_KIND =
  /(note|tip|info|warning|caution|danger|important|success|see-?also|hint|attention|error|deprecated|abstract|example|question|bug|quote|todo)/i;

/** The name an admonition's classes give it, for those that show only an icon; "" when they give none. */
export function admonitionKind(className: string): string {
  const withoutFrame = className.replace(
    /admonition(?:block)?|markdown-alert-title|markdown-alert|theme-|callout|custom-block|alert|starlight-aside|notecard|confluence-information-macro|hint(?=[\s-])/gi,
    " ",
  );
  const kind = ADMONITION_KIND.exec(withoutFrame)?.[1]?.toLowerCase() ?? "";
  return kind.charAt(0).toUpperCase() + kind.slice(1);
}
