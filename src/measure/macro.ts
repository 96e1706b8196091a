import type { Measure } from './measure.ts';

/**
 * macro average = mean of a measure over the labels, each label counting the same; higher is better where the measure's is.
 * Labels for which the measure is undefined leave the mean and are counted in the note; undefined when all are.
 * Example: F1 0.5 for LOC and 1 for PERSON: 0.75.
 */
export function macro(name: string, of: Measure): Measure {
  return {
    ...of,
    name,
    about: `mean over labels of ${of.name}`,
    proportion: false,
    byLabel: false,
    byCase: false,
    overLabels: true,
    meanOfCases: false,
    value(sums) {
      const outcomes = sums.labels().map(({ sums: own }) => of.value(own));
      const values = outcomes.flatMap((outcome) => (outcome.value === null ? [] : [outcome.value]));
      const out = outcomes.length - values.length;
      const note = out > 0 ? { note: `${out} of ${outcomes.length} labels left out: undefined` } : {};
      if (values.length === 0)
        return {
          value: null,
          undefined: outcomes.length === 0 ? 'no label occurs' : `${of.name} is undefined for every label`,
          n: 0,
          ...note,
        };
      return {
        value: values.reduce((sum, value) => sum + value, 0) / values.length,
        undefined: null,
        n: values.length,
        ...note,
      };
    },
  };
}
