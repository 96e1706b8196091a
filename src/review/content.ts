/** What of an item is put before a reviewer: nothing here names a system, a gold label or an automatic score. */
export interface ReviewContent {
  /** Short words that tell items apart in a queue: the beginning of the text. */
  readonly title: string;
  readonly language: string | null;
  readonly blocks: readonly ContentBlock[];
  /** Name of the block that places (`start`, `end`) are in; null where there is none. */
  readonly under: string | null;
  /** By field of the type `items`: what is to be labelled. */
  readonly proposed: Readonly<Record<string, readonly ProposedItem[]>>;
  readonly passages: readonly ContentPassage[];
}

export interface ContentBlock {
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

export interface ProposedItem {
  readonly id: string;
  /** UTF-16 place in the block under review; -1 where it has none. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** What the system called it, where it did: a PII label, an entity type. */
  readonly kind: string | null;
  /** Further facts in words: polarity, source and target of a relationship. */
  readonly facts: Readonly<Record<string, string>>;
  /** Ids of the passages that share most words with it, best first: a suggestion, never a label. */
  readonly passages: readonly string[];
}

export interface ContentPassage {
  readonly id: string;
  readonly source: string | null;
  readonly text: string;
}
