import type { Notice } from '../tasks/stream/validate/findings.ts';
import { PARSING_COUNTS, type ParsingStatistics } from '../tasks/stream/parsing-statistics.ts';
import type { Validation } from '../tasks/stream/validate/validate.ts';
import { count, counted } from '../text/figures.ts';
import { prose } from './prose.ts';
import { safeText } from './safe-text.ts';
import type { Style } from './style.ts';

const NOTICES: Readonly<Record<Notice, (n: number) => string>> = {
  'buffer-not-recomputed': (n) =>
    `${counted(n, 'decision or summary', 'decisions and summaries')} whose text was not recomputed from the trace`,
  'case-named-after-file': (n) =>
    `${counted(n, 'run log names', 'run logs name')} the case by the name of the trace’s file, not by its id`,
  'crossed-turns': (n) => `${counted(n, 'turn starts', 'turns start')} one record before the turn before has ended`,
  'empty-folder': (n) => `${counted(n, 'folder is empty', 'folders are empty')}: nothing was checked there`,
  'fallback-timestamp': (n) =>
    `${counted(n, 'timestamp is', 'timestamps are')} not of the trace: its start and a second for each seq`,
  'flush-not-recomputed': (n) => `${counted(n, 'flush', 'flushes')} whose text was not recomputed from the trace`,
  'hash-of-packed-trace': (n) =>
    `${counted(n, 'trace_file_hash is', 'trace_file_hashes are')} of the packed bytes of the trace`,
  'hash-of-unpacked-trace': (n) =>
    `${counted(n, 'trace_file_hash is', 'trace_file_hashes are')} of the unpacked bytes of the trace`,
  'log-too-long': (n) => `${counted(n, 'run log')} too long to compare its records with each other`,
  'log-without-trace': (n) => `${counted(n, 'run log')} whose trace is not at hand`,
  'no-content-hash': (n) => `${counted(n, 'turn')} without a content_hash: the text was not checked`,
  'no-emission-time': (n) => `${counted(n, 'delta')} without t_emitted_ms: the time was not checked`,
  'reversed-window': (n) =>
    `${counted(n, 'window ends before it starts', 'windows end before they start')}: a late flush of what was said before`,
  'stub-trace': (n) =>
    `${counted(n, 'trace says', 'traces say')} that ${n === 1 ? 'it is' : 'they are'} no real conversation`,
  'trace-not-at-hand': (n) => `${counted(n, 'trace')} of the manifest not at hand`,
  'trace-too-large': (n) => `${counted(n, 'run log')} not compared with a trace that is too large to hold`,
};

/** What was looked at, whether anything is wrong, and what a reader has to know besides. */
export function validationText(found: Validation, style: Style, verbose = false): string {
  const { files, records, problems, parsing, notices } = found;
  const kinds = [
    counted(files.trace, 'trace'),
    counted(files['run-log'], 'run log'),
    counted(files.manifest, 'manifest'),
    ...(files['case-list'] > 0 ? [counted(files['case-list'], 'case list')] : []),
    ...(files.metrics > 0 ? [counted(files.metrics, 'metric file')] : []),
    ...(files.unknown > 0
      ? [counted(files.unknown, 'file that is none of these', 'files that are none of these')]
      : []),
  ].join(', ');
  const others = files.other > 0 ? `; ${counted(files.other, 'other file')} left alone` : '';
  const verdict =
    problems > 0
      ? style.paint(`✗ ${counted(problems, 'problem')}`, 'bad')
      : records === 0
        ? style.paint('! nothing was checked', 'warn')
        : style.paint('✓ no problem', 'good');
  const lines = [
    ...(verbose ? fileLines(found) : []),
    `${verdict}  ${style.paint(`in ${counted(records, 'record')}`)}`,
    ...prose(`${kinds}${others}`, style),
    ...(files.trace === 0 ? [] : prose(`Chunks of the traces: ${parsingText(parsing)}`, style, '', '  ')),
    ...Object.entries(NOTICES).flatMap(([kind, sentence]) => {
      const times = noticeOf(notices, kind);
      return times === 0 ? [] : prose(sentence(times), style, style.paint('! ', 'warn'), '  ');
    }),
  ];
  return `${lines.join('\n')}\n`;
}

/** Each file that was read, and how the deltas of each trace were taken. */
function fileLines({ traces, others }: Validation): string[] {
  return [
    ...traces.map(({ file, caseId, turns, deltas, parsing }) =>
      safeText(
        `${file}: trace ${caseId ?? 'without a case id'}, ${counted(turns, 'turn')}, ${counted(deltas, 'delta')}; ${parsingText(parsing)}`,
      ),
    ),
    ...others.map(({ file, kind }) => safeText(`${file}: ${kind.replace('-', ' ')}`)),
  ];
}

/** The counts under their names, `included_message_chunks 600, …`. */
export function parsingText(statistics: ParsingStatistics): string {
  return PARSING_COUNTS.map((name) => `${name} ${count(statistics[name])}`).join(', ');
}

function noticeOf(notices: Readonly<Partial<Record<string, number>>>, kind: string): number {
  return notices[kind] ?? 0;
}
