import { hash } from 'node:crypto';

import { percentile } from '../../stats.ts';
import type { GateInput } from '../replay/gate-input.ts';
import { type GatePolicy, passGate } from '../replay/token-gate.ts';

/**
 * What a policy does with one case. Regular flushes are those before the end of the trace. The moment of a flush is the
 * delta that made it; after silence it is when the silence had lasted long enough.
 */
export const CASE_COLUMNS = [
  /** Regular flushes: updates that a reader gets. */
  'flush_count',
  /** 1 if there is no regular flush, else 0. */
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
  /** The same if no clock runs beside the stream, so that silence is noticed at the agent's next delta only. */
  'late_wait_p95_ms',
  'late_wait_max_ms',
  /** Between the moments of one regular flush and the next, of any agent. */
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
type CaseStatistics = Readonly<Record<CaseColumn, number>>;

/** The statistics of every case under every policy: `columns[name][policy * cases + case]`, NaN if absent. */
export interface CaseTable {
  readonly cases: number;
  readonly policies: number;
  readonly columns: Readonly<Record<CaseColumn, Float64Array>>;
}

/** `statistics`: of one case after the other, each under all policies. */
export async function policyTable(
  cases: number,
  policies: number,
  statistics: (at: number, policy: number) => CaseStatistics,
  progress: (done: number) => Promise<void> | void = () => undefined,
): Promise<CaseTable> {
  const columns = recordBy(CASE_COLUMNS, () => new Float64Array(policies * cases));
  for (let at = 0; at < cases; at += 1) {
    for (let policy = 0; policy < policies; policy += 1) {
      const own = statistics(at, policy);
      for (const name of CASE_COLUMNS) columns[name][policy * cases + at] = own[name];
    }
    await progress(at + 1);
  }
  return { cases, policies, columns };
}

/** Passes a case through a gate. NaN: nothing came of it. */
export function caseStatistics(input: GateInput, policy: GatePolicy, alpha: number): CaseStatistics {
  const { time } = input;
  const flushes: { words: number; wait: number; late: number; moment: number }[] = [];
  let [atEnd, tail, spam, timed, timedUnderMin] = [0, 0, 0, 0, 0];
  passGate(input, policy, ({ reason, words, first, last, at }) => {
    if (reason === 'end_of_trace') {
      atEnd += 1;
      tail += words;
      return;
    }
    const began = time[first]!;
    const moment = reason === 'silence_timer' ? time[last]! + policy.silenceMs : time[at]!;
    flushes.push({ words, wait: moment - began, late: time[at]! - began, moment });
    if (words < alpha * policy.minWords) spam += 1;
    if (reason === 'silence_timer' || reason === 'max_wait_timeout') {
      timed += 1;
      if (words < policy.minWords) timedUnderMin += 1;
    }
  });
  const count = flushes.length;
  const sorted = (field: 'words' | 'wait' | 'late' | 'moment'): Float64Array =>
    Float64Array.from(flushes, (flush) => flush[field]).sort();
  const at = (values: Float64Array, q: number): number => (values.length === 0 ? Number.NaN : percentile(values, q));
  const [words, waits, late] = [sorted('words'), sorted('wait'), sorted('late')];
  // Silence is noticed late, so a flush can be earlier than one that was noticed before it.
  const moments = sorted('moment');
  const gaps = moments.subarray(1).map((moment, place) => moment - moments[place]!);
  const firstMoment = moments[0] ?? Number.NaN;
  return {
    flush_count: count,
    without_flush: count === 0 ? 1 : 0,
    end_flush_count: atEnd,
    ttff_content_ms: firstMoment - (time[0] ?? 0),
    ttff_trace_ms: firstMoment,
    chunk_size_p50: at(words, 0.5),
    chunk_size_p90: at(words, 0.9),
    chunk_size_p95: at(words, 0.95),
    chunk_size_max: at(words, 1),
    wait_p50_ms: at(waits, 0.5),
    wait_p95_ms: at(waits, 0.95),
    wait_max_ms: at(waits, 1),
    late_wait_p95_ms: at(late, 0.95),
    late_wait_max_ms: at(late, 1),
    gap_p95_ms: at(gaps.sort(), 0.95),
    // 0 / 0 is NaN.
    spam_pct: (100 * spam) / count,
    timer_flush_pct: (100 * timed) / count,
    timer_under_min_pct: (100 * timedUnderMin) / count,
    tail_words: tail,
  };
}

/**
 * By policy: the place of the first one that did the same with every case and asks for as few words. Timers that never
 * run out make many policies of a grid one and the same: what is worked out for one of them holds for all.
 */
export function alikePolicies(policies: readonly GatePolicy[], { cases, columns }: CaseTable): Int32Array {
  const firsts = new Map<string, number>();
  const row = new Float64Array(1 + CASE_COLUMNS.length * cases);
  return Int32Array.from(policies, ({ minWords }, place) => {
    row[0] = minWords;
    for (const [at, name] of CASE_COLUMNS.entries())
      row.set(columns[name].subarray(place * cases, (place + 1) * cases), 1 + at * cases);
    const key = hash('sha256', row);
    const first = firsts.get(key) ?? place;
    firsts.set(key, first);
    return first;
  });
}

export function recordBy<K extends string, V>(names: readonly K[], make: (name: K) => V): Record<K, V> {
  const record: Partial<Record<K, V>> = {};
  for (const name of names) record[name] = make(name);
  if (!hasAll(names, record)) throw new Error('every name has a value');
  return record;
}

function hasAll<K extends string, V>(names: readonly K[], record: Partial<Record<K, V>>): record is Record<K, V> {
  return names.every((name) => name in record);
}
