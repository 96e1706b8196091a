import { type PiecedSpan, textAt } from '../text/pieces.ts';
import type { Span } from '../text/span.ts';

/** Anything a record carries beyond what Assay itself reads: kept as given, never interpreted unless a recipe names it. */
export type Fields = Readonly<Record<string, unknown>>;

export const NO_FIELDS: Fields = Object.freeze({});

/** Kinds that are on both sides, so that gold and predictions can be paired. */
export const PAIRED_KINDS = ['object', 'span', 'entity', 'relationship', 'concept', 'class', 'component'] as const;
export type PairedKind = (typeof PAIRED_KINDS)[number];

/** Kinds that only log what a system did: they have a verdict already and no gold to be paired with. */
export const LOGGED_KINDS = [
  'summary',
  'grounding',
  'decision',
  'flush',
  'trace',
  'answer',
  'rating',
  'tick',
  'claim',
  'readability',
  'review',
  'outcome',
  'score',
] as const;
export type LoggedKind = (typeof LOGGED_KINDS)[number];

export const ITEM_KINDS = [...PAIRED_KINDS, ...LOGGED_KINDS] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

export const SIDES = ['gold', 'predicted'] as const;
export type Side = (typeof SIDES)[number];

/**
 * One thing found in a case: a span, an object with a quote, an entity, a relationship.
 * All kinds share one shape so that pairing and judging never ask which task they serve.
 */
export interface Item {
  readonly kind: ItemKind;
  /** Position in its list as the file gave it; names the item within its case, side and kind. */
  readonly index: number;
  /** What the gate compares and per-label figures group by: a domain, an entity type, a PII label. */
  readonly label: string;
  /** The quote, surface text or name. */
  readonly text: string;
  /** UTF-16 offsets into the case's text; -1 where the item has no place in it. */
  readonly start: number;
  readonly end: number;
  readonly fields: Fields;
  /** Line of the file that gave it, for messages. */
  readonly line: number;
  readonly annotator: string | null;
  /** Both ends of a relationship: references as given, names once resolved; null where an end resolves to nothing. */
  readonly source: string | null;
  readonly target: string | null;
  /** Indexes of the items that were merged into this one. */
  readonly parts: readonly number[] | null;
  /** Whether the quote stands verbatim in the text; null where that was not asked. */
  readonly grounded: boolean | null;
  /** Where the quote is not in the text: what keeps it from being verbatim. */
  readonly ungrounded?: string;
  /** The label before a label map changed it. */
  readonly was?: string;
  /** A predicted span whose place was refused: where it said it is, in the unit of the files, and what is wrong with that. */
  readonly refused?: { readonly start: number; readonly end: number; readonly because: string };
  /** A span that is not in one piece: its pieces, in UTF-16; `start` and `end` are those of the whole. */
  readonly fragments?: readonly Span[];
  /** A quote that came without a place: how it was found in the text. */
  readonly aligned?: AlignedQuote;
  /** References that no entity answers to. */
  readonly unresolved?: readonly string[];
  /** The places of the ends of a relationship, if they are compared by place; null for an end that has none. */
  readonly ends?: Readonly<Record<End, EndPlace | null>>;
}

/** The ends of a relationship. */
export const ENDS = ['source', 'target'] as const;
export type End = (typeof ENDS)[number];

/** The place of an entity in the text, in UTF-16 units, and its type. */
export type EndPlace = Pick<Item, 'start' | 'end' | 'label' | 'fragments'>;

/** How a quote was found: as it is, but for its spelling, by likeness, or not at all. */
export const ALIGNMENTS = ['exact', 'normalised', 'fuzzy', 'missing'] as const;

export interface AlignedQuote {
  readonly status: (typeof ALIGNMENTS)[number];
  /** Several places in the text fit equally well; the order of the list decided. */
  readonly ambiguous: boolean;
  readonly similarity: number;
  /** The words of the quote, if the text has others at its place. */
  readonly quote?: string;
}

export type ItemInit = Pick<Item, 'kind' | 'index' | 'label'> &
  Partial<Pick<Item, 'text' | 'start' | 'end' | 'fields' | 'line' | 'annotator' | 'source' | 'target' | 'fragments'>>;

/** Every item is made here, with its fields in one order, so that the engine keeps one hidden class for all of them. */
export function makeItem(init: ItemInit): Item {
  const item: Item = {
    kind: init.kind,
    index: init.index,
    label: init.label,
    text: init.text ?? '',
    start: init.start ?? -1,
    end: init.end ?? -1,
    fields: init.fields ?? NO_FIELDS,
    line: init.line ?? 0,
    annotator: init.annotator ?? null,
    source: init.source ?? null,
    target: init.target ?? null,
    parts: null,
    grounded: null,
  };
  return init.fragments === undefined ? item : { ...item, fragments: init.fragments };
}

/** The same item at another place, with what the text has there. */
export function itemAt(item: Item, place: PiecedSpan, text: string): Item {
  const { fragments: _, ...rest } = item;
  return { ...rest, ...place, text: textAt(text, place) };
}
