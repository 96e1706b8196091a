import { group } from './group.ts';

const HELP = `
Prompts are in Langfuse if LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY are
set, and otherwise in a local store (.assay in this folder, --data, ASSAY_DATA).

Examples:
  $ assay prompt create graph-extraction prompt.txt --label staging
  $ assay prompt show graph-extraction --label staging
  $ assay prompt label graph-extraction 1 production
  $ assay run --dataset graph-eval --name v2 --prompt-label production …`;

export const promptCommand = group('prompt', HELP, {
  create: ['create a version of a prompt from a file', async () => (await import('./prompt/create.ts')).createCommand],
  list: [
    'list the prompts with their versions, labels and tags',
    async () => (await import('./prompt/list.ts')).listCommand,
  ],
  show: ['show a version of a prompt', async () => (await import('./prompt/show.ts')).showCommand],
  label: ['move labels to a version', async () => (await import('./prompt/label.ts')).labelCommand],
  push: [
    'copy a version of a prompt from the local store to Langfuse',
    async () => (await import('./prompt/copy.ts')).pushCommand,
  ],
  pull: [
    'copy a version of a prompt from Langfuse to the local store',
    async () => (await import('./prompt/copy.ts')).pullCommand,
  ],
});
