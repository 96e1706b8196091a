import type { Notice } from '../tasks/stream/validate/findings.ts';
import type { Validation } from '../tasks/stream/validate/validate.ts';
import { counted } from '../text/figures.ts';
import { prose } from './prose.ts';
import type { Style } from './style.ts';

const NOTICES: Readonly<Record<Notice, (n: number) => string>> = {
  'buffer-not-recomputed': (n) =>
    `${counted(n, 'decision or summary', 'decisions and summaries')} whose text was not recomputed from the trace`,
  'case-named-after-file': (n) =>
    `${counted(n, 'run log names', 'run logs name')} the case by the name of the trace’s file, not by its id`,
  'crossed-turns': (n) => `${counted(n, 'turn starts', 'turns start')} one record before the turn before has ended`,
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
export function validationText({ files, records, problems, notices }: Validation, style: Style): string {
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
    problems === 0 ? style.paint('✓ no problem', 'good') : style.paint(`✗ ${counted(problems, 'problem')}`, 'bad');
  const lines = [
    `${verdict}  ${style.paint(`in ${counted(records, 'record')}`)}`,
    ...prose(`${kinds}${others}`, style),
    ...Object.entries(NOTICES).flatMap(([kind, sentence]) => {
      const times = noticeOf(notices, kind);
      return times === 0 ? [] : prose(sentence(times), style, style.paint('! ', 'warn'), '  ');
    }),
  ];
  return `${lines.join('\n')}\n`;
}

function noticeOf(notices: Readonly<Partial<Record<string, number>>>, kind: string): number {
  return notices[kind] ?? 0;
}
