import { Command } from 'commander';

import { UsageError } from '../../data/problems.ts';
import { findDataset } from '../../experiment/datasets/find-dataset.ts';
import { namedVersions, nameVersion } from '../../experiment/datasets/named-version.ts';
import { count, counted } from '../../text/figures.ts';
import { safeJson } from '../../report/safe-json.ts';
import { safeText } from '../../report/safe-text.ts';
import { terminalStyle } from '../../report/terminal-style.ts';
import { tableLines } from '../../report/table.ts';
import type { DatasetVersionRecord } from '../../store/records.ts';
import { openStore } from '../../store/store.ts';
import { isLangfuse, localFolder, type PlaceFlags, placeOptions, withExisting } from '../backend-of.ts';
import { BEGIN } from './begin.ts';
import { currentVersion } from './current-version.ts';

interface VersionFlags extends PlaceFlags {
  readonly name?: string;
  readonly at?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

const SHOWN = 20;

export function versionCommand(): Command {
  return placeOptions(
    new Command('version')
      .description('the hash of what a dataset holds now, and those it had')
      .argument('<name>', 'of the dataset')
      .option('--name <version>', 'give what it holds now a name, such as v1')
      .option('--at <time>', 'with --name: what it held at that time')
      .option('--force', 'with --name: take the name from another version')
      .option('--json', 'print it as JSON on standard output'),
  )
    .addHelpText(
      'after',
      `
The hash is of the active items: ids, inputs, expected outputs and metadata, in
any order. The same items have the same hash in the local store and in Langfuse.
The local store remembers the versions that commands left and runs used.

A version with a name can be had again: assay run --dataset NAME@v1,
assay dataset show NAME --version v1. Names are kept with the dataset, in its
metadata, in Langfuse too.

Examples:
  $ assay dataset version graph-eval
  $ assay dataset version graph-eval --name v1
  $ assay dataset version graph-eval --json | jq -r .hash`,
    )
    .action(version);
}

async function version(name: string, flags: VersionFlags): Promise<void> {
  if (flags.name === undefined && (flags.at !== undefined || flags.force === true))
    throw new UsageError('--at and --force go with --name', 'add --name NAME');
  if (flags.at !== undefined && Number.isNaN(Date.parse(flags.at)))
    throw new UsageError(`--at ${flags.at} is not a time`, 'expected one like 2026-01-31T12:00:00Z');
  const at = flags.at === undefined ? undefined : new Date(flags.at).toISOString();
  const { named, ...found } = await withExisting(flags, `dataset ${name}`, BEGIN, async (backend) => {
    const dataset = await findDataset(backend, name);
    const made =
      flags.name === undefined
        ? null
        : await nameVersion(backend, dataset, flags.name, { at, force: flags.force === true });
    if (made !== null && flags.json !== true)
      process.stdout.write(
        `${safeText(`Version ${made.name} of ${name}: ${counted(made.items, 'item')} of ${made.at}.`)}\n`,
      );
    return {
      named: namedVersions((await findDataset(backend, name)).metadata),
      ...(await currentVersion(backend, flags, name)),
    };
  });
  const { hash, items } = found;
  const history = isLangfuse(flags) ? null : remembered(name, flags);
  if (flags.json === true) {
    process.stdout.write(
      safeJson({
        name,
        hash,
        items,
        ...(named.length === 0 ? {} : { named }),
        ...(history === null ? {} : { history }),
      }),
    );
    return;
  }
  const lines = [`${hash}  ${counted(items, 'item')}`];
  if (named.length > 0)
    lines.push(
      '',
      ...tableLines(
        [{ title: 'Name' }, { title: 'version' }, { title: 'items', align: 'right' }, { title: 'of' }],
        named.map((one) => [one.name, shortHash(one.hash), count(one.items), one.at]),
        terminalStyle(process.stdout),
      ),
    );
  if (history !== null && history.length > 1)
    lines.push(
      '',
      ...tableLines(
        [{ title: 'Version' }, { title: 'items', align: 'right' }, { title: 'from' }],
        history.slice(0, SHOWN).map((one) => [shortHash(one.hash), count(one.items), one.at]),
        terminalStyle(process.stdout),
      ),
    );
  if (history !== null && history.length > SHOWN)
    lines.push(`… and ${count(history.length - SHOWN)} more: --json shows all`);
  process.stdout.write(`${lines.map(safeText).join('\n')}\n`);
}

/** The newest first. */
function remembered(name: string, flags: PlaceFlags): DatasetVersionRecord[] {
  const store = openStore(localFolder(flags));
  try {
    return store.datasets.versions(name);
  } finally {
    store.close();
  }
}

function shortHash(hash: string): string {
  return hash.slice(0, 'sha256:'.length + 16);
}
