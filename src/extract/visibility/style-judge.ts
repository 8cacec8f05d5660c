import type { Node } from "../tree.js";
import { type Box, isAnimatedIn, judgeBox, type Verdict } from "./box.js";
import type { OwnStyle } from "./style-rules.js";

const CLIPS = /hidden|clip|scroll|auto/;
const ZERO_TRACK = /(?:^|\s)0(?:fr|px)?(?:\s|$)/;

interface Judged {
  readonly verdict: Verdict | undefined;
  /** Its children stand in grid tracks without height or width. */
  readonly hasZeroTracks: boolean;
}

/** Judges styles, each once: elements of one style fare alike, inline ones apart. */
export class StyleJudge {
  private readonly lastFrames: ReadonlyMap<string, string>;
  private readonly inline = new Map<OwnStyle, Judged>();
  private readonly block = new Map<OwnStyle, Judged>();
  private readonly zeroTracks = new Set<Node>();

  constructor(lastFrames: ReadonlyMap<string, string>) {
    this.lastFrames = lastFrames;
  }

  /** Must be asked for in document order; undefined when the element is not hidden. */
  of(node: Node, style: OwnStyle): Verdict | undefined {
    const { verdict, hasZeroTracks } = this.judged(node, style);
    if (hasZeroTracks) this.zeroTracks.add(node);
    return verdict;
  }

  isAnimatedIn(node: Node, style: OwnStyle): boolean {
    return isAnimatedIn(this.boxOf(node, style));
  }

  private judged(node: Node, style: OwnStyle): Judged {
    if (this.isInZeroTrack(node)) return judge(this.boxOf(node, style));
    const known = isInlineByName(node) ? this.inline : this.block;
    let judged = known.get(style);
    if (judged === undefined) {
      judged = judge(this.boxOf(node, style));
      known.set(style, judged);
    }
    return judged;
  }

  private isInZeroTrack({ parent }: Node): boolean {
    return parent !== undefined && this.zeroTracks.has(parent);
  }

  private boxOf(node: Node, style: OwnStyle): Box {
    const position = style.get("position");
    const isFixed = position === "fixed";
    const isPositioned = isFixed || position === "absolute";
    const display = style.get("display");
    return {
      style,
      isInline: display === undefined ? isInlineByName(node) && !isPositioned : display === "inline",
      isPositioned,
      isFixed,
      clipsOverflow: CLIPS.test(style.get("overflow-x") ?? "") || CLIPS.test(style.get("overflow-y") ?? ""),
      isInZeroTrack: this.isInZeroTrack(node),
      lastFrames: this.lastFrames,
    };
  }
}

function judge(box: Box): Judged {
  const tracks = box.style.get("grid-template-rows") ?? box.style.get("grid-template-columns") ?? "";
  return { verdict: judgeBox(box), hasZeroTracks: ZERO_TRACK.test(tracks) };
}

function isInlineByName({ tag }: Node): boolean {
  return !tag.isBlock && !tag.isVoid;
}
