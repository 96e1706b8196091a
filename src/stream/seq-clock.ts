import type { Trace } from './trace-records.ts';

/**
 * The time of a place in a trace, in milliseconds since its first delta: that of the record with this seq, or of the
 * last one before it. Null outside the trace.
 */
export function seqClock({ deltas, boundaries, meta }: Trace): (seq: number) => number | null {
  const records = [
    ...deltas.map(({ seq, t_rel_ms }) => ({ seq, ms: t_rel_ms })),
    // The reader does not insist on the times of boundaries.
    ...boundaries
      .filter(({ t_ms }) => Number.isFinite(t_ms))
      .map(({ seq, t_ms }) => ({ seq, ms: t_ms - meta.t0_emitted_ms })),
  ].sort((a, b) => a.seq - b.seq);
  return (seq) => {
    const last = records.at(-1);
    if (last === undefined || seq < records[0]!.seq || seq > last.seq) return null;
    let [low, high] = [0, records.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (records[middle]!.seq <= seq) low = middle;
      else high = middle - 1;
    }
    return records[low]!.ms;
  };
}
