/**
 * What a sweep over 81 thresholds costs against one score of the same files, without intervals: 81 scores would be 81
 * times as long, and a sweep reads the files and compares the items once. The two take turns in one process, and the best
 * of several rounds counts for each; a number makes the corpus that large.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readCases } from '../src/data/read-cases.ts';
import { fileSource } from '../src/data/source.ts';
import { planRecipe } from '../src/recipe/plan.ts';
import { scoreCases } from '../src/score/score.ts';
import { sweepRecipe } from '../src/compare/sweep/sweep.ts';
import { writeCorpus } from './corpus.ts';

const RECIPE = 'pii/iou';
const OVER = 'pair.threshold=0.10..0.90';
const POINTS = 81;
const SET = ['interval=off'];
const ROUNDS = 3;
/** The mark: how many times as long as one score the sweep may take. */
const MOST = 40;

const documents = Math.min(1000, Number(process.argv[2] ?? 1000));
const temporary = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'assay-bench-'));
try {
  const cases = fileSource(join(temporary, 'corpus.jsonl'));
  writeCorpus(cases.name, documents);
  const score = async (): Promise<void> => {
    const plan = await planRecipe(RECIPE, SET);
    await scoreCases(plan, readCases({ cases }, plan.data));
  };
  const sweep = async (): Promise<void> => {
    const { points } = await sweepRecipe({
      recipe: RECIPE,
      over: [OVER],
      set: SET,
      systems: [{ name: 'one', sources: { cases } }],
    });
    if (points.length !== POINTS) throw new Error(`the sweep has ${points.length} points`);
  };
  let [once, swept] = [Infinity, Infinity];
  for (let round = 0; round < ROUNDS; round += 1) {
    once = Math.min(once, await milliseconds(score));
    swept = Math.min(swept, await milliseconds(sweep));
  }
  const ratio = swept / once;
  console.log(`${documents} documents, ${RECIPE}, no intervals, one thread, Node ${process.version}\n`);
  console.log(`one score${' '.repeat(37)}${once.toFixed(0).padStart(6)} ms     1.00`);
  console.log(
    `sweep of ${POINTS} thresholds${' '.repeat(24)}${swept.toFixed(0).padStart(6)} ms  ${ratio.toFixed(2).padStart(7)}`,
  );
  console.log(`\nat most ${MOST} times as long: ${ratio <= MOST ? 'kept' : 'MISSED'}`);
  if (ratio > MOST) process.exitCode = 1;
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

async function milliseconds(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
