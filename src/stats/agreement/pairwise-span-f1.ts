import { type Item, makeItem } from '../../data/item.ts';
import { UsageError } from '../../data/problems.ts';
import type { Sureness } from '../../measure/results.ts';
import { makeCriterion } from '../../pair/criterion.ts';
import { makePairer } from '../../pair/pair.ts';
import { compareText } from '../../text/compare.ts';
import type { PiecedSpan } from '../../text/pieces.ts';
import { everyTwo } from '../aligned-lists.ts';
import { none } from '../interval.ts';
import { resampleSettings, type ResampleSettings } from '../resample-settings.ts';
import { type PairEntry, type NotedSureness, pairSums, resamplePatterns, surenessFrom } from './sureness.ts';

/** A labelled stretch of a text, or pieces of it, as one annotator marked it. */
export interface AnnotatedSpan extends PiecedSpan {
  readonly label: string;
}

/** A document with the spans of each annotator: a list, which may be empty, or null where one did not annotate it. */
export interface SpanDocument {
  readonly id: string;
  readonly spans: readonly (readonly AnnotatedSpan[] | null)[];
  /** With it, overlap is counted in characters and not in UTF-16 units. */
  readonly text?: string | null;
}

export interface SpanF1Options extends Partial<ResampleSettings> {
  /** `exact`: the same place; `overlap`: any character in common; `iou`: common characters / all characters ≥ threshold. */
  readonly match?: 'exact' | 'overlap' | 'iou';
  /** For `iou`; 0.5 by default. */
  readonly threshold?: number;
  /** False: a match may have different labels. */
  readonly labels?: boolean;
  /** False: no bootstrap. */
  readonly interval?: boolean;
}

/** An F1 with its interval, or why either is missing. */
export interface SpanF1 extends Sureness {
  readonly value: number | null;
  readonly undefined: string | null;
}

/** What two annotators, by their columns, marked in the documents that both annotated, and how much of it matches. */
interface SpanPair {
  readonly a: number;
  readonly b: number;
  readonly documents: number;
  readonly matches: number;
  readonly spansA: number;
  readonly spansB: number;
}

export interface SpanPairF1 extends SpanF1, SpanPair {}

export interface SpanAgreement extends SpanF1 {
  /** Documents that two annotators or more annotated, and the others. */
  readonly n: number;
  readonly left: number;
  readonly raters: number;
  /** Pairs of annotators that share documents. */
  readonly pairs: readonly SpanPairF1[];
  /** The F1 of all pairs put together: 2 Σ matches / Σ spans. Annotators with many documents weigh more. */
  readonly pooled: SpanF1;
  readonly prevalence: readonly { readonly category: string; readonly share: number; readonly count: number }[];
  readonly notes: readonly string[];
}

const NOTHING_MARKED = 'neither annotator marked a span in a document that both annotated';
/** Documents have many spans, and few of them still say little about the next one. */
const FEWEST_DOCUMENTS = 5;
/** With more pairs than this, single pairs have no intervals. */
const PAIRS_WITH_INTERVALS = 100;

/**
 * Mean over pairs of annotators of F1 = 2 · matches / (spans of one + spans of the other), each summed over the
 * documents that both annotated; from 0 to 1, higher is better. For spans there is no kappa, because nobody can count
 * the places where no span was marked; F1 is what it tends to when there are many (Hripcsak and Rothschild 2005, J Am
 * Med Inform Assoc 12, 296–298). A pair is undefined when neither marked anything in their documents; such pairs leave
 * the mean and are counted. A document that an annotator did not annotate is left out for that annotator's pairs:
 * nothing annotated is not the same as nothing found. The interval is by bootstrap over documents.
 * Example: 4 spans and 5 spans, 3 of them equal: 2 · 3 / 9 = 0.667.
 */
export function pairwiseSpanF1(documents: readonly SpanDocument[], options: SpanF1Options = {}): SpanAgreement {
  const settings = resampleSettings(options);
  const raters = documents[0]?.spans.length ?? 0;
  for (const { id, spans } of documents)
    if (spans.length !== raters)
      throw new UsageError(`document ${id}: expected ${raters} annotators as in the first, found ${spans.length}`);
  const counted = countDocuments(documents, options);
  const { n, gaps, pairs, labels } = counted;
  const [mean, pooled, ...ofPairs] = withIntervals(counted, settings, options.interval !== false);
  const because = ({ notes: _, value, ...sure }: (typeof ofPairs)[number], why: string): SpanF1 => {
    return { value, undefined: value === null ? why : null, ...sure };
  };
  const reason =
    documents.length === 0
      ? 'there are no documents'
      : raters < 2
        ? 'there is one annotator only: nobody to agree with'
        : n === 0
          ? 'no document has two annotators'
          : NOTHING_MARKED;
  const left = documents.length - n;
  const undefinedPairs = ofPairs.filter(({ value }) => value === null).length;
  const all = labels.values().reduce((sum, count) => sum + count, 0);
  return {
    ...because(mean!, reason),
    n,
    left,
    raters,
    pairs: pairs.map((pair, at) => ({ ...pair, ...because(ofPairs[at]!, NOTHING_MARKED) })),
    pooled: because(pooled!, reason),
    prevalence: [...labels]
      .sort(([a, x], [b, y]) => y - x || compareText(a, b))
      .map(([category, count]) => ({ category, share: count / all, count })),
    notes: [
      ...(left > 0 ? [`${left} of ${documents.length} documents have fewer than two annotators and are left out`] : []),
      ...(gaps > 0
        ? ['a document that an annotator did not annotate is left out for that annotator, not read as "no spans found"']
        : []),
      ...(undefinedPairs > 0 ? [`${undefinedPairs} of ${pairs.length} pairs have no F1 and leave the mean`] : []),
      ...mean!.notes,
    ],
  };
}

type DocumentCounts = ReturnType<typeof countDocuments>;

/**
 * Counts by document and pair of annotators, over the `n` documents with two annotators or more, of which `gaps` lack one.
 * Documents with the same counts are one pattern, of which there are so many `times`.
 */
function countDocuments(documents: readonly SpanDocument[], options: SpanF1Options) {
  const { match = 'exact', threshold = 0.5, labels: gated = true } = options;
  if (!(threshold > 0 && threshold <= 1))
    throw new UsageError(
      `threshold ${threshold}: expected a share above 0 and up to 1`,
      'for any overlap: match: "overlap"',
    );
  const criterion = makeCriterion('match', {
    gate: gated ? ['label'] : [],
    similarity: match === 'exact' ? 'exact' : 'iou',
    threshold: match === 'overlap' ? 0 : threshold,
  });
  // One to one and as many as possible; the order of the two annotators does not matter.
  const pairer = makePairer({ accept: [criterion], assign: 'optimal', ties: 'content', partial: 1, unit: 'item' });
  const labels = new Map<string, number>();
  let gaps = 0;
  const counted = documents.flatMap(({ id, spans, text = null }) => {
    const present = spans.flatMap((own, annotator) =>
      own === null ? [] : [{ annotator, items: itemsOf(own, `document ${id}, annotator ${annotator + 1}`) }],
    );
    if (present.length < 2) return [];
    if (present.length < spans.length) gaps += 1;
    for (const { label } of present.flatMap(({ items }) => items)) labels.set(label, (labels.get(label) ?? 0) + 1);
    const rows = everyTwo(present.length).map(([first, second]): SpanPair => {
      const [a, b] = [present[first]!, present[second]!];
      const matches = pairer.pair(a.items, b.items, undefined, text).pairs.length;
      return { a: a.annotator, b: b.annotator, documents: 1, matches, spansA: a.items.length, spansB: b.items.length };
    });
    return [rows];
  });
  const byPair = Map.groupBy(counted.flat(), ({ a, b }) => `${a} ${b}`);
  const pairs = [...byPair.values()].map(summed).sort((x, y) => x.a - y.a || x.b - y.b);
  const places = new Map(pairs.map(({ a, b }, place) => [`${a} ${b}`, place]));
  // In the order of their counts, so that the order of the documents never shows in an interval.
  const keyOf = (rows: readonly SpanPair[]): string =>
    JSON.stringify(rows.map(({ a, b, documents: _, ...counts }) => ({ key: `${a} ${b}`, counts })));
  const patterns = [...Map.groupBy(counted, keyOf)].sort(([a], [b]) => compareText(a, b));
  return {
    pairs,
    /** The patterns are the units. */
    entries: patterns.flatMap(([, [rows]], unit) =>
      rows!.map(({ a, b, matches, spansA, spansB }): PairEntry => {
        return { unit, pair: places.get(`${a} ${b}`)!, sums: [matches, spansA + spansB] };
      }),
    ),
    times: Float64Array.from(patterns, ([, same]) => same.length),
    n: counted.length,
    gaps,
    labels,
  };
}

function summed(rows: readonly SpanPair[]): SpanPair {
  const { a, b } = rows[0]!;
  const of = (count: 'matches' | 'spansA' | 'spansB'): number => rows.reduce((sum, row) => sum + row[count], 0);
  return { a, b, documents: rows.length, matches: of('matches'), spansA: of('spansA'), spansB: of('spansB') };
}

/** Spans as items for pairing; one without a place is refused. */
function itemsOf(spans: readonly AnnotatedSpan[], place: string): Item[] {
  return spans.map(({ start, end, label, fragments }, index) => {
    if (!Number.isInteger(start) || !Number.isInteger(end) || start < 0 || end <= start)
      throw new UsageError(
        `${place}: the span ${start}..${end} is no stretch of a text`,
        'start and end are offsets, end after start',
      );
    return makeItem({ kind: 'span', index, label, start, end, ...(fragments === undefined ? {} : { fragments }) });
  });
}

/** Writes the mean over pairs, the pooled F1 and the F1 of each pair, NaN if undefined. */
function valuesOf({ entries, pairs }: DocumentCounts): (times: Float64Array, into: Float64Array) => void {
  const sumsOf = pairSums(entries, pairs.length, 2);
  return (times, into) => {
    const sums = sumsOf(times);
    let [sum, defined, allMatches, allSpans] = [0, 0, 0, 0];
    for (let pair = 0; pair < pairs.length; pair += 1) {
      const [matches, spans] = [sums[2 * pair]!, sums[2 * pair + 1]!];
      const f1 = (2 * matches) / spans;
      into[pair + 2] = f1;
      allMatches += matches;
      allSpans += spans;
      if (spans === 0) continue;
      sum += f1;
      defined += 1;
    }
    into[0] = sum / defined;
    into[1] = (2 * allMatches) / allSpans;
  };
}

function withIntervals(
  counted: DocumentCounts,
  settings: ResampleSettings,
  wanted: boolean,
): (NotedSureness & { readonly value: number | null })[] {
  const { n, times, pairs } = counted;
  const values = valuesOf(counted);
  const whole = new Float64Array(pairs.length + 2);
  values(times, whole);
  const columns = pairs.length <= PAIRS_WITH_INTERVALS ? whole.length : 2;
  const made = new Float64Array(whole.length);
  const resampled = wanted && n > 1 ? resamplePatterns(times, columns, settings, values, made) : [];
  return Array.from(whole, (value, at) => {
    const documents = at < 2 ? n : pairs[at - 2]!.documents;
    const own = resampled[at];
    if (Number.isNaN(value)) return { value: null, ...none('there is no value'), notes: [] };
    if (own !== undefined && documents >= FEWEST_DOCUMENTS)
      return { value, ...surenessFrom(own, value, settings.level, { n: documents, item: 'document' }) };
    const why = !wanted
      ? 'it was not asked for'
      : documents < FEWEST_DOCUMENTS
        ? `fewer than ${FEWEST_DOCUMENTS} documents: too few to draw from again`
        : `more than ${PAIRS_WITH_INTERVALS} pairs: only the mean and the pooled F1 have intervals`;
    return { value, ...none(why), notes: [] };
  });
}
