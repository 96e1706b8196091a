// One target of an experiment, asked once.
// Run it from the root of a checkout: node tools/runtime/run.js examples/library/target.ts
import { openTarget } from 'assay/experiment';

const context = { folder: 'examples/experiment', environment: process.env, prompt: null, timeoutMs: 60_000 };
const recorded = { use: 'recorded', answers: 'answers.jsonl' };
const target = await openTarget(recorded, context);
try {
  const given = { id: 'T04', input: null, metadata: null, repeat: 1 };
  const { output, usage, latencyMs } = await target.answer(given, AbortSignal.timeout(60_000));
  console.log(output, usage, latencyMs); // … 701
} finally {
  await target.close();
}
