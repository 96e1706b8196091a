// Datasets and prompts between the local store and a Langfuse-compatible server; averages over items.
// Run it from the root of a checkout: node tools/runtime/run.js examples/library/exchange.ts
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  copyDataset,
  copyPrompt,
  datasetVersion,
  itemAverages,
  langfuseBackend,
  localBackend,
  makeItemValidator,
  openStore,
  seedItem,
} from 'assay/experiment';
import { startServer } from 'assay/server';

const folder = await mkdtemp(join(tmpdir(), 'assay-'));
const store = openStore(join(folder, 'served'));
const keys = { publicKey: 'pk-lf-example', secretKey: 'sk-lf-example' };
const server = await startServer({ store, keys, port: 0 });
const environment = {
  LANGFUSE_BASE_URL: server.url,
  LANGFUSE_PUBLIC_KEY: keys.publicKey,
  LANGFUSE_SECRET_KEY: keys.secretKey,
};
const here = localBackend(join(folder, 'here'));
const there = await langfuseBackend({ environment });

await here.saveDataset({ name: 'capitals' });
await here.saveItems('capitals', [{ id: 'c1', input: 'Peru', expectedOutput: 'Lima' }]);
console.log((await copyDataset(here, there, 'capitals')).made, store.datasets.get('capitals')?.name); // 1 capitals
console.log(
  (await datasetVersion(here.items('capitals'))).hash === (await datasetVersion(there.items('capitals'))).hash,
); // true

await here.savePrompt({ name: 'ask', type: 'text', prompt: 'The capital of {{ input }}?', labels: ['production'] });
console.log((await copyPrompt(here, there, 'ask')).labels); // [ 'production' ]

const schemas = { input: { type: 'string' }, expectedOutput: { type: 'string' } };
console.log(makeItemValidator(schemas)({ input: 'Peru', expectedOutput: 4 }).length); // 1
const nothing = { name: null, metadata: null, url: null, observationId: null, corrected: null };
const trace = { id: 't1', input: 'Chile', output: 'Lima', ...nothing };
const validated = { output: 'Santiago', file: 'by hand' };
console.log(seedItem(trace, { dataset: 'capitals', schemas, validated }).item.sourceTraceId); // t1

const [recall] = await itemAverages([
  { case: 'a', measures: { recall: 0.5 } },
  { case: 'b', measures: { recall: 1 } },
  { case: 'c', measures: { recall: null } },
  { case: 'd', measures: { recall: null }, failed: 'timed out' },
]);
console.log(recall?.mean, recall?.n, recall?.without, recall?.failed); // 0.75 2 1 1

await here.close();
await there.close();
await server.close();
store.close();
