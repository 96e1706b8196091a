import { PARSING_COUNTS } from '../parsing-statistics.ts';
import { FILE_CHECKS, type Notice, type NoticePlace } from '../validate/findings.ts';
import type { Validation } from '../validate/validate.ts';
import { count, plural, type Document, type ListItem, numberColumns, type Table } from '../../plugin.ts';

const NOTICES: Readonly<Record<Notice, (n: number) => string>> = {
  'buffer-not-recomputed': (n) =>
    `${plural(n, 'decision or summary', 'decisions and summaries')} whose text was not recomputed from the trace`,
  'case-named-after-file': (n) =>
    `${plural(n, 'run log names', 'run logs name')} the case by the name of the trace’s file, not by its id`,
  'empty-folder': (n) => `${plural(n, 'folder is empty', 'folders are empty')}: nothing was checked there`,
  'fallback-timestamp': (n) =>
    `${plural(n, 'timestamp is', 'timestamps are')} not of the trace: its start and a second for each seq`,
  'flush-not-recomputed': (n) => `${plural(n, 'flush', 'flushes')} whose text was not recomputed from the trace`,
  'hash-of-packed-trace': (n) =>
    `${plural(n, 'trace_file_hash is', 'trace_file_hashes are')} of the compressed bytes of the trace`,
  'hash-of-unpacked-trace': (n) =>
    `${plural(n, 'trace_file_hash is', 'trace_file_hashes are')} of the decompressed bytes of the trace`,
  'late-delta': (n) => `${plural(n, 'delta comes', 'deltas come')} at most 2 ms after the end of its turn`,
  'log-too-long': (n) => `${plural(n, 'run log')} too long to compare its records with each other`,
  'log-without-trace': (n) => `${plural(n, 'run log')} whose trace is not at hand`,
  'no-content-hash': (n) => `${plural(n, 'turn')} without a content_hash: the text was not checked`,
  'no-emission-time': (n) => `${plural(n, 'delta')} without t_emitted_ms: the time was not checked`,
  'overlapping-turns': (n) => `${plural(n, 'turn starts', 'turns start')} before an earlier turn has ended`,
  'reversed-window': (n) =>
    `${plural(n, 'window ends before it starts', 'windows end before they start')}: a late flush of earlier words`,
  'stub-trace': (n) => `${plural(n, 'trace is', 'traces are')} marked as not a real conversation`,
  'trace-not-at-hand': (n) => `${plural(n, 'trace')} of the manifest not at hand`,
  'untimed-trace': (n) =>
    `${plural(n, 'trace has', 'traces have')} no t_emitted_ms at all: a replay makes the times up, a second for each seq`,
  'trace-too-large': (n) => `${plural(n, 'run log')} not compared with a trace that is too large to hold`,
};

/** What was checked, whether anything is wrong, and what a reader has to know besides. */
export function validationDocument(validation: Validation, verbose = false): Document {
  const { files, records, problems, checks, parsing, notices, noticePlaces, traces, others } = validation;
  const kinds = [
    plural(files.trace, 'trace'),
    plural(files['run-log'], 'run log'),
    plural(files.manifest, 'manifest'),
    ...(files['case-list'] > 0 ? [plural(files['case-list'], 'case list')] : []),
    ...(files.metrics > 0 ? [plural(files.metrics, 'metric file')] : []),
    ...(files.unknown > 0 ? [plural(files.unknown, 'file that is none of these', 'files that are none of these')] : []),
  ].join(', ');
  const ignored = files.other > 0 ? `; ${plural(files.other, 'other file')} ignored` : '';
  const [mark, verdict] =
    problems > 0
      ? (['error', plural(problems, 'problem')] as const)
      : records === 0
        ? (['warning', 'Nothing was checked'] as const)
        : (['passed', 'No problem'] as const);
  return {
    title: `${verdict} in ${plural(records, 'record')}`,
    mark,
    about: `${kinds}${ignored}`,
    sections: [
      {
        title: 'Failed check',
        blocks: [
          {
            columns: [{ title: 'check' }, ...numberColumns('problems'), { title: 'what should hold', wraps: true }],
            rows: Object.entries(FILE_CHECKS).flatMap(([check, about]) => {
              const times = timesOf(checks, check);
              return times === 0 ? [] : [[check, count(times), about]];
            }),
          },
        ],
      },
      {
        title: 'Chunks of the traces',
        blocks: [files.trace === 0 ? null : countTable(parsing)],
      },
      {
        blocks: [
          {
            mark: 'warning',
            list: Object.entries(NOTICES).flatMap(([kind, sentence]) => {
              const times = timesOf(notices, kind);
              return times === 0 ? [] : [`${sentence(times)}${placesText(noticePlaces, kind, times)}`];
            }),
          },
        ],
      },
      { title: 'Files', blocks: verbose ? [{ list: [...traces.map(traceText), ...others.map(fileText)] }] : [] },
    ],
  };
}

function countTable(parsing: Validation['parsing']): Table {
  return {
    columns: [{ title: '' }, { title: '', align: 'right' }],
    rows: PARSING_COUNTS.map((name) => [name, count(parsing[name])]),
  };
}

function traceText({ file, caseId, turns, deltas, parsing }: Validation['traces'][number]): ListItem {
  const counts = `${plural(turns, 'turn')}, ${plural(deltas, 'delta')}`;
  const note = PARSING_COUNTS.map((name) => `${name} ${count(parsing[name])}`).join(', ');
  return { item: `${file}: trace ${caseId ?? 'without a case id'}, ${counts}`, note };
}

function fileText({ file, kind }: Validation['others'][number]): string {
  return `${file}: ${kind.replace('-', ' ')}`;
}

/** Places shown of a notice; --json has more. */
const MOST_SHOWN = 4;

function placesText(
  noticePlaces: Readonly<Partial<Record<string, readonly NoticePlace[]>>>,
  kind: string,
  times: number,
): string {
  const places = noticePlaces[kind] ?? [];
  if (places.length === 0) return '';
  const shown = places.slice(0, MOST_SHOWN).map(({ file, record }) => `${file}:${record}`);
  const rest = times - shown.length;
  return `: ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function timesOf(counts: Readonly<Partial<Record<string, number>>>, name: string): number {
  return counts[name] ?? 0;
}
