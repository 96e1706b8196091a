import { FEW_UNITS } from '../stats/interval.ts';
import type { V3Calibration } from '../tasks/stream/calibrate/calibrate-v3.ts';
import { count, counted, levelText } from '../text/figures.ts';
import { markdownBlock, markdownTable, markdownText } from './markdown-text.ts';
import { prose } from './prose.ts';
import { quietLines } from './quiet-lines.ts';
import type { Style } from './style.ts';
import { type Cell, type Column, tableLines } from './table.ts';

const ROWS_SHOWN = 20;
const COLUMNS: readonly Column[] = [
  { title: 'Case', shrinks: true },
  { title: 'median CTU', align: 'right' },
  { title: 'flushes', align: 'right' },
  { title: 'end of trace', align: 'right', drop: 1 },
  { title: 'turn end', align: 'right', drop: 2 },
];
const RULE =
  'Per case the median size of the regular flushes in CTU, then the median over cases, rounded up. Flushes at the end ' +
  'of the trace and of a turn are left out.';

/** What a person sees: the chunk, what it rests on, and the lines for the variant. */
export function v3Text(found: V3Calibration, style: Style): string {
  const rows = tableRows(found);
  const shown = rows.length > ROWS_SHOWN + 1 ? rows.slice(0, ROWS_SHOWN) : rows;
  const rest = rows.length - shown.length;
  const chunk = found.chunkCtu === null ? 'cannot be told' : `${found.chunkCtu} CTU`;
  return `${[
    `${style.paint('V3 chunk', 'strong')}  ${style.paint(chunk, 'strong')}  ${style.paint(`from ${sourceOf(found)}`)}`,
    '',
    ...tableLines(
      COLUMNS,
      shown.map((row): Cell[] => row.map((cell, at) => (at === 0 ? `  ${cell}` : cell))),
      style,
    ),
    ...(rest > 0 ? [`  ${style.paint(`… and ${count(rest)} more in the report`, 'quiet')}`] : []),
    '',
    ...prose(sentence(found), style),
    ...quietLines(RULE, style),
    ...v3Notices(found).flatMap((notice) => prose(notice, style, `${style.paint('!', 'warn')} `, '  ')),
    ...(found.chunkCtu === null
      ? []
      : [
          '',
          'For the variant:',
          ...v3Yaml(found.chunkCtu)
            .trimEnd()
            .split('\n')
            .map((line) => `  ${line}`),
        ]),
  ].join('\n')}\n`;
}

/** The lines of a variant's YAML file that fix the chunk. */
export function v3Yaml(chunkCtu: number): string {
  return `fixed_trigger:\n  enabled: true\n  chunk_size_ctu: ${chunkCtu}\n`;
}

/** The calibration on a page. It holds no time, so the same input gives the same bytes. */
export function v3Markdown(found: V3Calibration): string {
  const notices = v3Notices(found);
  return `${[
    '# Calibration of V3’s chunk',
    markdownText(`From ${sourceOf(found)}. ${sentence(found)}`),
    markdownText(RULE),
    ...(notices.length === 0 ? [] : [notices.map((notice) => `- ${markdownText(notice)}`).join('\n')]),
    ...(found.chunkCtu === null ? [] : [markdownBlock('yaml', v3Yaml(found.chunkCtu))]),
    '## Cases',
    markdownTable(
      COLUMNS.map(({ title }) => title),
      COLUMNS.map(({ align }) => align ?? 'left'),
      tableRows(found),
    ),
    '## Where it comes from',
    markdownTable(['what', 'hash'], ['left', 'left'], hashRows(found)),
  ].join('\n\n')}\n`;
}

function tableRows({ cases }: V3Calibration): string[][] {
  return cases.map(({ caseId, median, flushes, excluded }) => [
    caseId,
    median === null ? '–' : count(median),
    count(flushes),
    count(excluded['end_of_trace'] ?? 0),
    count(excluded['turn_end'] ?? 0),
  ]);
}

function hashRows({ cases, list, inputsHash }: V3Calibration): string[][] {
  return [
    ['all of it', inputsHash],
    ...(list === null ? [] : [[list.name, list.sha256]]),
    ...cases.map(({ caseId, sha256 }) => [caseId, sha256]),
  ];
}

function sourceOf({ variant, gate, cases }: V3Calibration): string {
  const what = gate === null ? `the logged flushes of ${variant}` : `the gate of ${variant}, passed anew,`;
  return `${what} in ${counted(cases.length, 'case')}`;
}

function sentence({ median, interval, noInterval, n, regular, excluded, resampling, chunkCtu }: V3Calibration): string {
  const left = Object.values(excluded).reduce((sum, one) => sum + one, 0);
  if (median === null || chunkCtu === null) return `There is no chunk to be told: ${noInterval ?? 'no value'}.`;
  const sure =
    interval === null
      ? `no interval: ${noInterval ?? ''}`
      : `${levelText(resampling.level)} interval ${count(interval.low)} to ${count(interval.high)}, bootstrap over cases`;
  return (
    `The median of ${counted(n, 'case')} is ${count(median)} CTU (${sure}), so the chunk is ${count(chunkCtu)}. ` +
    `${counted(regular, 'regular flush', 'regular flushes')}; ${count(left)} left out.`
  );
}

export function v3Notices({ n, cases, list, interval, gate }: V3Calibration): string[] {
  const without = cases.length - n;
  return [
    ...(interval !== null && n < FEW_UNITS
      ? [`the interval rests on ${counted(n, 'case')}: from so few, resampling gives it too narrow`]
      : []),
    ...(without === 0 ? [] : [`${counted(without, 'case has', 'cases have')} no regular flush and no say`]),
    ...(list === null || list.missing.length === 0
      ? []
      : [
          `of the first ${count(list.first)} cases of ${list.name}, ${count(list.missing.length)} are not there: ` +
            'what all of them would give is not known',
        ]),
    ...(gate?.maxWait === 'first-buffer-only'
      ? ['the longest wait counts for the first buffer of an agent only, as in the published logs']
      : []),
  ];
}
