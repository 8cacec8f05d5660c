/** What the parser and the passes need to know of an element, by its name. One shared object a name. */
export interface Tag {
  readonly name: string;
  /** No content and no end tag. */
  readonly isVoid: boolean;
  /** Starts on a new line when rendered. */
  readonly isBlock: boolean;
  /** Its start tag ends an open paragraph. */
  readonly endsParagraph: boolean;
  /** Its end tag may be mis-nested with blocks (HTML 13.2.4.3, "formatting"). */
  readonly isFormatting: boolean;
  /** End tags inside it do not reach elements outside it (HTML 13.2.4.2, "in scope"). */
  readonly isScope: boolean;
  /** 1 to 6 for headings, else 0. */
  readonly headingLevel: number;
  /** White space alone is nothing in it. */
  readonly dropsBlankText: boolean;
  /** `&` is a character like any other in it. */
  readonly isRawText: boolean;
  /** Part of a table, the table included. */
  readonly isTablePart: boolean;
  /** Only parts of a table stand in it; what else comes there stands before the table. */
  readonly isTableFrame: boolean;
  /** May stand in a table and outside its cells. */
  readonly isTableGuest: boolean;
  /** What its start tag ends. */
  readonly impliedEnds: ImpliedEnds | undefined;
  /** Of a part of a table: what it stands in directly; all else that is open there ends (HTML 13.2.6.4.9 to 13.2.6.4.14). */
  readonly contexts: ReadonlySet<string> | undefined;
}

interface ImpliedEnds {
  readonly ends: ReadonlySet<string>;
  /** Where the search for them stops. */
  readonly within: ReadonlySet<string>;
}

const names = (list: string): ReadonlySet<string> => new Set(list.split(" "));

const VOID = names(
  "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr",
);
const ENDS_PARAGRAPH = names(
  "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr listing main menu nav ol p plaintext pre search section summary table ul xmp dd dt li",
);
const BLOCK = names(
  "html body caption colgroup col frameset legend noframes optgroup option tbody td tfoot th thead tr template noscript title head iframe canvas video audio object textarea select",
);
const FORMATTING = names("a b big code em font i nobr s small strike strong tt u");
const SCOPE = names("#document html table td th caption template svg math object marquee foreignobject");
const TABLE_PARTS = names("table thead tbody tfoot tr td th caption colgroup");
const TABLE_FRAMES = names("table thead tbody tfoot tr");
const TABLE_GUESTS = names("style script template form");
const RAW_TEXT = names("xmp iframe noembed noframes plaintext");
const DROPS_BLANK_TEXT = names("#document html head table thead tbody tfoot tr colgroup ul ol dl select");
/** Start tags that end open elements: which ones, and where the search stops (HTML 13.1.2.4, optional tags). */
const IMPLIED_ENDS: ReadonlyMap<string, ImpliedEnds> = new Map(
  (
    [
      ["li", "li", "ul ol menu dir"],
      ["dt", "dt dd", "dl"],
      ["dd", "dt dd", "dl"],
      ["tr", "tr td th caption colgroup", "table"],
      ["td", "td th caption colgroup", "tr table"],
      ["th", "td th caption colgroup", "tr table"],
      ["thead", "thead tbody tfoot tr td th caption colgroup", "table"],
      ["tbody", "thead tbody tfoot tr td th caption colgroup", "table"],
      ["tfoot", "thead tbody tfoot tr td th caption colgroup", "table"],
      ["option", "option", "select datalist optgroup"],
      ["optgroup", "option optgroup", "select"],
      ["select", "select", "form"],
      ["textarea", "select", "form"],
      ["button", "button", "form"],
      ["rt", "rt rp", "ruby"],
      ["rp", "rt rp", "ruby"],
    ] as const
  ).map(([start, ends, within]) => [start, { ends: names(ends), within: names(within) }]),
);

/** What a table's parts stand in directly: everything else that is open there ends (HTML 13.2.6.4.9 to 13.2.6.4.14). */
const TABLE_CONTEXTS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  (
    [
      ["tr", "tbody thead tfoot table"],
      ["td", "tr"],
      ["th", "tr"],
      ["thead", "table"],
      ["tbody", "table"],
      ["tfoot", "table"],
      ["caption", "table"],
      ["colgroup", "table"],
    ] as const
  ).map(([part, contexts]) => [part, names(contexts)]),
);

function describe(name: string): Tag {
  const endsParagraph = ENDS_PARAGRAPH.has(name);
  return {
    name,
    isVoid: VOID.has(name),
    isBlock: endsParagraph || BLOCK.has(name),
    endsParagraph,
    isFormatting: FORMATTING.has(name),
    isScope: SCOPE.has(name),
    headingLevel: /^h[1-6]$/.test(name) ? Number(name[1]) : 0,
    dropsBlankText: DROPS_BLANK_TEXT.has(name),
    isRawText: RAW_TEXT.has(name),
    isTablePart: TABLE_PARTS.has(name),
    isTableFrame: TABLE_FRAMES.has(name),
    isTableGuest: TABLE_GUESTS.has(name),
    impliedEnds: IMPLIED_ENDS.get(name),
    contexts: TABLE_CONTEXTS.get(name),
  };
}

export const TEXT: Tag = describe("#text");
export const DOCUMENT: Tag = describe("#document");

/** Tags by lower-case name, filled as a document names them; unknown names are inline elements. */
export function createTagTable(): (name: string) => Tag {
  const known = new Map<string, Tag>();
  return (name) => {
    let tag = known.get(name);
    if (tag === undefined) {
      const lower = name.toLowerCase();
      tag = known.get(lower) ?? describe(lower);
      known.set(lower, tag).set(name, tag);
    }
    return tag;
  };
}

/** Elements that end tags of these names do not reach through, beside the usual ones (HTML 13.2.4.2). */
export const NARROW_SCOPES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["li", names("ol ul")],
  ["p", names("button")],
]);
export const HEAD_PARTS: ReadonlySet<string> = names(
  "base basefont bgsound link meta noscript script style template title",
);
/** HTML start tags that end SVG or MathML (HTML 13.2.6.5). */
export const FOREIGN_BREAKOUT: ReadonlySet<string> = names(
  "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var",
);
/** Where HTML may stand inside SVG or MathML. */
export const FOREIGN_INTEGRATION: ReadonlySet<string> = names("foreignobject desc annotation-xml");
/** SVG elements that hold or hide text; the drawing itself is not kept. */
export const SVG_KEPT: ReadonlySet<string> = names(
  "svg g a text tspan textpath switch foreignobject defs symbol clippath mask pattern title desc metadata script style",
);
