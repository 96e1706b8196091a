import { firstFrom, sha256Of } from '../../plugin.ts';
import { ctu } from '../ctu.ts';
import { type ContentTurn, contentTurns, deltaText } from '../replay/content-turns.ts';
import { type GateInput, gateInput } from '../replay/gate-input.ts';
import type { Segment } from '../replay/render.ts';
import type { StreamDelta, Trace, TraceLine, TurnBoundary } from '../trace-records.ts';
import type { LogFlush } from './log-events.ts';

/** What a record takes up besides its text, roughly. */
const RECORD_BYTES = 300;

/** Gathers the records of a trace to compare logs with it, up to a size in bytes. */
export class TraceKeeper {
  readonly #most: number;
  #size = 0;
  readonly #deltas: StreamDelta[] = [];
  readonly #boundaries: TurnBoundary[] = [];
  #meta: Trace['meta'] | null = null;
  tooLarge = false;

  constructor(most: number) {
    this.#most = most;
  }

  keep(record: TraceLine): void {
    if (this.tooLarge) return;
    this.#size += RECORD_BYTES;
    if (record.record_type === 'trace_meta') this.#meta ??= record;
    else if (record.record_type === 'turn_boundary') this.#boundaries.push(record);
    else {
      this.#deltas.push(record);
      this.#size += record.delta_text.length;
    }
    if (this.#size <= this.#most) return;
    this.tooLarge = true;
    this.#deltas.length = 0;
    this.#boundaries.length = 0;
  }

  /** Null if there is no whole trace to compare with. */
  trace(file: string, sha256: string): Trace | null {
    if (this.tooLarge || this.#meta === null) return null;
    const bySeq = (a: { readonly seq: number }, b: { readonly seq: number }): number => a.seq - b.seq;
    const [deltas, boundaries] = [this.#deltas.sort(bySeq), this.#boundaries.sort(bySeq)];
    return { file, meta: this.#meta, deltas, boundaries, sha256 };
  }
}

/** When an event of a run log may have happened, by what the trace has for its end_seq. */
export interface Times {
  /** t_emitted_ms at end_seq, or of the turn's last delta if end_seq is a boundary; null: not in the trace. */
  readonly emitted: number | null;
  /** The times of a log whose trace has none: its start and a second for each seq. */
  readonly fallback: readonly number[];
}

/** The words of an agent from one delta to another: places in the list of its deltas, `to` not included. */
export interface Stretch {
  readonly agent: number;
  readonly own: readonly number[];
  readonly from: number;
  readonly to: number;
}

/**
 * How often a log may go over the trace. Honest flushes do not overlap, but each agent's window goes over the deltas of
 * the others. A log that asks for more is not followed to its end.
 */
const MOST_PASSES = 50;
const ALWAYS_LOOKS = 1_000_000;

/** A trace that is held while the run logs made from it are compared with it. */
export class HeldTrace {
  readonly #trace: Trace;
  readonly #bySeq = new Map<number, StreamDelta | TurnBoundary>();
  /** What a replay goes over: the deltas of turns that are part of the conversation. */
  readonly input: GateInput;
  readonly #byAgent: readonly number[][];
  readonly #lastOfTurn = new Map<number, StreamDelta>();
  readonly #turnsByEnd: ReadonlyMap<number, ContentTurn>;
  readonly #contentTurns: ReadonlySet<number>;
  #looks = 0;

  constructor(trace: Trace) {
    this.#trace = trace;
    for (const record of [...trace.deltas, ...trace.boundaries]) this.#bySeq.set(record.seq, record);
    for (const delta of trace.deltas) this.#lastOfTurn.set(delta.turn_id, delta);
    this.input = gateInput(trace);
    this.#byAgent = this.input.agents.map(() => []);
    this.input.agent.forEach((agent, place) => void this.#byAgent[agent]!.push(place));
    const turns = contentTurns(trace);
    this.#turnsByEnd = new Map(turns.map((turn) => [turn.endSeq, turn]));
    this.#contentTurns = new Set(turns.map(({ turn }) => turn));
    this.beginLog();
  }

  /** Another log is compared from here on. */
  beginLog(): void {
    this.#looks = MOST_PASSES * this.#trace.deltas.length + ALWAYS_LOOKS;
  }

  /** The turn of the conversation that ends at a seq. */
  turnThatEnds(endSeq: number): ContentTurn | null {
    return this.#turnsByEnd.get(endSeq) ?? null;
  }

  has(seq: number): boolean {
    return this.#bySeq.has(seq);
  }

  /** `0 to 4465`, for messages. */
  get range(): string {
    const ends = [this.#trace.deltas, this.#trace.boundaries].flatMap((all) => [all[0], all.at(-1)]);
    const seqs = ends.filter((record) => record !== undefined).map(({ seq }) => seq);
    return seqs.length === 0 ? 'none' : `${Math.min(...seqs)} to ${Math.max(...seqs)}`;
  }

  times(endSeq: number): Times {
    const { t0_emitted_ms: t0 } = this.#trace.meta;
    const at = this.#bySeq.get(endSeq);
    const last = at?.record_type === 'stream_delta' ? at : this.#lastDelta(at);
    const seqs = last === null ? [endSeq] : [endSeq, last.seq];
    return { emitted: last?.t_emitted_ms ?? null, fallback: seqs.map((seq) => t0 + seq * 1000) };
  }

  /**
   * What an agent said from one seq to another, which is what a gate lets through: its deltas of the conversation, and if
   * they are others, all of its deltas. None if the window does not begin with a delta, or the log asks for too much.
   */
  flushTexts(startSeq: number, endSeq: number): readonly string[] {
    const start = this.#bySeq.get(startSeq);
    if (start?.record_type !== 'stream_delta') return [];
    const { deltas } = this.#trace;
    const [from, to] = [placeOf(deltas, startSeq), placeOf(deltas, endSeq + 1)];
    if (!this.#mayLook(to - from)) return [];
    const own = deltas.slice(from, to).filter((delta) => delta.agent_id === start.agent_id);
    const content = own.filter(({ turn_id: turn }) => this.#contentTurns.has(turn));
    return content.length === own.length ? [deltaText(own)] : [deltaText(content), deltaText(own)];
  }

  /** The deltas of a flush; null if its text is not theirs. */
  stretchOf({ start, end, ctu: units, hash }: LogFlush): Stretch | null {
    const { deltas } = this.input;
    const place = placeOf(deltas, start);
    if (deltas[place]?.seq !== start) return null;
    const agent = this.input.agent[place]!;
    const own = this.#byAgent[agent]!;
    const from = firstFrom(own.length, (at) => own[at]! >= place);
    const to = firstFrom(own.length, (at) => deltas[own[at]!]!.seq > end);
    if (to <= from || deltas[own[to - 1]!]!.seq !== end) return null;
    const stretch = { agent, own, from, to };
    const text = this.segment(stretch)?.text;
    return text === undefined || ctu(text) !== units || (hash !== null && sha256Of(text) !== hash) ? null : stretch;
  }

  segment({ agent, own, from, to }: Stretch): Segment | null {
    if (!this.#mayLook(to - from)) return null;
    const deltas = own.slice(from, to).map((place) => this.input.deltas[place]!);
    const [startSeq, endSeq] = [deltas[0]!.seq, deltas.at(-1)!.seq];
    return { agent: this.input.agents[agent]!, text: deltaText(deltas), startSeq, endSeq };
  }

  /** The words after a seq up to another, a segment for each run of one agent; null if that does not end in a delta. */
  runs(after: number, end: number): readonly Segment[] | null {
    const { deltas } = this.input;
    const [from, to] = [placeOf(deltas, after + 1), placeOf(deltas, end + 1)];
    if (!this.#mayLook(to - from) || to <= from || deltas[to - 1]!.seq !== end) return null;
    const runs: { agent: string; text: string; startSeq: number; endSeq: number }[] = [];
    for (const { agent_id: agent, delta_text: text, seq } of deltas.slice(from, to)) {
      const last = runs.at(-1);
      if (last?.agent === agent) {
        last.text += text;
        last.endSeq = seq;
      } else runs.push({ agent, text, startSeq: seq, endSeq: seq });
    }
    return runs;
  }

  #mayLook(times: number): boolean {
    this.#looks -= times;
    return this.#looks >= 0;
  }

  /** The last delta of the turn that a boundary ends. */
  #lastDelta(boundary: TurnBoundary | undefined): StreamDelta | null {
    return boundary?.boundary === 'end' ? (this.#lastOfTurn.get(boundary.turn_id) ?? null) : null;
  }
}

/** How many deltas come before a seq. */
function placeOf(deltas: readonly StreamDelta[], seq: number): number {
  return firstFrom(deltas.length, (at) => deltas[at]!.seq >= seq);
}
