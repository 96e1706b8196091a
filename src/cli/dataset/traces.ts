import {
  didYouMean,
  plural,
  type Document,
  type FilledColumn,
  filledTable,
  safeJson,
  shellWord,
  UsageError,
} from '../../plugin.ts';
import { type Backend, findDataset, type RunTrace, type TraceSearch, type TraceSummary } from '../../experiment.ts';
import { FIRST_DATASET, FIRST_TRACE, PLACE_FLAGS, withExisting } from '../backend-of.ts';
import { command, type CommandResult } from '../command.ts';
import * as flag from '../flags.ts';

const SHOWN = 100;
const LONGEST_ERROR = 200;

const OF_RUNS = {
  run: flag.string('<name>', 'with a dataset: run whose traces to list'),
  item: flag.string('<id>', 'with a dataset: item whose traces to list'),
};
const OF_ALL = {
  name: flag.string('<name>', 'name of the traces'),
  tag: flag.strings('<tag>', 'tag that the traces must have'),
  user: flag.string('<id>', 'user of the traces'),
  session: flag.string('<id>', 'session of the traces'),
  environment: flag.string('<name>', 'environment of the traces'),
  since: time('earliest time: 2026-01-31, 2026-01-31T12:00:00Z, or 90m, 24h, 7d ago'),
  until: time('time that the traces must precede'),
};
const FLAGS = {
  ...OF_RUNS,
  ...OF_ALL,
  limit: flag.integer('<number>', `number of traces to list (default: ${SHOWN}; of a dataset with --json all)`, {
    from: 1,
    to: 10_000,
  }),
  json: flag.JSON_ALONE,
  ...PLACE_FLAGS,
};

type TracesFlags = flag.FlagValues<typeof FLAGS>;

const tracesCommand = command({
  name: 'traces',
  arguments: { dataset: flag.optionalArgument('name of a dataset: only the traces of its runs, item by item') },
  flags: FLAGS,
  help: `
The newest is first. assay dataset seed makes an item from a trace.

Examples:
  $ assay dataset traces --name answer --tag wrong --since 7d
  $ assay dataset traces graph-eval --run baseline
  $ assay dataset traces graph-eval --item G07
  $ assay dataset traces graph-eval --json | jq '.[] | select(.error)'`,
  run({ dataset, ...flags }): Promise<CommandResult> {
    const others = Object.keys(dataset === undefined ? OF_RUNS : OF_ALL);
    const misplaced = Object.entries(flags).find(
      ([key, value]) => others.includes(key) && !(Array.isArray(value) && value.length === 0),
    );
    if (misplaced !== undefined)
      throw new UsageError(
        dataset === undefined
          ? `--${misplaced[0]} needs the name of a dataset`
          : `--${misplaced[0]} is for all traces, and these are those of the runs over ${dataset}`,
        dataset === undefined ? 'assay dataset traces NAME lists the traces of its runs' : 'leave out the dataset',
      );
    if (dataset !== undefined) return ofRuns(dataset, flags);
    const search: TraceSearch = {
      name: flags.name,
      tags: flags.tag.length === 0 ? undefined : flags.tag,
      userId: flags.user,
      sessionId: flags.session,
      environment: flags.environment,
      from: flags.since,
      to: flags.until,
      limit: flags.limit ?? SHOWN,
    };
    return withExisting(flags, 'trace', FIRST_TRACE, async (backend) => {
      const traces = await backend.traces(search);
      return { json: () => safeJson(traces), document: () => traceList(traces, backend, search) };
    });
  },
});

const AGO = /^(\d{1,6})([smhdw])$/;
const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

function time(about: string): flag.Flag<string | undefined> {
  return {
    value: '<when>',
    about,
    read(written, name) {
      const [, number, unit] = AGO.exec(written) ?? [];
      const ms = unit === undefined ? Date.parse(written) : Date.now() - Number(number) * UNIT_MS[unit]!;
      const isTime = unit !== undefined || /^\d{4}-\d\d-\d\d/.test(written);
      if (isTime && Math.abs(ms) <= 8.64e15) return new Date(ms).toISOString();
      throw new UsageError(
        `${name} ${written} is not a time`,
        'expected one like 2026-01-31, 2026-01-31T12:00:00Z, 24h or 7d',
      );
    },
  };
}

function traceList(traces: readonly TraceSummary[], { place }: Backend, search: TraceSearch): Document {
  if (traces.length === 0) return { title: `No such trace in ${place}${criteriaText(search)}.`, sections: [] };
  const { limit } = search;
  const optional = (title: string, cell: (trace: TraceSummary) => string): FilledColumn<TraceSummary> | null =>
    traces.some((trace) => cell(trace) !== '') ? [{ title, shrinks: true }, cell] : null;
  const table = filledTable<TraceSummary>(
    [
      [{ title: 'Trace' }, ({ id }) => id],
      [{ title: 'time' }, ({ time: when }) => when.slice(0, 19)],
      [{ title: 'name', shrinks: true }, ({ name }) => name ?? ''],
      optional('user', ({ userId }) => userId ?? ''),
      optional('session', ({ sessionId }) => sessionId ?? ''),
      optional('tags', ({ tags }) => tags.join(', ')),
      [{ title: 'environment', shrinks: true }, ({ environment }) => environment ?? ''],
      optional('error', ({ error }) => error?.slice(0, LONGEST_ERROR) ?? ''),
    ],
    traces,
  );
  const remarks = traces.length < limit ? [] : [`… the newest ${plural(traces.length, 'trace')}: --limit shows more`];
  return {
    title: `Traces in ${place}`,
    sections: [{ blocks: [{ ...table, remarks }] }, seedSection('NAME', traces[0]!.id)],
  };
}

function criteriaText({ name, tags = [], userId, sessionId, environment, from, to }: TraceSearch): string {
  const texts = { name, tag: tags.length === 0 ? undefined : tags.join(', '), user: userId, session: sessionId };
  const criteria = Object.entries(flag.defined({ ...texts, environment, since: from, until: to })).map(
    ([term, wanted]) => `${term} ${wanted}`,
  );
  return criteria.length === 0 ? '' : `: ${criteria.join('; ')}`;
}

function seedSection(dataset: string, trace: string): Document['sections'][number] {
  const call = `assay dataset seed ${dataset} --from-trace ${shellWord(trace)}`;
  return { blocks: [{ text: `An item from one of them: ${call}`, whole: true }] };
}

function ofRuns(name: string, { run, item, limit, json, ...flags }: TracesFlags): Promise<CommandResult> {
  return withExisting(flags, `dataset ${name}`, FIRST_DATASET, async (backend) => {
    const dataset = await findDataset(backend, name);
    if (run !== undefined && (await backend.runMetadata(dataset, run)) === null)
      throw await unknownRun(backend, name, run, backend.runTraces(dataset));
    const most = limit ?? (json ? Infinity : SHOWN);
    const traces: RunTrace[] = [];
    let others = 0;
    for await (const trace of backend.runTraces(dataset, run)) {
      if (item !== undefined && trace.item !== item) continue;
      if (traces.length < most) traces.push(trace);
      else others += 1;
    }
    const which = item === undefined ? '' : ` for the item ${item}`;
    return {
      json: () => safeJson(traces),
      document: () =>
        traces.length === 0
          ? { title: `No run over ${name} has left a trace${which} in ${backend.place} yet.`, sections: [] }
          : runTraceList(name, traces, others),
    };
  });
}

async function unknownRun(
  { place }: Backend,
  dataset: string,
  run: string,
  traces: AsyncIterable<RunTrace>,
): Promise<UsageError> {
  const seen = new Set<string>();
  for await (const trace of traces) seen.add(trace.run);
  const names = [...seen];
  return new UsageError(
    `${place} has no run ${run} over ${dataset}`,
    didYouMean(run, names) ?? (names.length > 0 ? `runs: ${names.slice(0, 6).join(', ')}` : 'assay run makes one'),
  );
}

function runTraceList(name: string, traces: readonly RunTrace[], others: number): Document {
  const table = filledTable<RunTrace>(
    [
      [{ title: 'Run', shrinks: true }, ({ run }) => run],
      [{ title: 'item', shrinks: true }, ({ item }) => item],
      [{ title: 'trace' }, ({ traceId }) => traceId],
      [{ title: 'time' }, ({ time: when }) => when?.slice(0, 19) ?? 'missing'],
      [{ title: 'error', shrinks: true }, ({ error }) => error?.slice(0, LONGEST_ERROR) ?? ''],
    ],
    traces,
  );
  return {
    title: `Traces of the runs over ${name}`,
    sections: [
      { blocks: [{ ...table, total: traces.length + others, rest: ': --run, --item, --limit, --json' }] },
      seedSection(shellWord(name), traces[0]!.traceId),
    ],
  };
}

export default { traces: tracesCommand };
