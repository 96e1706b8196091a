import { commandGroup } from './group.ts';

const HELP = `
Prompts are in Langfuse if LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY are
set, and otherwise in a local store (.assay in this folder, --data, ASSAY_DATA).

Examples:
  $ assay prompt create graph-extraction prompt.txt --label staging
  $ assay prompt show graph-extraction --label staging
  $ assay prompt label graph-extraction 1 production
  $ assay run --dataset graph-eval --name v2 --prompt-label production …`;

export default commandGroup('prompt', HELP, {
  create: ['create a version of a prompt from a file', () => import('./prompts.ts')],
  list: ['list the prompts with their versions, labels and tags', () => import('./prompts.ts')],
  show: ['show a version of a prompt', () => import('./prompts.ts')],
  label: ['move labels to a version', () => import('./prompts.ts')],
  push: ['copy a version of a prompt from the local store to Langfuse', () => import('./prompts.ts')],
  pull: ['copy a version of a prompt from Langfuse to the local store', () => import('./prompts.ts')],
});
