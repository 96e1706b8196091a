import { commandGroup } from './group.ts';

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

export default commandGroup('dataset', HELP, {
  create: ['create a dataset, or change its description and schemas', () => import('./dataset/datasets.ts')],
  import: ['import items from JSON lines, JSON arrays or tables', () => import('./dataset/items.ts')],
  list: ['list the datasets', () => import('./dataset/datasets.ts')],
  show: ['show a dataset and its items', () => import('./dataset/contents.ts')],
  version: ['show the content hash of a dataset, and its named versions', () => import('./dataset/versions.ts')],
  validate: ['check every item of a dataset or a file against its schemas', () => import('./dataset/contents.ts')],
  traces: ['list traces, or those of the runs over a dataset', () => import('./dataset/traces.ts')],
  seed: [
    'make an item from a trace: its input, and its validated output as expected output',
    () => import('./dataset/items.ts'),
  ],
  archive: [
    'remove a dataset or some of its items from lists and runs; nothing is deleted',
    () => import('./dataset/datasets.ts'),
  ],
  restore: ['bring back what was archived', () => import('./dataset/datasets.ts')],
  push: ['copy a dataset from the local store to Langfuse', () => import('./dataset/versions.ts')],
  pull: ['copy a dataset from Langfuse to the local store', () => import('./dataset/versions.ts')],
});
