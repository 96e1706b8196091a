import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';
import { z } from 'zod';

import { temporaryFolder } from '../cli/run-assay.ts';
import { Shell } from './transcript.ts';

const summaryShape = z.object({
  scores: z.array(z.object({ name: z.string(), mean: z.number(), n: z.number() })),
  measures: z.array(z.object({ name: z.string(), value: z.number() })),
});

it('the example of docs/start/experiments.md is what its README says', () => {
  const shell = new Shell(temporaryFolder());
  for (const command of ['assay init experiment town', 'cd town', 'assay run experiment.yaml --quiet'])
    shell.run(command);
  // By hand, item by item: see the README of the example.
  const text = readFileSync(join(shell.folder, 'runs/town-baseline/summary.json'), 'utf8');
  const { scores, measures } = summaryShape.parse(JSON.parse(text));
  const mean = (name: string): readonly [number, number] => {
    const found = scores.find((one) => one.name === name)!;
    return [found.mean, found.n];
  };
  const pooled = (name: string): number => measures.find((one) => one.name === name)!.value;
  const close = (expected: number): unknown => expect.closeTo(expected, 12);
  expect(mean('entity_f1')).toEqual([close((9 + 2 * 0.8 + 0.5) / 12), 12]);
  expect(mean('type_accuracy')).toEqual([close((11 + 2 / 3) / 12), 12]);
  // Without T11 and T14, which have no relationship in the answer.
  expect(mean('relationship_accuracy')).toEqual([close((6 + 1 / 2 + 1 / 2 + 2 / 3) / 10), 10]);
  expect(mean('relationship_f1')).toEqual([close((5 + 4 / 5 + 2 / 3 + 1 / 2 + 2 / 3) / 11), 11]);
  expect([pooled('entity_f1'), pooled('type_accuracy')]).toEqual([close(33 / 35), close(32 / 33)]);
  expect([pooled('relationship_accuracy'), pooled('relationship_f1')]).toEqual([close(19 / 23), close(38 / 47)]);
});
