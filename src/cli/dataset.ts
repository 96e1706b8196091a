import { Command } from 'commander';

import { archiveCommand, restoreCommand } from './dataset/archive.ts';
import { pullCommand, pushCommand } from './dataset/copy.ts';
import { createCommand } from './dataset/create.ts';
import { importCommand } from './dataset/import.ts';
import { listCommand } from './dataset/list.ts';
import { seedCommand } from './dataset/seed.ts';
import { showCommand } from './dataset/show.ts';
import { tracesCommand } from './dataset/traces.ts';
import { validateCommand } from './dataset/validate.ts';
import { versionCommand } from './dataset/version.ts';

/** Datasets of the local store or of Langfuse. */
export function datasetCommand(): Command {
  const group = new Command('dataset').addHelpText(
    'after',
    `
Datasets are in Langfuse where LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY are
set, and otherwise in a local store (.assay in this folder, --data, ASSAY_DATA).

Examples:
  $ assay dataset import graph-eval items.jsonl --task graph
  $ assay dataset show graph-eval
  $ assay dataset validate graph-eval
  $ assay dataset seed graph-eval --from-trace 4bf92f3577b34da6a3ce929d0e0e4736
  $ assay dataset push graph-eval
  $ assay run --dataset graph-eval --name baseline --model …`,
  );
  for (const command of [
    createCommand(),
    importCommand(),
    listCommand(),
    showCommand(),
    versionCommand(),
    validateCommand(),
    tracesCommand(),
    seedCommand(),
    archiveCommand(),
    restoreCommand(),
    pushCommand(),
    pullCommand(),
  ])
    group.addCommand(command.showSuggestionAfterError(false).exitOverride());
  return group;
}
