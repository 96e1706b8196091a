import { ctu } from '../ctu.ts';
import { type ContentTurn, contentTurns } from '../replay/content-turns.ts';
import { gateInput } from '../replay/gate-input.ts';
import type { StreamDelta, Trace, TurnBoundary } from '../trace-records.ts';
import { ContentDeltas } from './content-deltas.ts';
import { TextHash } from './text-hash.ts';
import { firstFrom } from '../../../text/compare.ts';

/** When an event of a run log may have happened, by what the trace says of its end_seq. */
export interface Times {
  /** t_emitted_ms at end_seq, or of the turn's last delta where end_seq is a boundary; null: not in the trace. */
  readonly emitted: number | null;
  /** What stands where the trace has no time: its start and a second for each seq. */
  readonly fallback: readonly number[];
}

export interface FlushText {
  readonly hash: string;
  readonly ctu: number;
}

/** How often the flushes of a log may go over the trace: honest ones go over it at most once for each agent. */
const MOST_PASSES = 50;
const ALWAYS_LOOKS = 1_000_000;

/** A trace that is held while the run logs made from it are compared with it. */
export class HeldTrace {
  readonly #trace: Trace;
  readonly #bySeq = new Map<number, StreamDelta | TurnBoundary>();
  #controlTurns: ReadonlySet<number> | null = null;
  #turnsByEnd: ReadonlyMap<number, ContentTurn> | null = null;
  #content: ContentDeltas | null = null;
  #looks = 0;

  constructor(trace: Trace) {
    this.#trace = trace;
    for (const record of [...trace.deltas, ...trace.boundaries]) this.#bySeq.set(record.seq, record);
  }

  /** Another log is compared from here on. */
  beginLog(): void {
    this.#looks = MOST_PASSES * this.#trace.deltas.length + ALWAYS_LOOKS;
    this.#content?.beginLog();
  }

  /** What a replay goes over, worked out when it is first asked for. */
  get content(): ContentDeltas {
    if (this.#content === null) {
      this.#content = new ContentDeltas(gateInput(this.#trace));
      this.#content.beginLog();
    }
    return this.#content;
  }

  /** The turn that says something and ends at a seq. */
  turnThatEnds(endSeq: number): ContentTurn | null {
    this.#turnsByEnd ??= new Map(contentTurns(this.#trace).map((turn) => [turn.endSeq, turn]));
    return this.#turnsByEnd.get(endSeq) ?? null;
  }

  has(seq: number): boolean {
    return this.#bySeq.has(seq);
  }

  /** `0 to 4465`, for messages. */
  get range(): string {
    const seqs = [this.#trace.deltas, this.#trace.boundaries]
      .flatMap((all) => [all[0], all.at(-1)])
      .filter((record) => record !== undefined)
      .map(({ seq }) => seq);
    return seqs.length === 0 ? 'none' : `${Math.min(...seqs)} to ${Math.max(...seqs)}`;
  }

  times(endSeq: number): Times {
    const { t0_emitted_ms: t0 } = this.#trace.meta;
    const at = this.#bySeq.get(endSeq);
    const last = at?.record_type === 'stream_delta' ? at : this.#lastDelta(endSeq);
    const seqs = last === null ? [endSeq] : [endSeq, last.seq];
    return { emitted: last?.t_emitted_ms ?? null, fallback: seqs.map((seq) => t0 + seq * 1000) };
  }

  /**
   * The text that an agent said from one seq to another: what a gate lets through. Once as the agent's deltas, and
   * once without turns that only name who speaks next. None where the window does not begin with a delta, or where a
   * log asks for more than any honest one does.
   */
  flushTexts(startSeq: number, endSeq: number): readonly FlushText[] {
    const start = this.#bySeq.get(startSeq);
    if (start?.record_type !== 'stream_delta') return [];
    const { deltas } = this.#trace;
    const from = this.#place(startSeq);
    const to = this.#place(endSeq + 1);
    this.#looks -= to - from;
    if (this.#looks < 0) return [];
    const own = deltas.slice(from, to).filter((delta) => delta.agent_id === start.agent_id);
    this.#controlTurns ??= controlTurns(this.#trace);
    const content = own.filter(({ turn_id: turn }) => this.#controlTurns?.has(turn) !== true);
    return content.length === own.length ? [textOf(own)] : [textOf(content), textOf(own)];
  }

  /** Where end_seq is the end of a turn: that turn's last delta. */
  #lastDelta(endSeq: number): StreamDelta | null {
    const boundary = this.#bySeq.get(endSeq);
    const last = this.#trace.deltas[this.#place(endSeq) - 1];
    return boundary !== undefined && last?.turn_id === boundary.turn_id ? last : null;
  }

  /** How many deltas come before a seq. */
  #place(seq: number): number {
    const { deltas } = this.#trace;
    return firstFrom(deltas.length, (at) => deltas[at]!.seq >= seq);
  }
}

function controlTurns(trace: Trace): ReadonlySet<number> {
  const content = new Set(contentTurns(trace).map(({ turn }) => turn));
  return new Set(trace.deltas.map(({ turn_id: turn }) => turn).filter((turn) => !content.has(turn)));
}

function textOf(deltas: readonly StreamDelta[]): FlushText {
  const hash = new TextHash();
  let text = '';
  for (const { delta_text: piece } of deltas) {
    hash.add(piece);
    text += piece;
  }
  return { hash: hash.digest(), ctu: ctu(text) };
}
