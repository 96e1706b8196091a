import { Command } from 'commander';

import { counted } from '../../text/figures.ts';
import { safeJson } from '../../report/safe-json.ts';
import { safeText } from '../../report/safe-text.ts';
import { freeze } from '../../tasks/stream/record/freeze.ts';
import { idFlag } from './record-flags.ts';

interface FreezeFlags {
  readonly dataset: string;
  readonly runId?: string;
  readonly force?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function freezeCommand(): Command {
  return new Command('freeze')
    .description('write down which traces a folder holds, with hashes and counts, so that any change shows')
    .argument('<dir>', 'folder of traces, such as assay stream record makes')
    .option('--dataset <id>', 'names the set and its files', 'traces')
    .option('--run-id <id>', 'what produced the conversations (default: what the traces say, or the set’s name)')
    .option('--force', 'freeze anew although frozen traces are gone or are others now')
    .option('--json', 'print the result as JSON on standard output')
    .option('--quiet', 'print nothing but errors')
    .addHelpText('after', HELP)
    .action(freezeFolder);
}

const HELP = `
Writes DIR/<dataset>.manifest.jsonl and DIR/<dataset>.case_list.jsonl. Traces
that are new are added; the same traces always give the same bytes. Traces with
problems are not frozen. assay stream validate DIR checks the set later.

Examples:
  $ assay stream freeze traces
  $ assay stream freeze traces --dataset ward-round --run-id agents-v3`;

async function freezeFolder(folder: string, flags: FreezeFlags): Promise<void> {
  const frozen = await freeze({
    folder,
    dataset: idFlag('--dataset', flags.dataset),
    masRunId: flags.runId === undefined ? null : idFlag('--run-id', flags.runId),
    force: flags.force === true,
  });
  if (flags.json === true) process.stdout.write(safeJson(frozen));
  if (flags.quiet === true) return;
  const stream = flags.json === true ? process.stderr : process.stdout;
  const what = `${counted(frozen.cases, 'trace')}, ${counted(frozen.deltas, 'delta')}, ${counted(frozen.turns, 'turn')}`;
  stream.write(`${safeText(`${frozen.manifest}: ${what}`)}\n${frozen.datasetHash}\n`);
}
