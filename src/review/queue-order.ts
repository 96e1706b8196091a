import { hash } from 'node:crypto';

import { MersenneTwister } from '../stats/mersenne-twister.ts';

export interface Queued {
  readonly kind: 'case' | 'answer';
  readonly caseId: string;
}

/** Numbers of one person's own: the same for the same seed and name, unlike anybody else's. */
export function ownNumbers(seed: number, ...names: readonly string[]): MersenneTwister {
  return new MersenneTwister(Number.parseInt(hash('sha256', JSON.stringify([seed, ...names]), 'hex').slice(0, 8), 16));
}

/**
 * The order in which one person meets their items. Cases by themselves come before all answers: whoever has read an answer
 * is no longer independent. Two answers to one case stand next to each other only where that cannot be avoided.
 */
export function queueOrder<T extends Queued>(items: readonly T[], numbers: MersenneTwister): T[] {
  const cases = shuffled(
    items.filter(({ kind }) => kind === 'case'),
    numbers,
  );
  const answers = shuffled(
    items.filter(({ kind }) => kind === 'answer'),
    numbers,
  );
  return [...cases, ...spreadOut(answers, cases.at(-1)?.caseId ?? null)];
}

/** Fisher and Yates. */
export function shuffled<T>(items: readonly T[], numbers: MersenneTwister): T[] {
  const out = [...items];
  for (let at = out.length - 1; at > 0; at -= 1) {
    const other = numbers.below(at + 1);
    [out[at], out[other]] = [out[other]!, out[at]!];
  }
  return out;
}

/** Takes the first that is of another case, but in time those of a case that would else be left over at the end. */
function spreadOut<T extends Queued>(items: readonly T[], after: string | null): T[] {
  const left = [...items];
  const counts = new Map<string, number>();
  for (const { caseId } of left) counts.set(caseId, (counts.get(caseId) ?? 0) + 1);
  const out: T[] = [];
  let last = after;
  while (left.length > 0) {
    const pressing = [...counts].find(([caseId, count]) => caseId !== last && 2 * count > left.length)?.[0];
    const wanted = left.findIndex(({ caseId }) => (pressing === undefined ? caseId !== last : caseId === pressing));
    const [next] = left.splice(Math.max(0, wanted), 1);
    last = next!.caseId;
    counts.set(last, counts.get(last)! - 1);
    out.push(next!);
  }
  return out;
}
