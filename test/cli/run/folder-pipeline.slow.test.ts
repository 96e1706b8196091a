import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { serving } from '../../server/langfuse/serving.ts';
import { assayHere } from '../assay-here.ts';
import type { Finished } from '../run-assay.ts';
import { experiment, right } from './recorded-experiment.ts';

test('over a dataset in Langfuse, a run uses the file of the folder, or else what the last run there used', async () => {
  const folder = experiment(['a', 'b'], ['a', 'b'].map(right));
  renameSync(join(folder, 'e.yaml'), join(folder, 'experiment.yaml'));
  const { environment: env, url } = await serving();
  const assay = (...args: readonly string[]): Promise<Finished> => assayHere(args, { cwd: folder, env });
  expect((await assay('dataset', 'import', 'extraction-eval', 'items.jsonl', '--prefix', '')).code).toBe(0);
  const call = ['run', '--dataset', 'extraction-eval', '--name'];
  const used = 'recorded, answers.jsonl, recipe graph/openspec';

  const first = await assay(...call, 'baseline-v1');
  expect(first.stderr).toContain(`Using experiment.yaml: ${used}, over extraction-eval instead of items.jsonl.\n`);
  expect(first.stdout).toContain(`To Langfuse (${url}): 2 of 2 traces`);
  expect(first.code).toBe(0);

  rmSync(join(folder, 'experiment.yaml'));
  const second = await assay(...call, 'baseline-v2');
  expect(second.stderr).toContain(
    `Using the settings of the last run over extraction-eval, runs/baseline-v1: ${used}.\n`,
  );
  expect(second.code).toBe(0);
  const elsewhere = await assay(...call, 'baseline-v3', '--local');
  expect(elsewhere.code).toBe(2);
  expect(elsewhere.stderr).toContain('no run over "extraction-eval" to repeat');
});
