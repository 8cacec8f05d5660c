import type { PageKind } from "./page-kind.js";
import type { TextStats } from "./text-stats.js";
import { attribute, type Node, type Tree } from "./tree.js";

/** Parts of a page that are round its content and not it. */
const CHROME_TAGS = new Set(["nav", "footer", "aside", "dialog", "search"]);
const CHROME_ROLES = new Set(
  "navigation banner contentinfo complementary search dialog alertdialog menu menubar toolbar doc-toc".split(" "),
);
const CONTROL_TAGS = new Set(["select", "option", "textarea", "input", "label", "fieldset"]);

/** Words of class and id that name chrome wherever they stand; matched against whole words. */
const CHROME_WORDS =
  /(?:^|[\s_-])(?:cookie-?(?:bar|banner|notice|consent|policy|law|popup|message|modal)|consent|gdpr|ccpa|newsletter|subscri(?:be|ption)s?|sharing|share(?:bar|buttons?|links?|tools?)?|social(?:s|media|icons?|links?|share)?|breadcrumbs?|pagination|pager|paginator|related|recommend(?:ed|ations?)|promo-?(?:bar|banner)|advert(?:s|isement|ising)?|ads?-?(?:container|slot|wrapper|unit|banner|block|box)|adsense|adsbygoogle|sponsored|sidebar|side-?nav|sidenav|toc|table-?of-?contents|navbar|nav|navigation|navmenu|submenu|megamenu|mega-?menu|menu|footer|site-?header|masthead|skip-?(?:link|nav|to)[\w-]*|popup|modal|lightbox|off-?canvas|drawer|flyout|tooltip|toolbar|author-?(?:bio|box|card|info)|about-?author|tags|tag-?list|taglist|post-?tags|entry-?meta|post-?meta|print(?:-?(?:button|link))?|feedback|was-?this-?helpful|helpful|edit-?(?:page|link|this-page)|next-?prev|login|log-?in|sign-?(?:in|up)|search-?(?:form|box|bar|input|field)|lang(?:uage)?-?(?:switch(?:er)?|select(?:or)?|picker)|version-?(?:switch(?:er)?|select(?:or)?)|alert-?bar|announcement(?:-?bar)?|notice-?bar|topbar|top-?bar|utility-?(?:nav|bar)|back-?to-?top|to-?top|trending|popular-?posts|most-?read|more-?(?:stories|from|posts|articles)|you-?may-?also|also-?like|outbrain|taboola|disqus|jp-relatedposts|sharedaddy|addthis|mc_embed|noprint|no-?print)(?:$|[\s_-])/i;
const COMMENT_WORDS =
  /(?:^|[\s_-])(?:comments?(?:-?(?:list|area|section|wrap(?:per)?|form|respond))?|respond|disqus_thread|discussion|replies|reviews?)(?:$|[\s_-])/i;
/** What forums put round each post: signatures, statistics of its author, buttons. */
const POST_WORDS =
  /(?:^|[\s_-])(?:signature|user-?extras|user-?stats|user-?title|user-?banner|post-?controls|post-?menu|action-?bar|reactions?-?bar)(?:$|[\s_-])/i;
/** Names that hold the content although a word in them says otherwise. */
const CONTENT_WORDS =
  /(?:^|[\s_-])(?:article|content|main|body|post|entry|story|page|markdown|prose|documentation|docs?)(?:$|[\s_-])/i;
const KEPT_ASIDE = /admonition|callout|note|tip|warning|alert|hint|footnote|sidenote|pull-?quote|starlight/i;

/** A subtree this much of the page's text is never chrome, whatever it is called. */
const MAX_CHROME_SHARE = 0.5;
const MAX_CHROME_PROSE = 0.35;

interface ChromeRules {
  readonly kind: PageKind;
  /** False leaves class names unread: for pages whose names mislead. */
  readonly usesNames: boolean;
}

/** A copy of `gone` with the page's chrome marked too. */
export function markChrome(tree: Tree, gone: Uint8Array, stats: TextStats, rules: ChromeRules): Uint8Array {
  const marked = gone.slice();
  const { nodes, root } = tree;
  const totalChars = Math.max(stats.chars[root.index] ?? 0, 1);
  const totalProse = Math.max(stats.proseChars[root.index] ?? 0, 1);
  const names = new Map<string, boolean>();
  const namesChrome = (name: string): boolean => {
    let found = names.get(name);
    if (found === undefined) {
      found = isChromeName(name, rules.kind);
      names.set(name, found);
    }
    return found;
  };
  for (let at = 1; at < nodes.length; ) {
    const node = nodes[at];
    if (node === undefined) break;
    if (marked[at] === 1) {
      at = node.end;
      continue;
    }
    const isSmall =
      (stats.chars[at] ?? 0) < totalChars * MAX_CHROME_SHARE &&
      (stats.proseChars[at] ?? 0) < totalProse * MAX_CHROME_PROSE;
    if (node.text === "" && isSmall && isChrome(tree, node, stats, rules.usesNames ? namesChrome : undefined)) {
      marked.fill(1, at, node.end);
      at = node.end;
    } else at += 1;
  }
  return marked;
}

function isChrome(
  tree: Tree,
  node: Node,
  stats: TextStats,
  namesChrome: ((name: string) => boolean) | undefined,
): boolean {
  const { name } = node.tag;
  if (name === "html" || name === "body" || name === "main" || name === "pre" || name === "code") return false;
  if (CHROME_TAGS.has(name)) return name !== "aside" || !KEPT_ASIDE.test(node.className);
  if (CONTROL_TAGS.has(name)) return (stats.proseChars[node.index] ?? 0) === 0 && !/tab/i.test(node.className);
  const role = attribute(node, "role");
  if (role === "tablist") return false;
  if (role !== undefined && CHROME_ROLES.has(role)) return true;
  if (name === "header") return isSiteHeader(node, stats);
  if (name === "form") return (stats.proseChars[node.index] ?? 0) < 200;
  if (namesChrome === undefined || (!node.tag.isBlock && name !== "span" && name !== "a")) return false;
  const id = attribute(node, "id") ?? "";
  const isNamed = (node.className !== "" && namesChrome(node.className)) || (id !== "" && namesChrome(id));
  return isNamed && !holdsCode(tree, node);
}

/** Code frames have toolbars, and a toolbar's class on the frame hides the code. */
function holdsCode(tree: Tree, root: Node): boolean {
  for (let at = root.index + 1; at < root.end; at++) if (tree.nodes[at]?.tag.name === "pre") return true;
  return false;
}

function isChromeName(name: string, kind: PageKind): boolean {
  if (kind !== "forum" && COMMENT_WORDS.test(name) && !(kind === "product" && /review/i.test(name))) return true;
  if (kind === "forum" && POST_WORDS.test(name)) return true;
  if (!CHROME_WORDS.test(name)) return false;
  // `post-content has-sidebar` is content beside a sidebar, `sidebar-content` is the sidebar.
  return (
    !name.split(/\s+/).some((token) => CONTENT_WORDS.test(token) && !CHROME_WORDS.test(token)) ||
    /(?:^|\s)[\w-]*(?:nav|footer|sidebar|menu|cookie)[\w-]*(?:\s|$)/i.test(name.split(/\s+/)[0] ?? "")
  );
}

/** A header inside the article carries its title; one above it carries the site's name and menu. */
function isSiteHeader(node: Node, stats: TextStats): boolean {
  for (let outer = node.parent; outer !== undefined; outer = outer.parent) {
    if (outer.tag.name === "article" || outer.tag.name === "main" || outer.tag.name === "section") return false;
  }
  return (stats.proseChars[node.index] ?? 0) < 400;
}
