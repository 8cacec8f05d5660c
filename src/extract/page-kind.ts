import type { LinkedData } from "./metadata/linked-data.js";
import type { MetaTags } from "./metadata/meta-tags.js";

/** What sort of page this is, as far as its own marks tell. */
export type PageKind =
  | "article"
  | "documentation"
  | "forum"
  | "product"
  | "collection"
  | "listing"
  | "service"
  | "other";

interface KindRule {
  readonly kind: PageKind;
  readonly types?: RegExp;
  readonly url?: RegExp;
  readonly generator?: RegExp;
}

/** The first rule that holds decides; types are JSON-LD's and Open Graph's. */
const KIND_RULES: readonly KindRule[] = [
  { kind: "forum", types: /^(?:DiscussionForumPosting|QAPage)$/ },
  { kind: "documentation", types: /^(?:TechArticle|APIReference|HowTo)$/ },
  { kind: "forum", generator: /discourse|xenforo|phpbb|vbulletin|invision|flarum|vanilla|nodebb|mybb|smf/i },
  {
    kind: "documentation",
    generator:
      /docusaurus|sphinx|mkdocs|vitepress|vuepress|gitbook|hugo-book|docsy|antora|asciidoctor|rustdoc|javadoc|doxygen|typedoc|starlight|nextra|mintlify|jsdoc/i,
  },
  {
    kind: "forum",
    url: /\/\/(?:forums?|community|discuss|discourse|boards?|answers)\.|\/(?:forums?|threads?|topics?|discussions?|viewtopic|showthread|questions)(?:[/.?]|\d|$)|reddit\.com\/r\/|\/t\/[\w-]+\/\d+/i,
  },
  { kind: "product", types: /^(?:Product|ProductGroup|product|og:product)$/ },
  {
    kind: "documentation",
    url: /\/\/(?:docs?|developers?|devdocs|api|wiki|help|learn)\.|\/(?:docs?|documentation|reference|api|manual|guides?|tutorials?|wiki|handbook)(?:\/|$)/i,
  },
  { kind: "article", types: /Article$|^(?:BlogPosting|Report|article)$/ },
  { kind: "collection", url: /\/(?:collections?|categor(?:y|ies)|shop|c|browse|departments?)\//i },
  { kind: "collection", types: /^(?:CollectionPage|OfferCatalog)$/ },
  { kind: "listing", types: /^(?:ItemList|SearchResultsPage|JobPosting|RealEstateListing)$/ },
  { kind: "product", url: /\/(?:products?|item|dp|p)\/[^/]+/i },
  { kind: "service", types: /^(?:Service|LocalBusiness|ProfessionalService|SoftwareApplication)$/ },
];

export function pageKind(data: LinkedData, meta: Pick<MetaTags, "get">, url: string | undefined): PageKind {
  const types = [...data.types, meta.get("og:type") ?? ""];
  const generator = meta.get("generator") ?? "";
  const rule = KIND_RULES.find(
    (candidate) =>
      (candidate.types !== undefined && types.some((type) => candidate.types?.test(type))) ||
      (candidate.url !== undefined && url !== undefined && candidate.url.test(url)) ||
      candidate.generator?.test(generator),
  );
  return rule?.kind ?? "other";
}
