import type { Check } from '../check.ts';
import { NO_EVIDENCE } from '../evidence.ts';
import { leaveOneOut } from '../leave-one-out.ts';
import { halfWidth, overallValues } from '../overall-values.ts';
import { count, figure } from '../../text/figures.ts';

/** With fewer cases each of them decides: too-few says so. */
const FEWEST_UNITS = 5;
/** Smaller moves change no conclusion, however narrow the interval. */
const LEAST_MOVE = 0.02;
/** Without an interval: one case of n may move a mean by 1/n; twice that is more than its share. */
const TIMES_ITS_SHARE = 2;

/** A score that one case makes is a score of that case. */
export const decisiveCase: Check = {
  name: 'decisive-case',
  about: 'one case without which the first measure moves by more than its uncertainty',
  open: () => ({
    finish({ run, primary }) {
      const value = overallValues(run).find(({ name }) => name === primary?.measure.name);
      if (primary === null || value === undefined || value.value === null) return [];
      const { measure, sums } = primary;
      const { units } = sums;
      if (units.length < FEWEST_UNITS) return [];
      const half = halfWidth(value);
      const limit = Math.max(LEAST_MOVE * widthOf(value.range), half ?? TIMES_ITS_SHARE / units.length);
      let most = { unit: '', to: 0, move: 0 };
      for (const { unit, value: to } of leaveOneOut(measure, sums)) {
        const move = to === null ? 0 : Math.abs(to - value.value);
        if (to !== null && move > most.move) most = { unit, to, move };
      }
      if (most.move <= limit) return [];
      const name = most.unit.replace(/^(?:case|cluster) /, '');
      const isCase = most.unit.startsWith('case ');
      return [
        {
          severity: 'warning',
          title: `Without the ${isCase ? 'case' : 'group of cases'} ${name}, ${measure.name} is ${figure(most.to)} instead of ${figure(value.value)}`,
          why: `One of ${count(units.length)} ${isCase ? 'cases' : 'groups of cases'} moves the value by ${figure(most.move)}${half === null ? '' : `, which is more than the interval says chance would (± ${figure(half)})`}. The score is about this one as much as about all others.`,
          todo: 'Look at it: is it much larger than the others, or wrong in itself? Quote the value with and without it, or use a mean over cases, in which each counts the same.',
          subjects: [name],
          ...NO_EVIDENCE,
          ...(isCase ? { cases: { total: 1, shown: [name] } } : {}),
        },
      ];
    },
  }),
};

/** Of a measure without ends, any move beyond the interval counts. */
function widthOf([low, high]: readonly [number | null, number | null]): number {
  return low === null || high === null ? 0 : high - low;
}
