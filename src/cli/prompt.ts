import { Command } from 'commander';

import { pullCommand, pushCommand } from './prompt/copy.ts';
import { createCommand } from './prompt/create.ts';
import { labelCommand } from './prompt/label.ts';
import { listCommand } from './prompt/list.ts';
import { showCommand } from './prompt/show.ts';

/** Prompts of the local store or of Langfuse. */
export function promptCommand(): Command {
  const group = new Command('prompt').addHelpText(
    'after',
    `
Prompts are in Langfuse where LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY are
set, and otherwise in a local store (.assay in this folder, --data, ASSAY_DATA).

Examples:
  $ assay prompt create graph-extraction prompt.txt --label staging
  $ assay prompt show graph-extraction --label staging
  $ assay prompt label graph-extraction 1 production
  $ assay run --dataset graph-eval --name v2 --prompt-label production …`,
  );
  for (const command of [createCommand(), listCommand(), showCommand(), labelCommand(), pushCommand(), pullCommand()])
    group.addCommand(command.showSuggestionAfterError(false).exitOverride());
  return group;
}
