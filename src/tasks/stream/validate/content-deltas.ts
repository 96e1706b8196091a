import { sha256Of } from '../../../data/sha256-of.ts';
import { ctu } from '../ctu.ts';
import type { GateInput } from '../replay/gate-input.ts';
import type { Segment } from '../replay/render.ts';
import type { LogFlush } from './log-events.ts';
import { firstFrom } from '../../../text/compare.ts';

/** What an agent said from one delta to another: places in the list of its own deltas, `to` not included. */
export interface Stretch {
  readonly agent: number;
  readonly own: readonly number[];
  readonly from: number;
  readonly to: number;
}

/** Honest flushes do not overlap: each is looked at three times. Those of a log that asks for more are left alone. */
const MOST_PASSES = 4;
const ALWAYS_LOOKS = 10_000;

/** The deltas that a replay goes over, by their agents. */
export class ContentDeltas {
  readonly input: GateInput;
  readonly #byAgent: number[][];
  #looks = 0;

  constructor(input: GateInput) {
    this.input = input;
    this.#byAgent = input.agents.map(() => []);
    input.agent.forEach((agent, place) => void this.#byAgent[agent]!.push(place));
  }

  /** Another log is compared from here on. */
  beginLog(): void {
    this.#looks = MOST_PASSES * this.input.deltas.length + ALWAYS_LOOKS;
  }

  /** The deltas of a flush; null where its text is not theirs. */
  ofFlush({ start, end, ctu: units, hash }: LogFlush): Stretch | null {
    const place = this.#place(start);
    if (this.input.deltas[place]?.seq !== start) return null;
    const agent = this.input.agent[place]!;
    const own = this.#byAgent[agent]!;
    const from = firstFrom(own.length, (at) => own[at]! >= place);
    const to = firstFrom(own.length, (at) => this.#seq(own[at]!) > end);
    if (to <= from || this.#seq(own[to - 1]!) !== end) return null;
    const stretch = { agent, own, from, to };
    const text = this.#text(stretch);
    return text === null || ctu(text) !== units || (hash !== null && sha256Of(text) !== hash) ? null : stretch;
  }

  segment(stretch: Stretch): Segment | null {
    const text = this.#text(stretch);
    if (text === null) return null;
    const { agent, own, from, to } = stretch;
    const [startSeq, endSeq] = [this.#seq(own[from]!), this.#seq(own[to - 1]!)];
    return { agent: this.input.agents[agent]!, text, startSeq, endSeq };
  }

  /** What was said after a seq up to another, a segment for each run of one agent; null where that ends in no delta. */
  runs(after: number, end: number): readonly Segment[] | null {
    const { deltas } = this.input;
    const from = this.#place(after + 1);
    const to = this.#place(end + 1);
    this.#looks -= to - from;
    if (to <= from || deltas[to - 1]!.seq !== end || this.#looks < 0) return null;
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

  #text({ own, from, to }: Stretch): string | null {
    this.#looks -= to - from;
    if (this.#looks < 0) return null;
    let text = '';
    for (let at = from; at < to; at += 1) text += this.input.deltas[own[at]!]!.delta_text;
    return text;
  }

  #seq(place: number): number {
    return this.input.deltas[place]!.seq;
  }

  /** How many deltas come before a seq. */
  #place(seq: number): number {
    return firstFrom(this.input.deltas.length, (place) => this.#seq(place) >= seq);
  }
}
