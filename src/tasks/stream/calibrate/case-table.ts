import type { GateInput } from '../replay/gate-input.ts';
import { type GateFlush, type GatePolicy, passGate } from '../replay/token-gate.ts';
import { percentile } from '../../../measure/numpy.ts';

/**
 * What a policy does with one case. Regular flushes are those before the end of the trace. The moment of a flush is the
 * delta that made it; after silence it is when the silence had lasted long enough.
 */
export const CASE_COLUMNS = [
  /** Regular flushes: updates that a reader gets. */
  'flush_count',
  /** 1 where there is no regular flush, else 0. */
  'without_flush',
  /** Agents whose last words were still held at the end. */
  'end_flush_count',
  /** Moment of the first regular flush, from the first delta of a content turn. */
  'ttff_content_ms',
  /** The same from the start of the trace. */
  'ttff_trace_ms',
  /** Words of a regular flush. */
  'chunk_size_p50',
  'chunk_size_p90',
  'chunk_size_p95',
  'chunk_size_max',
  /** How long a regular flush was held: from its first delta to its moment. */
  'wait_p50_ms',
  'wait_p95_ms',
  'wait_max_ms',
  /** The same where no clock runs beside the stream, so that silence is noticed at the agent's next delta only. */
  'late_wait_p95_ms',
  'late_wait_max_ms',
  /** Between the moments of one regular flush and the next, whoever spoke. */
  'gap_p95_ms',
  /** Share of regular flushes with fewer words than alpha times min_words. */
  'spam_pct',
  /** Share of regular flushes made by silence or by the longest wait. */
  'timer_flush_pct',
  /** Share of regular flushes that a timer made before min_words had come. */
  'timer_under_min_pct',
  /** Words that are held at the end: without a summary of the tail they are lost. */
  'tail_words',
] as const;
export type CaseColumn = (typeof CASE_COLUMNS)[number];

/** The statistics of every case under every policy: `columns[name][policy * cases + case]`, NaN where there is none. */
export interface CaseTable {
  readonly cases: number;
  readonly policies: number;
  readonly columns: Readonly<Record<CaseColumn, Float64Array>>;
}

export function emptyTable(policies: number, cases: number): CaseTable {
  const column = (): Float64Array => new Float64Array(policies * cases).fill(Number.NaN);
  return {
    cases,
    policies,
    columns: {
      flush_count: column(),
      without_flush: column(),
      end_flush_count: column(),
      ttff_content_ms: column(),
      ttff_trace_ms: column(),
      chunk_size_p50: column(),
      chunk_size_p90: column(),
      chunk_size_p95: column(),
      chunk_size_max: column(),
      wait_p50_ms: column(),
      wait_p95_ms: column(),
      wait_max_ms: column(),
      late_wait_p95_ms: column(),
      late_wait_max_ms: column(),
      gap_p95_ms: column(),
      spam_pct: column(),
      timer_flush_pct: column(),
      timer_under_min_pct: column(),
      tail_words: column(),
    },
  };
}

/** Room for the flushes of one case, used again for every policy. */
export interface Scratch {
  words: Float64Array;
  waits: Float64Array;
  late: Float64Array;
  moments: Float64Array;
}

export function newScratch(most: number): Scratch {
  const room = (): Float64Array => new Float64Array(most);
  return { words: room(), waits: room(), late: room(), moments: room() };
}

/** Passes a case through a gate and writes what came of it to its place in the table. */
export function tryPolicy(
  input: GateInput,
  policy: GatePolicy,
  alpha: number,
  { columns }: CaseTable,
  place: number,
  scratch: Scratch,
): void {
  const { time } = input;
  const { words, waits, late, moments } = scratch;
  let [count, atEnd, tail, spam, timed, timedUnderMin] = [0, 0, 0, 0, 0, 0];
  passGate(input, policy, (flush: GateFlush) => {
    if (flush.reason === 'end_of_trace') {
      atEnd += 1;
      tail += flush.words;
      return;
    }
    const began = time[flush.first]!;
    const noticed = time[flush.at]!;
    const moment = flush.reason === 'silence_timer' ? time[flush.last]! + policy.silenceMs : noticed;
    words[count] = flush.words;
    waits[count] = moment - began;
    late[count] = noticed - began;
    moments[count] = moment;
    count += 1;
    if (flush.words < alpha * policy.minWords) spam += 1;
    if (flush.reason === 'silence_timer' || flush.reason === 'max_wait_timeout') {
      timed += 1;
      if (flush.words < policy.minWords) timedUnderMin += 1;
    }
  });
  columns.flush_count[place] = count;
  columns.without_flush[place] = count === 0 ? 1 : 0;
  columns.end_flush_count[place] = atEnd;
  columns.tail_words[place] = tail;
  if (count === 0) return;

  const sizes = words.subarray(0, count).sort();
  columns.chunk_size_p50[place] = percentile(sizes, 0.5);
  columns.chunk_size_p90[place] = percentile(sizes, 0.9);
  columns.chunk_size_p95[place] = percentile(sizes, 0.95);
  columns.chunk_size_max[place] = sizes[count - 1]!;
  const held = waits.subarray(0, count).sort();
  columns.wait_p50_ms[place] = percentile(held, 0.5);
  columns.wait_p95_ms[place] = percentile(held, 0.95);
  columns.wait_max_ms[place] = held[count - 1]!;
  const heldLonger = late.subarray(0, count).sort();
  columns.late_wait_p95_ms[place] = percentile(heldLonger, 0.95);
  columns.late_wait_max_ms[place] = heldLonger[count - 1]!;
  // Silence is noticed late, so a flush can be earlier than one that was noticed before it.
  const inTime = moments.subarray(0, count).sort();
  columns.ttff_trace_ms[place] = inTime[0]!;
  columns.ttff_content_ms[place] = inTime[0]! - time[0]!;
  if (count > 1) columns.gap_p95_ms[place] = percentile(gapsOf(inTime), 0.95);
  columns.spam_pct[place] = (100 * spam) / count;
  columns.timer_flush_pct[place] = (100 * timed) / count;
  columns.timer_under_min_pct[place] = (100 * timedUnderMin) / count;
}

/** Sorted, and made where the moments stood. */
function gapsOf(moments: Float64Array): Float64Array {
  for (let at = 0; at + 1 < moments.length; at += 1) moments[at] = moments[at + 1]! - moments[at]!;
  return moments.subarray(0, -1).sort();
}
