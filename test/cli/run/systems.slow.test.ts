import { join } from 'node:path';

import { expect, test } from 'vitest';

import { noReference, referencePath } from '../../reference/reference-data.ts';
import { assayHere } from '../assay-here.ts';
import { temporaryFolder } from '../run-assay.ts';
import { measuresOf, overall } from '../run-files.ts';

test.skipIf(noReference)('the published answers, run from the published CSV, give the published figures', async () => {
  const folder = temporaryFolder();
  const file = (name: string): string => referencePath(`consult/${name}`);
  const systems = ['vanilla_llm', 'single_agent_rag', 'ayurmind'];
  const done = await assayHere(
    ['run', '--task', 'consult', '--dataset', file('evaluation_cases.csv'), '--recipe', 'consult/as-coded', '--quiet']
      .concat(systems.flatMap((name) => ['--answers', file(`results_${name}.jsonl`)]))
      .concat('--out', 'runs', '--set', 'interval.resamples=50'),
    { cwd: folder, env: { LANGFUSE_PUBLIC_KEY: '', LANGFUSE_SECRET_KEY: '' } },
  );
  expect(done.code, done.stderr).toBe(0);
  const figures = systems.map((name) => {
    const measures = measuresOf(join(folder, 'runs', name, 'score'));
    return ['accuracy', 'completeness'].map((measure) => (100 * (overall(measures, measure) ?? NaN)).toFixed(2));
  });
  expect(figures).toEqual([
    ['15.00', '25.94'],
    ['42.50', '47.50'],
    ['10.00', '45.63'],
  ]);
});
