import { caseValues } from './case-values.ts';
import type { Measure } from './measure.ts';

/**
 * mean over cases of a measure's value for the case, each case counting the same; better is what is better for the
 * measure. Cases for which it is undefined leave the mean and are counted in the note; undefined when all are.
 * Added up pairwise in the order of the case ids, so that the bits are those of numpy's mean.
 * Example: recall 1/2 and 1 and undefined: 0.75, n 2, 1 of 3 cases left out.
 */
export function caseMean(name: string, of: Measure): Measure {
  const values = caseValues(name, (_, own) => of.value(own).value);
  return {
    name,
    about: `mean over cases of ${of.about}`,
    direction: of.direction,
    range: of.range,
    ...(of.unit === undefined ? {} : { unit: of.unit }),
    ...(of.best === undefined ? {} : { best: of.best }),
    counters: [],
    caseCounters: [values.sum, values.count],
    beside: [...(of.beside ?? []), ...of.counters, ...of.caseCounters, values.out],
    proportion: false,
    byLabel: false,
    byCase: true,
    meanOfCases: true,
    value: (sums) =>
      values.mean(sums, () => {
        const why = of.value(sums).undefined;
        return why === null ? 'no case has a value' : `no case has a value: ${why}`;
      }),
    leftOut(sums) {
      const notes = [values.leftOut(sums), of.leftOut?.(sums) ?? null].filter((note) => note !== null);
      return notes.length === 0 ? null : notes.join('; ');
    },
  };
}
