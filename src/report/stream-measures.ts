import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { MeasureValue } from '../measure/tally.ts';
import type { MeasuredVariant } from '../tasks/stream/measures/measure-stream.ts';
import { arrow, arrowLegend } from './arrows.ts';
import { displayWidth } from './display-width.ts';
import { counted, figure, levelText, quantities } from '../text/figures.ts';
import { programName } from './program-name.ts';
import { prose } from './prose.ts';
import { quietLines } from './quiet-lines.ts';
import { shellWord } from './shell-word.ts';
import { limitsOf, modelLines, overallOf, streamNotices } from './stream-notices.ts';
import type { Style } from './style.ts';
import { type Cell, type Column, tableLines } from './table.ts';

/** What a person looks at first; the rest is in report.md. */
const FIRST = [
  'compression_ratio',
  'summary_count',
  'trace_coverage',
  'coverage_at_500',
  'unsupported_in_window',
  'unsupported_in_contract',
  'redundancy',
  'schema_failure_rate',
  'summary_latency_ms',
  'llm_ctu_total',
  'decision_count',
  'flush_count',
];

/** The variants side by side: value, and below it the interval. */
export function streamMeasuresText(variants: readonly MeasuredVariant[], out: string, style: Style): string {
  const values = variants.map(overallOf);
  const level = values.flatMap((own) => [...own.values()]).find(({ interval }) => interval !== null)?.interval?.level;
  const shown = FIRST.flatMap((name) => values[0]?.get(name) ?? []);
  const cases = variants[0]?.run.measures.cases.total ?? 0;
  return `${[
    `${style.paint('Stream', 'strong')}  ${counted(cases, 'case')}, ${counted(variants.length, 'variant')}`,
    ...modelLines(variants).flatMap((text) => prose(text, style)),
    ...limitsOf(variants).flatMap((text) => prose(text, style)),
    '',
    ...tables(variants, style),
    ...[
      ...(level === undefined ? [] : [`below each value its ${levelText(level)} interval, over cases`]),
      ...arrowLegend(shown),
      'unsupported fractions: lower is better',
    ].flatMap((text) => quietLines(text, style)),
    '',
    ...streamNotices(variants).flatMap((notice) => prose(notice, style, `${style.paint('!', 'warn')} `, '  ')),
    '',
    ...next(variants, out, style),
  ].join('\n')}\n`;
}

/** One table where it fits, else as many variants at a time as do. */
function tables(variants: readonly MeasuredVariant[], style: Style): string[] {
  const whole = table(variants, style);
  const widest = Math.max(...table(variants, { ...style, terminal: false, paint: (text) => text }).map(displayWidth));
  if (!style.terminal || widest <= style.width || variants.length === 1) return whole;
  const half = Math.ceil(variants.length / 2);
  return [...tables(variants.slice(0, half), style), '', ...tables(variants.slice(half), style)];
}

function table(variants: readonly MeasuredVariant[], style: Style): string[] {
  const values = variants.map(overallOf);
  const columns: Column[] = [
    { title: 'Measure', shrinks: true },
    { title: '' },
    ...variants.map(({ variant }) => ({ title: variant, align: 'right' as const })),
  ];
  const rows = FIRST.filter((name) => values.some((own) => own.has(name))).flatMap((name): Cell[][] => {
    const own = values.map((all) => all.get(name));
    const first = own.find((value) => value !== undefined);
    const shown: Cell[] = [
      `  ${name}`,
      first === undefined ? '' : { text: arrow(first), tone: 'quiet' },
      ...own.map((value): Cell => valueCell(value)),
    ];
    if (own.every((value) => value?.interval == null)) return [shown];
    return [shown, ['', '', ...own.map((value): Cell => ({ text: intervalCell(value), tone: 'quiet' }))]];
  });
  return tableLines(columns, rows, style);
}

function valueCell(value: MeasureValue | undefined): Cell {
  if (value === undefined || value.value === null) return { text: '–', tone: 'quiet' };
  return { text: figure(value.value, value), tone: 'strong' };
}

function intervalCell(value: MeasureValue | undefined): string {
  return value?.interval == null ? '' : quantities(value.interval.low, value.interval.high, value).join('–');
}

function next(variants: readonly MeasuredVariant[], out: string, style: Style): string[] {
  const folder = shellWord(out).replace(/\/$/, '');
  const runs = variants.map(({ variant }) => `${folder}/${variant}`);
  const lines: (readonly [string, string])[] = [
    ['All measures, distributions', `${folder}/report.md`],
    ...(runs[0] !== undefined && existsSync(join(out, variants[0]!.variant, 'report.html'))
      ? [['Every case, in a browser', `${runs[0]}/report.html`] as const]
      : []),
    ...(runs.length < 2
      ? []
      : [['Is the difference chance', `${programName()} compare ${runs.slice(0, 2).join(' ')}`] as const]),
    ['Every concept, with its reason', `${programName()} explain ${runs[0] ?? folder}`],
    ['Figures', `${programName()} stream figures ${folder} --out figures`],
  ];
  const width = Math.max(...lines.map(([what]) => what.length)) + 2;
  return lines.map(([what, command]) => `${what.padEnd(width)}${style.paint(command, 'strong')}`);
}
