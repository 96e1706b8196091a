// Reads a run folder again and adds up its ledger.
// Run it from the root of a checkout: node tools/runtime/run.js examples/library/ledger.ts
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readRun, render, score } from 'assay';
import { readLedger } from 'assay/pipeline';

const out = join(await mkdtemp(join(tmpdir(), 'assay-')), 'run');
await score('pii/piranha', { cases: 'examples/pii/docs.json' }, { out });

const run = await readRun(out); // refuses a folder that is cut off or was written by a later format
console.log(run.manifest.comparable, run.measures.measures.length);
console.log((await render(run)).split('\n')[0]); // # pii/piranha: 5 cases

let excused = 0;
for await (const record of readLedger(out)) if (record.verdict === 'excused') excused += record.weight ?? 1;
console.log(excused); // 35
