import type { RemovedCounts } from "../../types.js";
import { TEXT } from "../tags.js";
import { attribute, type Node, type Tree } from "../tree.js";
import { type Inherited, initialStyle, StyleInheritance } from "./inherited.js";
import { type Openers, openers } from "./openers.js";
import { RemovedTexts } from "./removed.js";
import { StyleJudge } from "./style-judge.js";
import { type OwnStyle, StyleRules } from "./style-rules.js";
import { svgReason } from "./svg.js";

/** Elements whose content no current browser paints, with the reason text in them is counted under. */
const NOT_RENDERED: ReadonlyMap<string, string> = new Map([
  ["template", "template"],
  ["noscript", "noscript"],
  ["iframe", "fallback"],
  ["noframes", "fallback"],
  ["noembed", "fallback"],
  ["canvas", "fallback"],
  ["video", "fallback"],
  ["audio", "fallback"],
  ["object", "fallback"],
  ["datalist", "datalist"],
  ["defs", "svg_undrawn"],
  ["symbol", "svg_undrawn"],
  ["clippath", "svg_undrawn"],
  ["mask", "svg_undrawn"],
  ["pattern", "svg_undrawn"],
  ["metadata", "svg_undrawn"],
]);
const SILENT: ReadonlySet<string> = new Set(["script", "style", "title", "desc", "link", "meta", "base"]);
/** Class names that mean "for screen readers only" in every framework. */
const SCREEN_READER_ONLY =
  /(?:^|\s)(?:(?:u-|is-|a11y-|usa-|govuk-|element-|cdk-)?(?:sr-only|visually-?hidden|screen-?reader(?:s?-only|-text)?|assistive-text|element-invisible)|vh|show-for-sr)(?:\s|$)/;
/** Rendered maths keeps its source in a clipped element: the writer reads it. */
const MATHS = /katex-mathml|mjx-assistive-mml|MJX_Assistive_MathML/;
const PROSE_ATTRIBUTE = /^(?:title|alt|value|placeholder|content|aria-(?:label|description|roledescription)|data-.*)$/;
const MIN_PROSE_CHARS = 40;

export interface Visibility {
  /** 1 for every node that a reader of the page does not see. */
  readonly gone: Uint8Array;
  readonly removed: RemovedCounts;
  readonly removedText: readonly string[];
  /** Not every style rule could be applied. */
  readonly isIncomplete: boolean;
}

/** Marks what cannot be seen. Hidden subtrees are marked whole, re-shown children of inheriting styles are not. */
export function markHidden(tree: Tree, options: { readonly keepNoscript?: boolean } = {}): Visibility {
  const pass = new VisibilityPass(tree, options.keepNoscript ?? false);
  pass.run();
  const { gone, removed, isIncomplete } = pass;
  return { gone, removed: removed.counts, removedText: removed.texts, isIncomplete };
}

class VisibilityPass {
  readonly gone: Uint8Array;
  readonly removed = new RemovedTexts();
  private readonly tree: Tree;
  private readonly keepNoscript: boolean;
  private readonly rules: StyleRules;
  private readonly hasUnreadStyles: boolean;
  private readonly judge: StyleJudge;
  private readonly screenReaderClasses = new Map<string, boolean>();
  private readonly inheritance = new StyleInheritance();
  private knownOpeners: Openers | undefined;

  constructor(tree: Tree, keepNoscript: boolean) {
    this.tree = tree;
    this.keepNoscript = keepNoscript;
    this.gone = new Uint8Array(tree.nodes.length);
    this.rules = new StyleRules(
      tree,
      keepNoscript ? tree.styles : tree.styles.filter(({ isInNoscript }) => !isInNoscript),
    );
    this.judge = new StyleJudge(this.rules.lastFrames);
    this.hasUnreadStyles = tree.nodes.some(
      (node) => node.tag.name === "link" && /stylesheet/i.test(attribute(node, "rel") ?? ""),
    );
  }

  get isIncomplete(): boolean {
    return this.rules.isIncomplete;
  }

  run(): void {
    const { nodes } = this.tree;
    /** Inherited styles by depth; every node's parent stands one above it. */
    const styles: Inherited[] = [initialStyle(this.hasUnreadStyles ? undefined : [255, 255, 255, 1])];
    for (let at = 1; at < nodes.length; ) {
      const node = nodes[at];
      if (node === undefined) break;
      const outer = styles[node.depth - 1] ?? styles[0];
      if (outer === undefined) break;
      if (node.tag === TEXT) {
        if (outer.textReason !== "") this.hideText(node, outer.textReason);
        at += 1;
        continue;
      }
      const style = this.rules.of(node);
      const reason = this.reasonFor(node, style);
      if (reason !== undefined) {
        this.gone.fill(1, at, node.end);
        if (reason !== "") this.removed.addSubtree(reason, this.tree, node);
        at = node.end;
        continue;
      }
      styles[node.depth] = this.innerStyle(outer, node, style);
      if (node.hasAttributes) this.noteAttributes(node);
      at += 1;
    }
    this.removed.addAll("comment", this.tree.comments, this.tree.commentCount);
  }

  private innerStyle(outer: Inherited, node: Node, own: OwnStyle): Inherited {
    if (isPage(node)) return outer;
    const mayBeRestyled = this.hasUnreadStyles && node.className !== "";
    return this.inheritance.inherit(outer, this.presentational(node, own), mayBeRestyled);
  }

  private hideText(node: Node, reason: string): void {
    this.gone[node.index] = 1;
    if (/\S/.test(node.text)) this.removed.add(reason, node.text);
  }

  /** `bgcolor` and `<font color>` count as the weakest declarations. */
  private presentational(node: Node, style: OwnStyle): OwnStyle {
    if (!node.hasAttributes) return style;
    const background = attribute(node, "bgcolor");
    const colour = node.tag.name === "font" ? attribute(node, "color") : undefined;
    if (background === undefined && colour === undefined) return style;
    const merged = new Map<string, string>();
    if (background !== undefined) merged.set("background-color", background.toLowerCase());
    if (colour !== undefined) merged.set("color", colour.toLowerCase());
    for (const [property, value] of style) merged.set(property, value);
    return merged;
  }

  /** Undefined when the element is shown, "" when it is no text anyway. */
  private reasonFor(node: Node, style: OwnStyle): string | undefined {
    const { name } = node.tag;
    if (isPage(node) || name === "head") return undefined;
    if (SILENT.has(name)) return name === "title" && node.parent?.tag.name === "head" ? undefined : "";
    if (name === "noscript" && this.keepNoscript) return undefined;
    const notRendered = NOT_RENDERED.get(name);
    if (notRendered !== undefined) return notRendered;
    if (!node.hasAttributes && style.size === 0) return undefined;
    if (node.className !== "" && this.isForScreenReaders(node.className)) return "screen_reader_only";
    const hidden = attribute(node, "hidden");
    if (hidden !== undefined && hidden !== "until-found" && (style.get("display") ?? "none") === "none") {
      return this.opens(node) || this.isStreamed(node) ? undefined : "hidden_attribute";
    }
    if (name === "dialog" && attribute(node, "open") === undefined)
      return this.opens(node) ? undefined : "closed_dialog";
    if (attribute(node, "popover") !== undefined) return this.opens(node) ? undefined : "closed_popover";
    if (name === "svg" || name === "foreignobject" || name === "text") return svgReason(node, style);
    return style.size === 0 ? undefined : this.styleReason(node, style);
  }

  private isForScreenReaders(className: string): boolean {
    let found = this.screenReaderClasses.get(className);
    if (found === undefined) {
      found = SCREEN_READER_ONLY.test(className) && !MATHS.test(className);
      this.screenReaderClasses.set(className, found);
    }
    return found;
  }

  private styleReason(node: Node, style: OwnStyle): string | undefined {
    const verdict = this.judge.of(node, style);
    if (verdict === undefined) return undefined;
    const { reason, properties } = verdict;
    if (MATHS.test(node.className) && reason !== "display_none") return undefined;
    if (reason === "opacity" && (this.judge.isAnimatedIn(node, style) || this.isScripted(node))) return undefined;
    if (this.rules.isRevealed(node, properties) || this.opens(node)) return undefined;
    return this.isPageWrapper(node, reason) ? undefined : reason;
  }

  /** A script of the page names the element's class or id: the usual way to fade content in. */
  private isScripted(node: Node): boolean {
    return !/(?:^|;)\s*opacity/i.test(attribute(node, "style") ?? "") && this.openerTable().isScripted(node);
  }

  private opens(node: Node): boolean {
    return this.openerTable().canOpen(node);
  }

  private openerTable(): Openers {
    this.knownOpeners ??= openers(this.tree);
    return this.knownOpeners;
  }

  /** A wrapper of the page that waits for a script, often to fade in, is no hiding place. */
  private isPageWrapper(node: Node, reason: string): boolean {
    const { length } = this.tree.nodes;
    const share = reason === "opacity" || reason === "visibility_hidden" ? 0.35 : 0.7;
    return length > 200 && node.end - node.index > length * share;
  }

  /** React sends late parts of a page hidden, with the place they are moved to at once. */
  private isStreamed(node: Node): boolean {
    const number = /^S:([\da-f]+)$/.exec(attribute(node, "id") ?? "")?.[1];
    return number !== undefined && this.openerTable().isSlot(`B:${number}`);
  }

  /** Prose in attributes is never emitted, but somebody may have written it for a model. */
  private noteAttributes(node: Node): void {
    const list = node.source.longAttributes(node.from, node.to, MIN_PROSE_CHARS);
    for (let at = 1; at < list.length; at += 2) {
      const value = list[at] ?? "";
      if (!PROSE_ATTRIBUTE.test(list[at - 1] ?? "")) continue;
      if (/^\s*[[{<]/.test(value) || (value.match(/\s\p{L}/gu)?.length ?? 0) < 5) continue;
      this.removed.add("attribute", value);
    }
  }
}

/** A page that hides itself until its scripts have run is read all the same. */
function isPage(node: Node): boolean {
  return node.tag.name === "html" || node.tag.name === "body";
}
