import { percentile } from '../../../measure/numpy.ts';
import { BEGINS_IN_WORD, ENDS_IN_WORD, type GateInput } from '../replay/gate-input.ts';

/**
 * When one agent has first said so many words, in milliseconds from the first content delta; null where no agent says
 * so many. No gate flushes in between: it is the least time in which that many words can have come.
 */
export function timesToReach(
  { agents, agent, time, words, edges }: GateInput,
  goals: readonly number[],
): (number | null)[] {
  const said = new Int32Array(agents.length);
  const inWord = new Uint8Array(agents.length);
  const reached: (number | null)[] = goals.map(() => null);
  for (let at = 0; at < agent.length; at += 1) {
    const edge = edges[at]!;
    const own = agent[at]!;
    said[own]! += words[at]! - (inWord[own] === 1 && (edge & BEGINS_IN_WORD) !== 0 ? 1 : 0);
    inWord[own] = (edge & ENDS_IN_WORD) === 0 ? 0 : 1;
    for (const [goal, wanted] of goals.entries())
      if (reached[goal] === null && said[own]! >= wanted) reached[goal] = time[at]! - time[0]!;
  }
  return reached;
}

/** Times of all cases and goals together, from the shortest to the longest, each with its case. */
export interface ReachPool {
  readonly times: Float64Array;
  readonly cases: Int32Array;
}

export function reachPool(byCase: readonly (readonly (number | null)[])[]): ReachPool {
  const all = byCase.flatMap((reached, at) => reached.flatMap((time) => (time === null ? [] : [{ time, at }])));
  all.sort((a, b) => a.time - b.time);
  return { times: Float64Array.from(all, ({ time }) => time), cases: Int32Array.from(all, ({ at }) => at) };
}

/** The p95 of the pool, each case counted as often as `times` says; null where nothing was reached. */
export function p95OfPool(pool: ReachPool, times: Float64Array): number | null {
  const values: number[] = [];
  for (let at = 0; at < pool.cases.length; at += 1)
    for (let again = times[pool.cases[at]!]!; again > 0; again -= 1) values.push(pool.times[at]!);
  return values.length === 0 ? null : percentile(values, 0.95);
}
