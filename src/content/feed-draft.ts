/** Text of a feed before it is made plain. */
export interface FeedText {
  readonly text: string;
  readonly html: boolean;
}

/** Dates and links as the publisher wrote them; absent ones are empty. */
export interface FeedItem {
  title: FeedText;
  link: string;
  date: string;
  summary: FeedText;
  content: FeedText;
}

/** What every feed format comes down to. */
export interface FeedDraft {
  title: FeedText;
  link: string;
  description: FeedText;
  readonly items: FeedItem[];
  /** Items in the feed, kept or not. */
  itemCount: number;
  /** Reading stopped before the end. */
  cut: boolean;
}

const NOTHING: FeedText = { text: "", html: false };

export function createFeedItem(): FeedItem {
  return { title: NOTHING, link: "", date: "", summary: NOTHING, content: NOTHING };
}

export function createFeedDraft(): FeedDraft {
  return { title: NOTHING, link: "", description: NOTHING, items: [], itemCount: 0, cut: false };
}
