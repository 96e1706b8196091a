import type { StreamModel } from '../tasks/stream/replay/model.ts';
import type { ReplayTotals } from '../tasks/stream/replay/replay-folder.ts';
import { count } from '../text/figures.ts';
import { programName } from './program-name.ts';
import { prose } from './prose.ts';
import { safeText } from './safe-text.ts';
import { shellWord } from './shell-word.ts';
import type { Style } from './style.ts';
import { type Cell, tableLines } from './table.ts';

export interface ReplayReport {
  readonly totals: readonly ReplayTotals[];
  readonly model: Pick<StreamModel, 'id' | 'kind'>;
  readonly notices: readonly string[];
  readonly out: string;
  readonly traces: string;
  /** False: what comes next is not said, since it follows at once. */
  readonly next?: boolean;
}

/** What a replay came to: one line a variant, and what to mind. */
export function replayText({ totals, model, notices, out, traces, next = true }: ReplayReport, style: Style): string {
  const number = (value: number): Cell => count(value);
  const failures = (value: number): Cell =>
    value === 0 ? { text: '0', tone: 'quiet' } : { text: count(value), tone: 'warn' };
  const rows = totals.map((own): Cell[] => [
    `  ${own.variant}`,
    number(own.cases),
    own.kept === 0 ? { text: '0', tone: 'quiet' } : number(own.kept),
    number(own.flushes),
    number(own.decisions),
    failures(own.failedDecisions),
    number(own.summaries),
    failures(own.failedSummaries),
  ]);
  const columns = ['Variant', 'cases', 'kept', 'flushes', 'decisions', 'failed', 'summaries', 'failed'].map(
    (title, at) => ({
      title,
      ...(at === 0 ? { shrinks: true } : { align: 'right' as const }),
    }),
  );
  const fallback = totals.filter(({ fallbackTimestamps: n }) => n > 0);
  const said = [
    ...notices,
    ...fallback.map(
      ({ variant, fallbackTimestamps: n }) =>
        `${variant}: ${count(n)} timestamps are not of the trace but of its start and the seq`,
    ),
  ];
  const folder = shellWord(out);
  return `${[
    `${style.paint('Replay', 'strong')}  ${style.paint(safeText(`answers: ${model.id} (${model.kind})`))}`,
    ...tableLines(columns, rows, style),
    ...(said.length === 0 ? [] : ['']),
    ...said.flatMap((notice) => prose(notice, style, `${style.paint('!', 'warn')} `, '  ')),
    ...(next
      ? [
          '',
          `${'Measure it'.padEnd(16)}${style.paint(`${programName()} stream measure --runs ${folder} --traces ${shellWord(traces)} --out DIR`, 'strong')}`,
        ]
      : []),
  ].join('\n')}\n`;
}
