import { join } from 'node:path';

import { expect, it } from 'vitest';

import { LiveState } from '../../../src/server/runs/live-state.ts';
import { openStore } from '../../../src/store/store.ts';
import { letters } from '../../cli/gold-review.ts';
import { consultations, CREATE, ok } from '../../cli/review-files.ts';
import { assayHere } from '../../cli/assay-here.ts';

/** The runs that the list of reviews shows next to each. */
async function resultsIn(folder: string): Promise<Record<string, readonly string[]>> {
  const store = openStore(join(folder, '.assay'), { readOnly: true });
  const { reviews } = await new LiveState(join(folder, 'runs'), store).live();
  store.close();
  return Object.fromEntries(reviews.map(({ name, runs }) => [name, runs]));
}

const FILES = ['--gold', 'gold.jsonl', '--predictions', 'sys.jsonl'];

it('lists as results of a review only the runs that were scored with it, not other runs of the same predictions', async () => {
  const { folder, run } = await letters();
  ok(await run('score', 'pii/strict', ...FILES, '--out', 'runs/before', '--quiet'));
  const others = ['--reviewer', 'Ann', '--reviewer', 'Ben'];
  ok(await run('review', 'create', 'other', '--recipe', 'pii/review', ...FILES, ...others));
  expect(await resultsIn(folder)).toEqual({ letters: [], other: [] });
  ok(await run('score', 'pii/review', ...FILES, '--review', 'letters', '--out', 'runs/reviewed', '--quiet'));
  ok(await run('score', 'pii/strict', ...FILES, '--out', 'runs/after', '--quiet'));
  expect(await resultsIn(folder)).toEqual({ letters: ['reviewed'], other: [] });
});

it('lists the runs of a report of a review, one for each system', async () => {
  const { folder, env, run } = consultations();
  ok(await run(CREATE));
  const files = ['--cases', 'cases.csv', '--predictions', 'results_rag.jsonl', '--predictions', 'plain=vanilla.jsonl'];
  const scored = await assayHere(['score', 'consult/ayurmind', ...files, '--out', 'runs/plain', '--quiet'], {
    cwd: folder,
    env,
  });
  ok(scored);
  expect(await resultsIn(folder)).toEqual({ pilot: [] });
  ok(await run('report pilot --out runs/pilot --quiet'));
  expect(await resultsIn(folder)).toEqual({ pilot: ['pilot/plain', 'pilot/rag'] });
});

it('lists no run of an earlier review of the same name', async () => {
  const { folder, run } = await letters();
  ok(await run('score', 'pii/review', ...FILES, '--review', 'letters', '--out', 'runs/reviewed', '--quiet'));
  const again = ['review', 'create', 'letters', '--recipe', 'pii/review', ...FILES, '--reviewer', 'Ann'];
  ok(await run(...again, '--data', 'later'));
  const store = openStore(join(folder, 'later'), { readOnly: true });
  const [review] = (await new LiveState(join(folder, 'runs'), store).live()).reviews;
  store.close();
  expect(review).toMatchObject({ name: 'letters', runs: [] });
});
