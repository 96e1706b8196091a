import type { Check } from '../check.ts';
import { NO_EVIDENCE } from '../evidence.ts';
import { overallValues } from '../overall-values.ts';

/** A number without its uncertainty invites conclusions that it cannot carry. */
export const noIntervals: Check = {
  name: 'no-intervals',
  about: 'values without intervals',
  open: ({ recipe }) => ({
    finish({ run, primary }) {
      const off = recipe['interval'] === 'off';
      const value = overallValues(run).find(({ name }) => name === primary?.measure.name);
      if (!off && (value === undefined || value.interval !== null)) return [];
      return [
        {
          severity: 'note',
          title: off
            ? 'The recipe asks for no intervals: nothing says how sure the values are'
            : `${value?.name ?? 'The first measure'} has no interval: ${value?.noInterval ?? 'no reason is given'}`,
          why: 'Without an interval a reader cannot tell a difference between two systems from chance.',
          todo: off
            ? 'Take interval: off out of the recipe and score again.'
            : 'Score more cases, or quote the value with how many cases it rests on.',
          subjects: off || value === undefined ? [] : [value.name],
          ...NO_EVIDENCE,
        },
      ];
    },
  }),
};
