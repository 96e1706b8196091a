import type { ComparedSystem, Comparison } from '../runs/comparison.ts';
import { count, counted } from './figures.ts';

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
    ...comparison.systems.flatMap(unanswered),
    ...comparison.notices,
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
