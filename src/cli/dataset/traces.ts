import { Command } from 'commander';

import { UsageError } from '../../data/problems.ts';
import { findDataset } from '../../experiment/datasets/find-dataset.ts';
import { counted } from '../../text/figures.ts';
import { safeJson } from '../../report/safe-json.ts';
import { safeText } from '../../report/safe-text.ts';
import { shellWord } from '../../report/shell-word.ts';
import { terminalStyle } from '../../report/style.ts';
import { tableLines } from '../../report/table.ts';
import type { ItemTraceRecord } from '../../store/runs.ts';
import { openStore, type Store } from '../../store/store.ts';
import { nearestNames } from '../../text/nearest.ts';
import { isLangfuse, localFolder, type PlaceFlags, placeOptions, withExisting } from '../backend-of.ts';
import { BEGIN } from './begin.ts';

interface TracesFlags extends PlaceFlags {
  readonly run?: string;
  readonly item?: string;
  readonly json?: boolean;
}

const PAGE = 500;
const SHOWN = 100;
const LONGEST_ERROR = 200;

export function tracesCommand(): Command {
  return placeOptions(
    new Command('traces')
      .description('which traces the runs over a dataset left, item by item (local store)')
      .argument('<name>', 'of the dataset')
      .option('--run <name>', 'of this run only')
      .option('--item <id>', 'of this item only')
      .option('--json', 'print them all as JSON on standard output'),
  )
    .addHelpText(
      'after',
      `
The newest run comes first. assay dataset seed makes an item of a trace.

Examples:
  $ assay dataset traces graph-eval --run baseline
  $ assay dataset traces graph-eval --item G07
  $ assay dataset traces graph-eval --json | jq '.[] | select(.error)'`,
    )
    .action(traces);
}

async function traces(name: string, flags: TracesFlags): Promise<void> {
  if (isLangfuse(flags))
    throw new UsageError(
      'traces are listed from the local store only',
      'in Langfuse, a dataset’s run shows the trace of each item; --local lists those of the local store',
    );
  await withExisting(flags, `dataset ${name}`, BEGIN, async (backend) => void (await findDataset(backend, name)));
  const store = openStore(localFolder(flags));
  try {
    refuseUnknownRun(store, name, flags.run);
    const found: ItemTraceRecord[] = [];
    let others = 0;
    for (const one of all(store, name, flags.run)) {
      if (flags.item !== undefined && one.item !== flags.item) continue;
      if (flags.json === true || found.length < SHOWN) found.push(one);
      else others += 1;
    }
    process.stdout.write(flags.json === true ? safeJson(found) : textOf(name, found, others, flags));
  } finally {
    store.close();
  }
}

function* all(store: Store, datasetName: string, runName: string | undefined): Generator<ItemTraceRecord> {
  for (let page = 1; ; page += 1) {
    const { rows, total } = store.runs.traces({ datasetName, runName }, { page, limit: PAGE });
    yield* rows;
    if (page * PAGE >= total) return;
  }
}

function refuseUnknownRun(store: Store, dataset: string, run: string | undefined): void {
  if (run === undefined || store.runs.get(dataset, run) !== null) return;
  const names = store.runs.list(dataset, { page: 1, limit: PAGE }).rows.map(({ name }) => name);
  const near = nearestNames(run, names);
  throw new UsageError(
    `there is no run ${run} over ${dataset} in ${store.folder}`,
    near.length > 0
      ? `did you mean ${near.join(' or ')}?`
      : names.length > 0
        ? `there are ${names.slice(0, 6).join(', ')}`
        : 'assay run makes one',
  );
}

function textOf(name: string, found: readonly ItemTraceRecord[], others: number, flags: TracesFlags): string {
  if (found.length === 0) {
    const which = flags.item === undefined ? '' : ` for the item ${flags.item}`;
    return `${safeText(`No run over ${name} has left a trace${which} in ${localFolder(flags)} yet.`)}\n`;
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
  const [first] = found;
  const more = others > 0 ? [`… and ${counted(others, 'more trace')}: --run, --item, --json`] : [];
  const next = `assay dataset seed ${shellWord(name)} --from-trace ${shellWord(first?.traceId ?? '')}`;
  return `${[...lines, ...more, '', safeText(`An item of one of them: ${next}`)].join('\n')}\n`;
}
