import type { SpanF1 } from '../stats/agreement/pairwise-span-f1.ts';
import type { SpansReport } from './agreement-report.ts';
import { count, counted, figure, levelText } from '../text/figures.ts';
import { quietLines } from './quiet-lines.ts';
import type { Style } from './style.ts';
import { type Cell, type Column, tableLines } from './table.ts';

const PAIRS_SHOWN = 10;

/** F1 between annotators: the mean of the pairs, all pairs together, and each pair, lowest first. */
export function agreementSpanLines(spans: SpansReport, level: number, style: Style): string[] {
  const columns: Column[] = [
    { title: 'F1 between annotators', shrinks: true },
    { title: 'F1', align: 'right' },
    { title: `${levelText(level)} interval` },
    { title: 'docs', align: 'right' },
    { title: 'spans', align: 'right', drop: 1 },
    { title: 'matched', align: 'right', drop: 1 },
  ];
  const shown = spans.pairs.toSorted((a, b) => (a.value ?? 2) - (b.value ?? 2)).slice(0, PAIRS_SHOWN);
  const rows = [
    row(`  mean of ${counted(spans.pairs.length, 'pair')}`, spans, [count(spans.n)]),
    row('  all pairs together', spans.pooled, [count(spans.n)]),
    ...shown.map((pair) =>
      row(`  ${pair.raters.join(' and ')}`, pair, [
        count(pair.documents),
        `${count(pair.spansA)} and ${count(pair.spansB)}`,
        count(pair.matches),
      ]),
    ),
  ];
  const rest = spans.pairs.length - shown.length;
  const how = {
    exact: 'spans match with the same label and the same place',
    overlap: 'spans match with the same label and a character in common',
    iou: `spans match with the same label and at least ${spans.threshold ?? 0} of their characters in common`,
  }[spans.match];
  const target =
    spans.target === null ? [] : [`target > ${spans.target.target}: ${spans.target.result}; ${spans.target.why}`];
  return [
    ...tableLines(columns, rows, style),
    ...[
      ...(rest > 0 ? [`… and ${counted(rest, 'pair')} more; --json lists them`] : []),
      how,
      ...(spans.noInterval === null ? [] : [`no interval: ${spans.noInterval}`]),
      ...target,
    ].flatMap((text) => quietLines(text, style)),
  ];
}

function row(name: string, f1: SpanF1, more: readonly string[]): Cell[] {
  if (f1.value === null) return [name, { span: `undefined: ${f1.undefined ?? 'no reason given'}`, tone: 'quiet' }];
  return [
    name,
    { text: figure(f1.value), tone: 'strong' },
    f1.interval === null ? { text: '–', tone: 'quiet' } : `${figure(f1.interval.low)} to ${figure(f1.interval.high)}`,
    ...more.map((text): Cell => ({ text, tone: 'quiet' })),
  ];
}
