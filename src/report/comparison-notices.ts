import type { ComparedSystem, Comparison } from '../compare/comparison.ts';
import { count, counted, figure } from '../text/figures.ts';

const IDS_SHOWN = 5;

/** What to know before believing a comparison, one sentence each. Holds text from data: escape it. */
export function comparisonNotices(comparison: Comparison): string[] {
  return [
    ...comparison.systems.flatMap(unpaired),
    ...(comparison.failed === 0
      ? []
      : [
          `${counted(comparison.failed, 'case')} that all runs have ${comparison.failed === 1 ? 'is' : 'are'} in no figure here, since a run failed on ${comparison.failed === 1 ? 'it' : 'them'}`,
        ]),
    ...failedOtherwise(comparison),
    ...comparison.systems.flatMap(unanswered),
    ...comparison.notices,
  ];
}

const MEASURES_SHOWN = 6;

/** Leaving failed cases out flatters the run that fails on the hard ones: what they change is shown. */
function failedOtherwise({ systems, failedOtherwise: other }: Comparison): string[] {
  if (other === undefined) return [];
  const how = other.failed === 'empty' ? 'counted as empty answers' : 'left out';
  const shown = other.measures.slice(0, MEASURES_SHOWN).map(({ name, values }) => {
    const each = values.map((value, at) => `${systems[at]!.name} ${value === null ? 'undefined' : figure(value)}`);
    return `${name} ${each.join(', ')}`;
  });
  const more = other.measures.length > shown.length ? '; …' : '';
  return [
    `over all cases of each run, with failed ones ${how} (data.failed=${other.failed}): ${shown.join('; ')}${more}`,
  ];
}

function unpaired({ name, cases, unpaired: { n, cases: ids } }: ComparedSystem): string[] {
  if (n === 0) return [];
  const more = n > Math.min(ids.length, IDS_SHOWN) ? ', …' : '';
  const which = ids.length === 0 ? '' : `: ${ids.slice(0, IDS_SHOWN).join(', ')}${more}`;
  return [
    `${count(n)} of ${counted(cases, 'case')} of ${name} ${n === 1 ? 'is' : 'are'} not compared, since another run lacks ${n === 1 ? 'it' : 'them'}${which}`,
  ];
}

function unanswered({ name, cases, unanswered: n }: ComparedSystem): string[] {
  return n === 0
    ? []
    : [`${name} has no prediction for ${count(n)} of ${counted(cases, 'case')}: compared as an empty answer`];
}
