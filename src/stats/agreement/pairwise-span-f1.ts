import { UsageError } from '../../data/problems.ts';
import type { Interval } from '../../measure/results.ts';
import { resampleSettings, type ResampleSettings } from '../resample-settings.ts';
import { type NotedSureness, resamplePatterns, surenessFrom } from './sureness.ts';
import {
  countDocuments,
  type DocumentCounts,
  type SpanCounts,
  type SpanDocument,
  type SpanMatchOptions,
} from './span-counts.ts';

export interface SpanF1Options extends SpanMatchOptions, Partial<ResampleSettings> {
  /** False: no bootstrap. */
  readonly interval?: boolean;
}

/** An F1 with its interval, or why either is missing. */
export interface SpanF1 {
  readonly value: number | null;
  readonly undefined: string | null;
  readonly interval: Interval | null;
  readonly noInterval: string | null;
}

/** Two annotators, by their columns, over the documents that both annotated. */
export interface SpanPairF1 extends SpanF1, SpanCounts {
  readonly a: number;
  readonly b: number;
  readonly documents: number;
}

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
/** More pairs than this have no intervals of their own. */
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
  documents.forEach(({ id, spans }) => {
    if (spans.length !== raters)
      throw new UsageError(`document ${id}: expected ${raters} annotators as in the first, found ${spans.length}`);
  });
  const counted = countDocuments(documents, options);
  const values = valuesOf(counted);
  const whole = new Float64Array(counted.pairs.length + 2);
  values(counted.times, whole);
  const results = withIntervals(counted, whole, values, settings, options.interval !== false);
  const [mean, pooled, ...pairs] = results;
  const undefinedPairs = pairs.filter(({ value }) => value === null).length;
  const reason =
    documents.length === 0
      ? 'there are no documents'
      : raters < 2
        ? 'there is one annotator only: nobody to agree with'
        : counted.n === 0
          ? 'no document has two annotators'
          : NOTHING_MARKED;
  return {
    ...because(mean!, reason),
    n: counted.n,
    left: documents.length - counted.n,
    raters,
    pairs: counted.pairs.map((pair, at) => ({ ...pair, ...because(pairs[at]!, NOTHING_MARKED) })),
    pooled: because(pooled!, reason),
    prevalence: counted.prevalence,
    notes: [...notesOf(documents.length, counted, undefinedPairs), ...mean!.notes],
  };
}

interface Value extends NotedSureness {
  readonly value: number | null;
}

function because({ value, interval, noInterval }: Value, reason: string): SpanF1 {
  return { value, undefined: value === null ? reason : null, interval, noInterval };
}

/** Writes the mean over pairs, the pooled F1 and the F1 of each pair, NaN where there is none. */
function valuesOf({ entries, pairs }: DocumentCounts): (times: Float64Array, into: Float64Array) => void {
  const matches = new Float64Array(pairs.length);
  const spans = new Float64Array(pairs.length);
  return (times, into) => {
    matches.fill(0);
    spans.fill(0);
    entries.forEach((own, pattern) => {
      const weight = times[pattern]!;
      if (weight === 0) return;
      for (const { pair, counts } of own) {
        matches[pair]! += weight * counts.matches;
        spans[pair]! += weight * (counts.spansA + counts.spansB);
      }
    });
    let sum = 0;
    let defined = 0;
    let allMatches = 0;
    let allSpans = 0;
    for (let pair = 0; pair < pairs.length; pair += 1) {
      const f1 = (2 * matches[pair]!) / spans[pair]!;
      into[pair + 2] = f1;
      allMatches += matches[pair]!;
      allSpans += spans[pair]!;
      if (spans[pair] === 0) continue;
      sum += f1;
      defined += 1;
    }
    into[0] = sum / defined;
    into[1] = (2 * allMatches) / allSpans;
  };
}

function withIntervals(
  { n, times, pairs }: DocumentCounts,
  whole: Float64Array,
  values: (times: Float64Array, into: Float64Array) => void,
  settings: ResampleSettings,
  wanted: boolean,
): Value[] {
  const withPairs = pairs.length <= PAIRS_WITH_INTERVALS;
  const columns = withPairs ? whole.length : 2;
  const into = new Float64Array(whole.length);
  const resampled =
    wanted && n > 1
      ? resamplePatterns(times, columns, settings, (drawn, kept) => {
          values(drawn, into);
          kept.set(into.subarray(0, columns));
        })
      : [];
  return Array.from(whole, (value, at): Value => {
    const none = (noInterval: string): Value => ({
      value: Number.isNaN(value) ? null : value,
      interval: null,
      noInterval,
      notes: [],
    });
    const documents = at < 2 ? n : pairs[at - 2]!.documents;
    if (Number.isNaN(value)) return none('there is no value');
    if (!wanted) return none('it was not asked for');
    if (documents < FEWEST_DOCUMENTS)
      return none(`fewer than ${FEWEST_DOCUMENTS} documents: too few to draw from again`);
    const own = resampled[at];
    if (own === undefined)
      return none(`more than ${PAIRS_WITH_INTERVALS} pairs: only the mean and the pooled F1 have intervals`);
    return { value, ...surenessFrom(own, value, settings.level, { n: documents, item: 'document' }) };
  });
}

function notesOf(documents: number, { n, gaps, pairs }: DocumentCounts, undefinedPairs: number): string[] {
  const left = documents - n;
  return [
    ...(left > 0 ? [`${left} of ${documents} documents have fewer than two annotators and are left out`] : []),
    ...(gaps > 0
      ? ['a document that an annotator did not annotate is left out for that annotator, not read as "no spans found"']
      : []),
    ...(undefinedPairs > 0 ? [`${undefinedPairs} of ${pairs.length} pairs have no F1 and leave the mean`] : []),
  ];
}
