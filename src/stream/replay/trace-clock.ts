import type { StreamDelta, Trace } from '../trace-records.ts';
import { firstFrom } from '../../plugin.ts';

export interface TimestampCounts {
  readonly fromTrace: number;
  readonly fromFallback: number;
}

/**
 * Timestamps of a run log: t_emitted_ms of the delta at a seq; if it has none, the start of the trace and a second
 * for each seq, which is counted. Never the time of day.
 */
export class TraceClock {
  /** By seq. */
  readonly #deltas: readonly StreamDelta[];
  readonly #start: number;
  #fromTrace = 0;
  #fromFallback = 0;

  constructor(trace: Trace) {
    this.#start = trace.meta.t0_emitted_ms;
    this.#deltas = trace.deltas;
  }

  at(seq: number): string {
    const emitted = this.#emitted(seq);
    if (emitted === undefined) this.#fromFallback += 1;
    else this.#fromTrace += 1;
    return new Date(emitted ?? this.#start + seq * 1000).toISOString();
  }

  /** Searched for, since few of thousands of deltas are ever asked for. Of several with one seq, the last that has a time. */
  #emitted(seq: number): number | undefined {
    const after = firstFrom(this.#deltas.length, (at) => this.#deltas[at]!.seq > seq);
    for (let at = after - 1; at >= 0 && this.#deltas[at]!.seq === seq; at -= 1) {
      const emitted = this.#deltas[at]!.t_emitted_ms;
      if (emitted !== undefined && emitted !== null) return emitted;
    }
    return undefined;
  }

  counts(): TimestampCounts {
    return { fromTrace: this.#fromTrace, fromFallback: this.#fromFallback };
  }
}
