import type { StreamDelta, Trace, TraceRecord, TurnBoundary } from '../trace-records.ts';

/** What a record takes up besides its text, roughly. */
const RECORD_BYTES = 300;

/** Gathers the records of a trace for those who compare logs with it, up to a size in bytes. */
export class TraceKeeper {
  readonly #most: number;
  #size = 0;
  readonly #deltas: StreamDelta[] = [];
  readonly #boundaries: TurnBoundary[] = [];
  #meta: Trace['meta'] | null = null;
  #full = false;

  constructor(most: number) {
    this.#most = most;
  }

  keep(record: TraceRecord): void {
    if (this.#full) return;
    switch (record.record_type) {
      case 'trace_meta':
        this.#meta ??= record;
        break;
      case 'turn_boundary':
        this.#boundaries.push(record);
        break;
      case 'stream_delta':
        this.#deltas.push(record);
        this.#size += record.delta_text.length;
        break;
    }
    this.#size += RECORD_BYTES;
    if (this.#size <= this.#most) return;
    this.#full = true;
    this.#deltas.length = 0;
    this.#boundaries.length = 0;
  }

  get tooLarge(): boolean {
    return this.#full;
  }

  /** Null where there is no whole trace to compare with. */
  trace(file: string, sha256: string): Trace | null {
    if (this.#full || this.#meta === null) return null;
    const bySeq = (a: { readonly seq: number }, b: { readonly seq: number }): number => a.seq - b.seq;
    return {
      file,
      meta: this.#meta,
      deltas: this.#deltas.sort(bySeq),
      boundaries: this.#boundaries.sort(bySeq),
      sha256,
    };
  }
}
