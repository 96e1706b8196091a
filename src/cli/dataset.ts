import { group } from './group.ts';

const HELP = `
Datasets are in Langfuse if LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY are
set, and otherwise in a local store (.assay in this folder, --data, ASSAY_DATA).

Examples:
  $ assay dataset import graph-eval items.jsonl --task graph
  $ assay dataset show graph-eval
  $ assay dataset validate graph-eval
  $ assay dataset seed graph-eval --from-trace 4bf92f3577b34da6a3ce929d0e0e4736
  $ assay dataset push graph-eval
  $ assay run --dataset graph-eval --name baseline --model …`;

export const datasetCommand = group('dataset', HELP, {
  create: [
    'create a dataset, or change its description and schemas',
    async () => (await import('./dataset/create.ts')).createCommand,
  ],
  import: [
    'import items from JSON lines, JSON arrays or tables',
    async () => (await import('./dataset/import.ts')).importCommand,
  ],
  list: ['list the datasets', async () => (await import('./dataset/list.ts')).listCommand],
  show: ['show a dataset and its items', async () => (await import('./dataset/show.ts')).showCommand],
  version: [
    'show the content hash of a dataset, and its named versions',
    async () => (await import('./dataset/version.ts')).versionCommand,
  ],
  validate: [
    'check every item of a dataset or a file against its schemas',
    async () => (await import('./dataset/validate.ts')).validateCommand,
  ],
  traces: [
    'list traces, or those of the runs over a dataset',
    async () => (await import('./dataset/traces.ts')).tracesCommand,
  ],
  seed: [
    'make an item from a trace: its input, and its validated output as expected output',
    async () => (await import('./dataset/seed.ts')).seedCommand,
  ],
  archive: [
    'remove a dataset or some of its items from lists and runs; nothing is deleted',
    async () => (await import('./dataset/archive.ts')).archiveCommand,
  ],
  restore: ['bring back what was archived', async () => (await import('./dataset/archive.ts')).restoreCommand],
  push: [
    'copy a dataset from the local store to Langfuse',
    async () => (await import('./dataset/copy.ts')).pushCommand,
  ],
  pull: [
    'copy a dataset from Langfuse to the local store',
    async () => (await import('./dataset/copy.ts')).pullCommand,
  ],
});
