import type { MeasuredVariant } from '../runs/stream/measure-stream.ts';
import { arrow, arrowLegend } from './arrows.ts';
import { counted, levelText } from './figures.ts';
import { prose } from './prose.ts';
import { quantities, quantity } from './quantity.ts';
import { quietLines } from './quiet-lines.ts';
import { limitsOf, modelLines, overallOf, streamNotices } from './stream-notices.ts';
import type { Style } from './style.ts';
import { type Cell, tableLines } from './table.ts';

const SHOWN = [
  'compression_ratio',
  'trace_coverage',
  'unsupported_in_window',
  'redundancy',
  'summary_count',
  'llm_ctu_total',
];

/** Two or three variants side by side in a few lines, each value with its interval. */
export function streamDemoText(variants: readonly MeasuredVariant[], style: Style): string {
  const values = variants.map(overallOf);
  const [first] = variants;
  if (first === undefined) return '';
  const { recipe } = first.run.manifest;
  const shown = SHOWN.flatMap((name) => values[0]?.get(name) ?? []);
  const level = shown.find(({ interval }) => interval !== null)?.interval?.level;
  const rows = shown.map((measure): Cell[] => [
    `  ${measure.name}`,
    { text: arrow(measure), tone: 'quiet' },
    ...values.flatMap((own): Cell[] => {
      const found = own.get(measure.name);
      if (found === undefined || found.value === null) return [{ text: '–', tone: 'quiet' }, ''];
      const { interval } = found;
      const ends = interval === null ? '' : quantities(interval.low, interval.high, found).join('–');
      return [
        { text: quantity(found.value, found), tone: 'strong' },
        { text: ends, tone: 'quiet' },
      ];
    }),
  ]);
  const columns = [
    { title: 'Measure', shrinks: true },
    { title: '' },
    ...variants.flatMap(({ variant }) => [{ title: variant, align: 'right' as const }, { title: '' }]),
  ];
  return `${[
    `${style.paint(recipe.name, 'strong')}  ${style.paint(counted(first.run.measures.cases.total, 'case'))}`,
    ...[recipe.about, ...limitsOf(variants), ...modelLines(variants)].flatMap((text) => prose(text, style)),
    '',
    ...tableLines(columns, rows, style),
    ...(level === undefined ? [] : quietLines(`beside each value its ${levelText(level)} interval, over cases`, style)),
    ...arrowLegend(shown).flatMap((text) => quietLines(text, style)),
    '',
    ...streamNotices(variants).flatMap((notice) => prose(notice, style, `${style.paint('!', 'warn')} `, '  ')),
  ].join('\n')}\n`;
}
