import { Command } from 'commander';

import { UsageError } from '../../data/problems.ts';
import type { Backend, RunTrace, TraceSearch, TraceSummary } from '../../experiment/backend.ts';
import { findDataset } from '../../experiment/datasets/find-dataset.ts';
import { counted } from '../../text/figures.ts';
import { safeJson } from '../../report/safe-json.ts';
import { safeText } from '../../report/safe-text.ts';
import { shellWord } from '../../report/shell-word.ts';
import { terminalStyle } from '../../report/terminal-style.ts';
import { tableLines } from '../../report/table.ts';
import { nearestNames } from '../../text/nearest.ts';
import { type PlaceFlags, placeOptions, withExisting } from '../backend-of.ts';
import { wholeNumber } from '../whole-number.ts';
import { BEGIN } from './begin.ts';
import { repeated } from './repeated.ts';

interface TracesFlags extends PlaceFlags {
  readonly run?: string;
  readonly item?: string;
  readonly name?: string;
  readonly tag?: readonly string[];
  readonly user?: string;
  readonly session?: string;
  readonly environment?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit?: string;
  readonly json?: boolean;
}

const SHOWN = 100;
const MOST = 10_000;
const LONGEST_ERROR = 200;
const OF_RUNS = ['run', 'item'] as const;
const OF_ALL = ['name', 'tag', 'user', 'session', 'environment', 'since', 'until'] as const;

export function tracesCommand(): Command {
  return placeOptions(
    new Command('traces')
      .description('which traces there are, or which ones the runs over a dataset left')
      .argument('[dataset]', 'name of a dataset: only the traces of its runs, item by item')
      .option('--run <name>', 'with a dataset: of this run only')
      .option('--item <id>', 'with a dataset: of this item only')
      .option('--name <name>', 'traces of this name')
      .addOption(repeated('--tag <tag>', 'traces with this tag (repeatable: traces with all of them)'))
      .option('--user <id>', 'traces of this user')
      .option('--session <id>', 'traces of this session')
      .option('--environment <name>', 'traces of this environment')
      .option('--since <when>', 'not older than this: a time, or 90m, 24h, 7d ago')
      .option('--until <when>', 'older than this')
      .option('--limit <number>', `how many at most (default: ${SHOWN}; of a dataset with --json all)`)
      .option('--json', 'print them as JSON on standard output'),
  )
    .addHelpText(
      'after',
      `
The newest comes first. assay dataset seed makes an item of a trace.

Examples:
  $ assay dataset traces --name answer --tag wrong --since 7d
  $ assay dataset traces graph-eval --run baseline
  $ assay dataset traces graph-eval --item G07
  $ assay dataset traces graph-eval --json | jq '.[] | select(.error)'`,
    )
    .action(traces);
}

async function traces(dataset: string | undefined, flags: TracesFlags): Promise<void> {
  const misplaced = (dataset === undefined ? OF_RUNS : OF_ALL).find((flag) => flags[flag] !== undefined);
  if (misplaced !== undefined)
    throw new UsageError(
      dataset === undefined
        ? `--${misplaced} needs the name of a dataset`
        : `--${misplaced} is for all traces, and these are those of the runs over ${dataset}`,
      dataset === undefined ? 'assay dataset traces NAME lists the traces of its runs' : 'leave out the dataset',
    );
  const limit = flags.limit === undefined ? null : wholeNumber('--limit', flags.limit, 1, MOST);
  if (dataset !== undefined) return ofRuns(dataset, flags, limit);
  const search: TraceSearch = {
    name: flags.name,
    tags: flags.tag,
    userId: flags.user,
    sessionId: flags.session,
    environment: flags.environment,
    from: timeFlag('--since', flags.since),
    to: timeFlag('--until', flags.until),
    limit: limit ?? SHOWN,
  };
  await withExisting(flags, 'trace', 'run an experiment, or send traces to assay serve, first', async (backend) => {
    const found = await backend.traces(search);
    process.stdout.write(flags.json === true ? safeJson(found) : allText(found, backend, search));
  });
}

const AGO = /^(\d{1,6})([smhdw])$/;
const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

function timeFlag(flag: string, given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const [, number, unit] = AGO.exec(given) ?? [];
  const time = unit === undefined ? Date.parse(given) : Date.now() - Number(number) * UNIT_MS[unit]!;
  const isTime = unit !== undefined || /^\d{4}-\d\d-\d\d/.test(given);
  if (isTime && Math.abs(time) <= 8.64e15) return new Date(time).toISOString();
  throw new UsageError(
    `${flag} ${given} is not a time`,
    'expected one like 2026-01-31, 2026-01-31T12:00:00Z, 24h or 7d',
  );
}

function allText(found: readonly TraceSummary[], { place }: Backend, { limit }: TraceSearch): string {
  if (found.length === 0) return `${safeText(`No such trace in ${place}.`)}\n`;
  const has = (field: 'userId' | 'sessionId' | 'error'): boolean => found.some((one) => one[field] !== null);
  const columns = [
    { title: 'Trace', of: ({ id }: TraceSummary) => id },
    { title: 'time', of: ({ time }: TraceSummary) => time.slice(0, 19) },
    { title: 'name', of: ({ name }: TraceSummary) => name ?? '' },
    ...(has('userId') ? [{ title: 'user', of: ({ userId }: TraceSummary) => userId ?? '' }] : []),
    ...(has('sessionId') ? [{ title: 'session', of: ({ sessionId }: TraceSummary) => sessionId ?? '' }] : []),
    ...(found.some(({ tags }) => tags.length > 0)
      ? [{ title: 'tags', of: ({ tags }: TraceSummary) => tags.join(', ') }]
      : []),
    { title: 'environment', of: ({ environment }: TraceSummary) => environment ?? '' },
    ...(has('error')
      ? [{ title: 'error', of: ({ error }: TraceSummary) => error?.slice(0, LONGEST_ERROR) ?? '' }]
      : []),
  ];
  const lines = tableLines(
    columns.map(({ title }, at) => (at < 2 ? { title } : { title, shrinks: true })),
    found.map((trace) => columns.map(({ of }) => of(trace))),
    terminalStyle(process.stdout),
  );
  const more = found.length < limit ? [] : [`… the newest ${counted(found.length, 'trace')}: --limit shows more`];
  const next = `An item of one of them: assay dataset seed NAME --from-trace ${shellWord(found[0]!.id)}`;
  return `${[...lines, ...more, '', safeText(next)].join('\n')}\n`;
}

async function ofRuns(name: string, flags: TracesFlags, limit: number | null): Promise<void> {
  await withExisting(flags, `dataset ${name}`, BEGIN, async (backend) => {
    const dataset = await findDataset(backend, name);
    if (flags.run !== undefined && (await backend.runMetadata(dataset, flags.run)) === null)
      throw await unknownRun(backend, name, flags.run, backend.runTraces(dataset));
    const most = limit ?? (flags.json === true ? Infinity : SHOWN);
    const found: RunTrace[] = [];
    let others = 0;
    for await (const one of backend.runTraces(dataset, flags.run)) {
      if (flags.item !== undefined && one.item !== flags.item) continue;
      if (found.length < most) found.push(one);
      else others += 1;
    }
    process.stdout.write(flags.json === true ? safeJson(found) : runsText(name, found, others, backend, flags));
  });
}

async function unknownRun(
  { place }: Backend,
  dataset: string,
  run: string,
  all: AsyncIterable<RunTrace>,
): Promise<UsageError> {
  const seen = new Set<string>();
  for await (const one of all) seen.add(one.run);
  const names = [...seen];
  const near = nearestNames(run, names);
  return new UsageError(
    `there is no run ${run} over ${dataset} in ${place}`,
    near.length > 0
      ? `did you mean ${near.join(' or ')}?`
      : names.length > 0
        ? `there are ${names.slice(0, 6).join(', ')}`
        : 'assay run makes one',
  );
}

function runsText(
  name: string,
  found: readonly RunTrace[],
  others: number,
  { place }: Backend,
  flags: TracesFlags,
): string {
  if (found.length === 0) {
    const which = flags.item === undefined ? '' : ` for the item ${flags.item}`;
    return `${safeText(`No run over ${name} has left a trace${which} in ${place} yet.`)}\n`;
  }
  const lines = tableLines(
    [
      { title: 'Run', shrinks: true },
      { title: 'item', shrinks: true },
      { title: 'trace' },
      { title: 'time' },
      { title: 'error', shrinks: true },
    ],
    found.map(({ run, item, traceId, time, error }) => [
      run,
      item,
      traceId,
      time?.slice(0, 19) ?? 'not there',
      error?.slice(0, LONGEST_ERROR) ?? '',
    ]),
    terminalStyle(process.stdout),
  );
  const more = others > 0 ? [`… and ${counted(others, 'more trace')}: --run, --item, --limit, --json`] : [];
  const next = `assay dataset seed ${shellWord(name)} --from-trace ${shellWord(found[0]!.traceId)}`;
  return `${[...lines, ...more, '', safeText(`An item of one of them: ${next}`)].join('\n')}\n`;
}
