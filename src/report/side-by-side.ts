import type { MeasureValue } from '../measure/results.ts';
import { arrow, arrowLegend } from './arrows.ts';
import { figure, levelText, quantities } from '../text/figures.ts';
import { quietLines } from './quiet-lines.ts';
import type { Style } from './style.ts';
import { type Cell, tableLines } from './table.ts';

/** One system with its overall values by name. */
export interface NamedValues {
  readonly name: string;
  readonly values: ReadonlyMap<string, MeasureValue>;
}

/** A few measures of several systems side by side, each value with its interval, and what the signs mean. */
export function sideBySideLines(systems: readonly NamedValues[], measures: readonly string[], style: Style): string[] {
  const shown = measures.flatMap((name) => systems[0]?.values.get(name) ?? []);
  const level = shown.find(({ interval }) => interval !== null)?.interval?.level;
  const rows = shown.map((measure): Cell[] => [
    `  ${measure.name}`,
    { text: arrow(measure), tone: 'quiet' },
    ...systems.flatMap(({ values }): Cell[] => {
      const found = values.get(measure.name);
      if (found === undefined || found.value === null) return [{ text: '–', tone: 'quiet' }, ''];
      const { interval } = found;
      const ends = interval === null ? '' : quantities(interval.low, interval.high, found).join('–');
      return [
        { text: figure(found.value, found), tone: 'strong' },
        { text: ends, tone: 'quiet' },
      ];
    }),
  ]);
  const columns = [
    { title: 'Measure', shrinks: true },
    { title: '' },
    ...systems.flatMap(({ name }) => [{ title: name, align: 'right' as const }, { title: '' }]),
  ];
  return [
    ...tableLines(columns, rows, style),
    ...(level === undefined ? [] : quietLines(`beside each value its ${levelText(level)} interval, over cases`, style)),
    ...arrowLegend(shown).flatMap((text) => quietLines(text, style)),
  ];
}
