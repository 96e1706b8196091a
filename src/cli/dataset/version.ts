import { Command } from 'commander';

import { findDataset } from '../../experiment/datasets/find-dataset.ts';
import { count, counted } from '../../text/figures.ts';
import { safeJson } from '../../report/safe-json.ts';
import { safeText } from '../../report/safe-text.ts';
import { terminalStyle } from '../../report/style.ts';
import { tableLines } from '../../report/table.ts';
import type { DatasetVersionRecord } from '../../store/records.ts';
import { openStore } from '../../store/store.ts';
import { isLangfuse, localFolder, type PlaceFlags, placeOptions, withExisting } from '../backend-of.ts';
import { BEGIN } from './begin.ts';
import { currentVersion } from './current-version.ts';

interface VersionFlags extends PlaceFlags {
  readonly json?: boolean;
}

const SHOWN = 20;

export function versionCommand(): Command {
  return placeOptions(
    new Command('version')
      .description('the hash of what a dataset holds now, and those it had')
      .argument('<name>', 'of the dataset')
      .option('--json', 'print it as JSON on standard output'),
  )
    .addHelpText(
      'after',
      `
The hash is of the active items: ids, inputs, expected outputs and metadata, in
any order. The same items have the same hash in the local store and in Langfuse.
The local store remembers the versions that commands left and runs used.

Examples:
  $ assay dataset version graph-eval
  $ assay dataset version graph-eval --json | jq -r .hash`,
    )
    .action(version);
}

async function version(name: string, flags: VersionFlags): Promise<void> {
  const found = await withExisting(flags, `dataset ${name}`, BEGIN, async (backend) => {
    await findDataset(backend, name);
    return currentVersion(backend, flags, name);
  });
  const { hash, items } = found;
  const history = isLangfuse(flags) ? null : remembered(name, flags);
  if (flags.json === true) {
    process.stdout.write(safeJson({ name, hash, items, ...(history === null ? {} : { history }) }));
    return;
  }
  const lines = [`${hash}  ${counted(items, 'item')}`];
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
