import type { StreamDelta, Trace } from './trace-records.ts';

/**
 * Where the timestamp of a record comes from.
 *
 * - `trace`: the time that the trace has for its end_seq, or for the last delta of the turn that ends there
 * - `fallback`: the start of the trace and a second for each seq, which is not a time
 * - `grid`: not in the trace, and all such records of the log lie on one line by seq, so they were counted, not timed
 * - `constant`: not in the trace, and all such records of the log have one and the same time, whatever their seq
 * - `outside`: before the trace began, or long after it ended
 * - `other`: some other time during the trace
 */
type TimeSource = 'trace' | 'fallback' | 'grid' | 'constant' | 'outside' | 'other';

export interface TimedRecord {
  readonly end_seq: number;
  readonly timestamp: string;
}

/** What a fallback gives every seq. */
const FALLBACK_STEP_MS = 1000;
/** Three points may be on a line by chance if clocks are coarse. */
const LEAST_ON_GRID = 4;
/** A few records may be written in one moment. */
const LEAST_CONSTANT = 5;
/** A log may name the time at which an answer was there, after the last delta. */
const LATEST_AFTER_END_MS = 10 * 60_000;

/** The sources of a log's timestamps, one each, judged together since a grid shows in many only. */
export function timeSources(trace: Trace, records: readonly TimedRecord[]): TimeSource[] {
  const known = new KnownTimes(trace);
  const first = records.map((record) => known.sourceOf(record));
  const open = records.filter((_, at) => first[at] === null);
  const left: TimeSource | null = isGrid(open) ? 'grid' : isConstant(open) ? 'constant' : null;
  return records.map((record, at) => first[at] ?? left ?? known.placeOf(record));
}

class KnownTimes {
  readonly #start: number;
  readonly #earliest: number;
  readonly #latest: number;
  readonly #bySeq = new Map<number, number[]>();
  readonly #lastDelta = new Map<number, StreamDelta>();
  readonly #endOfTurn = new Map<number, number>();

  constructor({ meta, deltas, boundaries }: Trace) {
    this.#start = meta.t0_emitted_ms;
    let [earliest, latest] = [this.#start, this.#start];
    const add = (seq: number, ms: number): void => {
      earliest = Math.min(earliest, ms);
      latest = Math.max(latest, ms);
      const times = this.#bySeq.get(seq);
      if (times === undefined) this.#bySeq.set(seq, [ms]);
      else times.push(ms);
    };
    for (const delta of deltas) {
      add(delta.seq, this.#start + delta.t_rel_ms);
      if (typeof delta.t_emitted_ms === 'number') add(delta.seq, delta.t_emitted_ms);
      this.#lastDelta.set(delta.turn_id, delta);
    }
    for (const { boundary, seq, turn_id: turn, t_ms: ms } of boundaries) {
      if (Number.isFinite(ms)) add(seq, ms);
      if (boundary === 'end') this.#endOfTurn.set(seq, turn);
    }
    this.#earliest = earliest;
    this.#latest = latest;
  }

  sourceOf({ end_seq: seq, timestamp }: TimedRecord): TimeSource | null {
    const ms = Date.parse(timestamp);
    const turn = this.#endOfTurn.get(seq);
    const last = turn === undefined ? undefined : this.#lastDelta.get(turn);
    const seqs = last === undefined ? [seq] : [seq, last.seq];
    if (seqs.some((one) => this.#bySeq.get(one)?.includes(ms) === true)) return 'trace';
    return seqs.some((one) => this.#start + one * FALLBACK_STEP_MS === ms) ? 'fallback' : null;
  }

  placeOf({ timestamp }: TimedRecord): TimeSource {
    const ms = Date.parse(timestamp);
    return ms < this.#earliest || ms > this.#latest + LATEST_AFTER_END_MS ? 'outside' : 'other';
  }
}

/** Whether times rise by one and the same amount for each seq. */
function isGrid(records: readonly TimedRecord[]): boolean {
  const points = [...new Map(records.map(({ end_seq: seq, timestamp }) => [seq, Date.parse(timestamp)]))].sort(
    ([a], [b]) => a - b,
  );
  const [from, next] = points;
  if (points.length < LEAST_ON_GRID || from === undefined || next === undefined) return false;
  const step = (next[1] - from[1]) / (next[0] - from[0]);
  return step !== 0 && points.every(([seq, ms]) => Math.abs(from[1] + (seq - from[0]) * step - ms) < 1);
}

/** Whether records that end at different deltas all have the same time. */
function isConstant(records: readonly TimedRecord[]): boolean {
  const [first] = records;
  if (first === undefined || new Set(records.map(({ end_seq: seq }) => seq)).size < LEAST_CONSTANT) return false;
  const ms = Date.parse(first.timestamp);
  return records.every(({ timestamp }) => Date.parse(timestamp) === ms);
}
