import { shorten } from '../data/visible.ts';
import type { CaseList } from '../compare/gate/case-lists.ts';
import { sliceText } from './comparison-words.ts';
import { count, figure } from '../text/figures.ts';
import { caseOption, shellWord } from './shell-word.ts';

/** A list of cases as a report shows it: what they have in common, and each with what is wrong with it. */
export interface ShownCases {
  readonly title: string;
  readonly rows: readonly (readonly [id: string, what: string])[];
  /** How many there are beyond the rows. */
  readonly more: number;
  /** Shows the verdicts of these cases in their texts. */
  readonly command: string;
}

const LONGEST = 120;

export function shownCases(list: CaseList, folder: string, most: number, program = 'assay'): ShownCases {
  const rows = rowsOf(list).slice(0, most);
  const where = Object.keys(list.slice).length === 0 ? '' : ` (${sliceText(list.slice)})`;
  const scheme = list.slice['scheme'];
  const options = [
    ...rows.map(([id]) => caseOption(id)),
    ...(scheme === undefined ? [] : [`--scheme=${shellWord(scheme)}`]),
  ];
  return {
    title: `${titleOf(list)}${where}`,
    rows,
    more: list.total - rows.length,
    command: `${program} explain ${shellWord(folder)} ${options.join(' ')}`,
  };
}

function titleOf(list: CaseList): string {
  switch (list.kind) {
    case 'errors':
      return list.by === 'both' ? 'Worst cases' : `Worst cases, by ${list.by} items`;
    case 'values':
      return `Worst cases, by ${list.measure}`;
    case 'moved':
      return `Cases that became worse, by ${list.measure}`;
    case 'failed':
      return 'Cases that failed';
    case 'unanswered':
      return 'Cases without a prediction';
    case 'undefined':
      return `Cases without ${list.measure}`;
  }
}

function rowsOf(list: CaseList): (readonly [string, string])[] {
  switch (list.kind) {
    case 'errors':
      return list.cases.map((one) => [
        one.case,
        `missed ${count(one.missed)}, spurious ${count(one.spurious)}, hit ${count(one.hit)}`,
      ]);
    case 'values':
      return list.cases.map((one) => [one.case, figure(one.value)]);
    case 'moved':
      return list.cases.map((one) => [one.case, `${figure(one.baseline)} before, ${figure(one.other)} now`]);
    case 'failed':
      return list.cases.map((one) => [one.case, shorten(one.why, LONGEST)]);
    case 'unanswered':
    case 'undefined':
      return list.cases.map((one) => [one.case, '']);
  }
}
