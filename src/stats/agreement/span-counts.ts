import { type Item, makeItem } from '../../data/item.ts';
import { UsageError } from '../../data/problems.ts';
import { makeCriterion } from '../../pair/criterion.ts';
import { makePairer } from '../../pair/pair.ts';
import { compareText } from '../../text/compare.ts';
import { everyTwo } from '../aligned-lists.ts';

/** A labelled stretch of a text, as one annotator marked it. */
export interface AnnotatedSpan {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

/** A document with the spans of each annotator: a list, which may be empty, or null where one did not annotate it. */
export interface SpanDocument {
  readonly id: string;
  readonly spans: readonly (readonly AnnotatedSpan[] | null)[];
  /** With it, overlap is counted in characters and not in UTF-16 units. */
  readonly text?: string | null;
}

export interface SpanMatchOptions {
  /** `exact`: the same place; `overlap`: any character in common; `iou`: common characters / all characters ≥ threshold. */
  readonly match?: 'exact' | 'overlap' | 'iou';
  /** For `iou`; 0.5 unless it is said. */
  readonly threshold?: number;
  /** False: a match may have different labels. */
  readonly labels?: boolean;
}

/** How many spans of two annotators match, one to one, so that as much as possible is matched; the order of the two does not matter. */
export type CountMatches = (a: readonly Item[], b: readonly Item[], text: string | null) => number;

export function spanMatcher({ match = 'exact', threshold = 0.5, labels = true }: SpanMatchOptions): CountMatches {
  if (!(threshold > 0 && threshold <= 1))
    throw new UsageError(
      `threshold ${threshold}: expected a share above 0 and up to 1`,
      'for any overlap: match: "overlap"',
    );
  const criterion = makeCriterion('match', {
    gate: labels ? ['label'] : [],
    similarity: match === 'exact' ? 'exact' : 'iou',
    threshold: match === 'overlap' ? 0 : threshold,
  });
  const pairer = makePairer({ accept: [criterion], assign: 'optimal', ties: 'content', partial: 1, unit: 'item' });
  return (a, b, text) => pairer.pair(a, b, undefined, text).pairs.length;
}

/** Spans as items for pairing; one without a place is refused. */
export function spanItems(spans: readonly AnnotatedSpan[], place: string): Item[] {
  return spans.map(({ start, end, label }, index) => {
    if (!Number.isInteger(start) || !Number.isInteger(end) || start < 0 || end <= start)
      throw new UsageError(
        `${place}: the span ${start}..${end} is no stretch of a text`,
        'start and end are offsets, end after start',
      );
    return makeItem({ kind: 'span', index, label, start, end });
  });
}

/** What two annotators marked: spans of each, and how many of them match. */
export interface SpanCounts {
  readonly matches: number;
  readonly spansA: number;
  readonly spansB: number;
}

/** Counts by document and pair of annotators; documents with the same counts are one pattern. */
export interface DocumentCounts {
  readonly pairs: readonly (SpanCounts & { readonly a: number; readonly b: number; readonly documents: number })[];
  /** For each pattern, its pairs by their place in `pairs`. */
  readonly entries: readonly (readonly { readonly pair: number; readonly counts: SpanCounts }[])[];
  /** How many documents have each pattern. */
  readonly times: Float64Array;
  /** Documents with two annotators or more. */
  readonly n: number;
  /** Documents of these that some annotator did not annotate. */
  readonly gaps: number;
  readonly prevalence: readonly { readonly category: string; readonly share: number; readonly count: number }[];
}

interface PairTotal {
  readonly a: number;
  readonly b: number;
  documents: number;
  matches: number;
  spansA: number;
  spansB: number;
}

export function countDocuments(documents: readonly SpanDocument[], options: SpanMatchOptions): DocumentCounts {
  const matches = spanMatcher(options);
  const totals = new Map<string, PairTotal>();
  const patterns = new Map<string, { rows: { key: string; counts: SpanCounts }[]; times: number }>();
  const labels = new Map<string, number>();
  let n = 0;
  let gaps = 0;
  for (const { id, spans, text = null } of documents) {
    const present = spans.flatMap((own, annotator) =>
      own === null ? [] : [{ annotator, items: spanItems(own, `document ${id}, annotator ${annotator + 1}`) }],
    );
    if (present.length < 2) continue;
    n += 1;
    if (present.length < spans.length) gaps += 1;
    for (const { items } of present) countLabels(items, labels);
    const rows = everyTwo(present.length).map(([a, b]) => {
      const [first, second] = [present[a]!, present[b]!];
      const counts = {
        matches: matches(first.items, second.items, text),
        spansA: first.items.length,
        spansB: second.items.length,
      };
      const key = `${first.annotator} ${second.annotator}`;
      addTo(totals, key, first.annotator, second.annotator, counts);
      return { key, counts };
    });
    const pattern = JSON.stringify(rows);
    const held = patterns.get(pattern);
    if (held === undefined) patterns.set(pattern, { rows, times: 1 });
    else held.times += 1;
  }
  const pairs = [...totals.values()].sort((x, y) => x.a - y.a || x.b - y.b);
  const places = new Map(pairs.map(({ a, b }, place) => [`${a} ${b}`, place]));
  // In the order of their counts, so that the order of the documents never shows in an interval.
  const sorted = [...patterns].sort(([a], [b]) => compareText(a, b)).map(([, pattern]) => pattern);
  return {
    pairs,
    entries: sorted.map(({ rows }) => rows.map(({ key, counts }) => ({ pair: places.get(key)!, counts }))),
    times: Float64Array.from(sorted, ({ times }) => times),
    n,
    gaps,
    prevalence: shares(labels),
  };
}

function addTo(totals: Map<string, PairTotal>, key: string, a: number, b: number, counts: SpanCounts): void {
  const total = totals.get(key) ?? { a, b, documents: 0, matches: 0, spansA: 0, spansB: 0 };
  total.documents += 1;
  total.matches += counts.matches;
  total.spansA += counts.spansA;
  total.spansB += counts.spansB;
  totals.set(key, total);
}

function countLabels(items: readonly Item[], labels: Map<string, number>): void {
  for (const { label } of items) labels.set(label, (labels.get(label) ?? 0) + 1);
}

function shares(labels: ReadonlyMap<string, number>): DocumentCounts['prevalence'] {
  const all = [...labels.values()].reduce((sum, count) => sum + count, 0);
  return [...labels]
    .sort(([a, x], [b, y]) => y - x || compareText(a, b))
    .map(([category, count]) => ({ category, share: count / all, count }));
}
