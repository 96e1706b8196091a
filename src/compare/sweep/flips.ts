import { improvement } from '../../measure/measure.ts';
import type { SweepAxis, SweepDifference, SweepFlips, SweepStretch } from './result.ts';

/** Where along the first axis a conclusion between two systems changes, for each value of the second. */
export function flipsOf(
  axes: readonly SweepAxis[],
  differences: readonly (readonly SweepDifference[])[],
): SweepFlips[] {
  const along = axes[0]!.texts.length;
  const rows = axes[1]?.texts.length ?? 1;
  const pairs = new Map(differences.flat().map((one) => [`${one.system} ${one.name}`, one]));
  return [...pairs.values()].flatMap(({ system, name }) =>
    Array.from({ length: rows }, (_, row): SweepFlips => {
      const line = Array.from({ length: along }, (__, at) =>
        differences[row * along + at]!.find((one) => one.system === system && one.name === name),
      );
      return {
        system,
        measure: name,
        row: axes.length === 1 ? null : row,
        stretches: stretchesOf(line),
        turns: turnsOf(line),
      };
    }),
  );
}

type Line = readonly (SweepDifference | undefined)[];

function stretchesOf(line: Line): SweepStretch[] {
  const found: SweepStretch[] = [];
  for (const [at, difference] of line.entries()) {
    const verdict = difference?.verdict ?? 'too little data';
    const last = found.at(-1);
    if (last?.verdict === verdict) found[found.length - 1] = { ...last, to: at };
    else found.push({ verdict, from: at, to: at });
  }
  return found;
}

/** Between the last point where the one is ahead and the next where the other is; a tie is neither. */
function turnsOf(line: Line): SweepFlips['turns'] {
  const turns: { after: number; before: number; to: 'first' | 'other' }[] = [];
  let last: { at: number; sign: number } | null = null;
  for (const [at, one] of line.entries()) {
    if (one === undefined || one.difference === null || one.difference === 0) continue;
    const sign = improvement(one, one.baseline ?? 0, one.other ?? 0);
    if (sign === 0) continue;
    if (last !== null && last.sign !== sign)
      turns.push({ after: last.at, before: at, to: sign > 0 ? 'other' : 'first' });
    last = { at, sign };
  }
  return turns;
}
