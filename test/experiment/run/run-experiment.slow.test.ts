import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { localBackend } from '../../../src/experiment/local-backend.ts';
import { dryRun } from '../../../src/experiment/run/dry-run.ts';
import type { FinishedRun } from '../../../src/experiment/run/run-experiment.ts';
import { loadExperiment } from '../../../src/experiment/run/load-experiment.ts';
import { runExperiment } from '../../../src/experiment/run/run-experiment.ts';
import type { RunExperimentOptions } from '../../../src/experiment/run/run-settings.ts';
import { openStore } from '../../../src/store/store.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-experiment-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const EXPECTED = {
  entities: [
    { name: 'Ann', type: 'Person' },
    { name: 'Bo', type: 'Person' },
  ],
  relationships: [],
};

function makeDataset(count: number): void {
  const store = openStore(join(folder, 'data'));
  store.datasets.save({ name: 'people' });
  store.datasets.saveItems(
    'people',
    Array.from({ length: count }, (_, at) => ({
      id: `p${at}`,
      input: { document_text: `Ann met Bo ${at}.` },
      expectedOutput: EXPECTED,
    })),
  );
  store.close();
}

/** A target that notes every call in a file, and does for an item what `rules` say. */
function makeTarget(rules = ''): void {
  writeFileSync(
    join(folder, 'target.mjs'),
    `import { appendFileSync, existsSync } from 'node:fs';
export default async function (given) {
  appendFileSync(${JSON.stringify(join(folder, 'calls.txt'))}, given.id + '.' + given.repeat + '\\n');
  ${rules}
  return { entities: [{ name: 'Ann', type: 'Person' }], relationships: [] };
}
`,
  );
}

function calls(): string[] {
  const file = join(folder, 'calls.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

function writeExperiment(extra: Record<string, unknown> = {}, name = 'experiment.yaml'): string {
  const file = join(folder, name);
  writeFileSync(
    file,
    JSON.stringify({
      name: 'first',
      dataset: 'people',
      target: { use: 'module', module: './target.mjs' },
      recipe: 'graph/openspec',
      limits: { concurrency: 2 },
      out: join(folder, 'run'),
      ...extra,
    }),
  );
  return file;
}

async function run(
  extra: Record<string, unknown> = {},
  options: Partial<RunExperimentOptions> = {},
): Promise<FinishedRun> {
  const backend = localBackend(join(folder, 'data'));
  try {
    return await runExperiment({
      loaded: loadExperiment(writeExperiment(extra), {}),
      backend,
      cacheFolder: join(folder, 'data'),
      ...options,
    });
  } finally {
    await backend.close();
  }
}

const output = (name: string): string => readFileSync(join(folder, 'run', name), 'utf8');

test('a run that was stopped goes on where it was, and ends as if it had never been', async () => {
  makeDataset(12);
  makeTarget();
  const stop = new AbortController();
  const first = await run(
    {},
    {
      stop: stop.signal,
      onProgress: ({ done }) => {
        if (done >= 4) stop.abort();
      },
    },
  );
  expect(first.summary.stopped?.by).toBe('interrupt');
  expect(first.summary.answered).toBeLessThan(12);
  expect(first.summary.notRun).toBe(12 - first.summary.answered);
  const second = await run();
  expect(second.summary).toMatchObject({ answered: 12, failed: 0, notRun: 0, stopped: null });
  expect(calls().toSorted()).toEqual(Array.from({ length: 12 }, (_, at) => `p${at}.1`).toSorted());
  const interrupted = [output('outputs.jsonl'), output('score/measures.json'), output('score/ledger.jsonl')];

  rmSync(join(folder, 'run'), { recursive: true });
  await run();
  expect([output('outputs.jsonl'), output('score/measures.json'), output('score/ledger.jsonl')]).toEqual(interrupted);
});

test('scores are on the traces: a half of the entities found is recall 0.5, for every item', async () => {
  makeDataset(3);
  makeTarget();
  const { summary } = await run();
  expect(summary.scores?.find(({ name }) => name === 'entity_recall')).toMatchObject({ mean: 0.5, n: 3 });
  const store = openStore(join(folder, 'data'));
  const found = store.runs.get('people', 'first')!;
  const links = store.runs.items(found.id);
  expect(links.map(({ datasetItemId }) => datasetItemId).toSorted()).toEqual(['p0', 'p1', 'p2']);
  for (const { traceId } of links) {
    const scores = new Map(store.scores.ofTrace(traceId).map(({ name, value }) => [name, value]));
    expect([scores.get('entity_recall'), scores.get('entity_precision')]).toEqual([0.5, 1]);
  }
  store.close();
  expect(summary.published).toMatchObject({ found: { traces: 3 }, problem: null });
  expect(summary.published?.found).toEqual(summary.published?.expected);
});

test('a failed item has an error score and no other; --only-failed asks for it alone and takes the error back', async () => {
  makeDataset(5);
  const mended = join(folder, 'mended');
  makeTarget(`if (given.id === 'p2' && !existsSync(${JSON.stringify(mended)})) throw new Error('out of luck');`);
  const { summary } = await run();
  expect(summary).toMatchObject({ answered: 4, failed: 1 });
  expect(summary.failures).toMatchObject([{ kind: 'program', count: 1, example: { item: 'p2' } }]);
  expect(summary.scores?.[0]).toMatchObject({ n: 4, failed: 1 });
  const scoresOf = (item: string): Map<string, number | null> => {
    const store = openStore(join(folder, 'data'));
    const link = store.runs.items(store.runs.get('people', 'first')!.id).find((one) => one.datasetItemId === item)!;
    const scores = new Map(store.scores.ofTrace(link.traceId).map(({ name, value }) => [name, value]));
    store.close();
    return scores;
  };
  expect([...scoresOf('p2')]).toEqual([['error', 1]]);
  expect(scoresOf('p1').has('error')).toBe(false);

  // The same command does not ask again: the failure is an outcome.
  await run();
  expect(calls()).toHaveLength(5);

  mkdirSync(mended);
  const again = await run({}, { onlyFailed: true });
  expect(calls()).toHaveLength(6);
  expect(again.summary).toMatchObject({ answered: 5, failed: 0 });
  expect(scoresOf('p2').get('error')).toBe(0);
  expect(scoresOf('p2').get('entity_recall')).toBe(0.5);
});

test('a limit runs the first items only, and the rest is run when it is gone', async () => {
  makeDataset(6);
  makeTarget();
  const { summary } = await run({}, { limit: 2 });
  expect(summary).toMatchObject({ answered: 2, notRun: 4, stopped: { by: 'limit' } });
  expect(output('items.jsonl').trim().split('\n')).toHaveLength(2);
  expect((await run()).summary).toMatchObject({ answered: 6, notRun: 0 });
  expect(calls()).toHaveLength(6);
});

test('repeats are asked each by itself and scored into folders of their own', async () => {
  makeDataset(2);
  makeTarget();
  const { summary } = await run({ repeats: 3 });
  expect(calls().toSorted()).toEqual(['p0.1', 'p0.2', 'p0.3', 'p1.1', 'p1.2', 'p1.3']);
  expect(summary).toMatchObject({ answered: 6, repeats: 3 });
  expect(readdirSync(join(folder, 'run')).filter((name) => name.startsWith('score'))).toEqual([
    'score-1',
    'score-2',
    'score-3',
  ]);
});

test('another dataset, target or number of repeats under the same name is refused, with what differs', async () => {
  makeDataset(2);
  makeTarget();
  await run();
  await expect(run({ repeats: 2 })).rejects.toThrow(/holds another run: repeats was 1, now 2/);
});

test('a target whose code changed in between is refused: the answers would be of two kinds', async () => {
  makeDataset(2);
  makeTarget();
  await run({}, { limit: 1 });
  makeTarget('// other code');
  await expect(run()).rejects.toThrow(/what is asked has changed since this run began/);
});

test('a prompt label that moves on while a run is under way is said and not followed', async () => {
  makeDataset(2);
  const backend = localBackend(join(folder, 'data'));
  await backend.savePrompt({ name: 'extract', type: 'text', prompt: 'one {{ document_text }}', labels: ['staging'] });
  await backend.close();
  const target = { use: 'model', model: 'openai-compatible/x', prompt: { name: 'extract', label: 'staging' } };
  const environment = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' };
  const limits = { retries: 0 };
  await run({ target, limits }, { environment });
  const later = localBackend(join(folder, 'data'));
  await later.savePrompt({ name: 'extract', type: 'text', prompt: 'two {{ document_text }}', labels: ['staging'] });
  await later.close();
  const notices: string[] = [];
  await run({ target, limits }, { environment, onNotice: (text) => notices.push(text) });
  expect(notices).toEqual([
    'prompt extract: the label staging is on version 2 by now; this run stays on version 1, with which it began',
  ]);
});

test('a dry run asks nobody and leaves nothing', async () => {
  makeDataset(3);
  makeTarget();
  const backend = localBackend(join(folder, 'data'));
  const before = readdirSync(folder).toSorted();
  const loaded = loadExperiment(writeExperiment(), {});
  const found = await dryRun({ loaded, backend, cacheFolder: null });
  await backend.close();
  expect(found).toMatchObject({ begun: false, items: 3, toAsk: 3, answered: 0, failed: 0, cached: 0 });
  expect(calls()).toEqual([]);
  expect(readdirSync(folder).toSorted()).toEqual([...before, 'experiment.yaml'].toSorted());
});

test('items that cannot be scored, and a gate that could never block, are refused before the first call', async () => {
  makeTarget();
  const store = openStore(join(folder, 'data'));
  store.datasets.save({ name: 'people' });
  store.datasets.saveItems('people', [{ id: 'p0', input: { document_text: 'Ann.' }, expectedOutput: { entities: 7 } }]);
  store.close();
  await expect(run()).rejects.toThrow(/dataset people, item 1: expected_output.entities: expected a list, found 7/);
  expect(calls()).toEqual([]);
  makeDataset(1);
  await expect(run({ gate: { rules: [{ atLeast: 0.5 }] } })).rejects.toThrow(/measure/);
  expect(calls()).toEqual([]);
});

test('a gate in the experiment is judged on the scored run', async () => {
  makeDataset(3);
  makeTarget();
  const { gates } = await run({
    gate: { rules: [{ measure: 'entity_recall', atLeast: 0.6 }, { failed: { atMost: 0 } }] },
  });
  expect(gates.map(({ verdict }) => verdict)).toEqual(['failed']);
  expect(gates[0]?.checks.map(({ verdict }) => verdict)).toEqual(['failed', 'passed']);
});

test('a folder with other files is left alone', async () => {
  makeDataset(1);
  makeTarget();
  mkdirSync(join(folder, 'run'));
  writeFileSync(join(folder, 'run', 'thesis.txt'), 'mine');
  await expect(run()).rejects.toThrow(/is not empty and holds no experiment/);
  expect(output('thesis.txt')).toBe('mine');
});

test('what the store lost is sent again by the same command, though it was sent before', async () => {
  makeDataset(4);
  makeTarget();
  await run();
  const store = openStore(join(folder, 'data'));
  const links = store.runs.items(store.runs.get('people', 'first')!.id);
  for (const { traceId } of links.slice(0, 3)) store.traces.delete(traceId);
  store.close();
  const { summary } = await run();
  expect(calls()).toHaveLength(4);
  expect(summary.published).toMatchObject({ found: { traces: 4 }, problem: null });
  expect(summary.published?.found).toEqual(summary.published?.expected);
});

test('a run of the same name from another folder is kept apart, under the next free name', async () => {
  makeDataset(3);
  makeTarget();
  await run();
  const notices: string[] = [];
  const out = join(folder, 'again');
  await run({ out }, { onNotice: (text) => notices.push(text) });
  await run({ out }, { onNotice: (text) => notices.push(text) });
  expect(notices[0]).toContain('a run called first is in');
  expect(notices[0]).toContain('this one is called first (2) there');
  const store = openStore(join(folder, 'data'));
  const names = store.runs
    .list('people', { page: 1, limit: 10 })
    .rows.map(({ id, name }) => [name, store.runs.items(id).length]);
  store.close();
  expect(Object.fromEntries(names)).toEqual({ first: 3, 'first (2)': 3 });
});

test('outputs that were kept without a recipe are scored later; what cannot be read is one failed item', async () => {
  makeDataset(4);
  makeTarget(`if (given.id === 'p1') return { entities: 'none' };`);
  expect((await run({ recipe: 'none' })).summary).toMatchObject({ answered: 4, failed: 0, scores: null });
  const { summary } = await run();
  expect(calls()).toHaveLength(4);
  expect(summary).toMatchObject({ answered: 3, failed: 1 });
  expect(summary.failures).toMatchObject([{ kind: 'schema', count: 1, example: { item: 'p1' } }]);
  expect(summary.published?.found).toEqual(summary.published?.expected);
});

test('a rule on a measure that the recipe has not, or without a baseline, is refused before the first call', async () => {
  makeDataset(1);
  makeTarget();
  await expect(run({ gate: { rules: [{ measure: 'entity_f9', atLeast: 0.5 }] } })).rejects.toThrow(
    /the recipe has no measure entity_f9 .*entity_f1/,
  );
  const margin = { measure: 'entity_f1', notWorseThan: { margin: 0.1 } };
  await expect(run({ gate: { rules: [margin] } })).rejects.toThrow(/needs a run to compare with/);
  expect(calls()).toEqual([]);
});

test('two names that would share a folder are not mixed, and changed or missing items of a run are noticed', async () => {
  makeDataset(2);
  makeTarget();
  await run();
  await expect(run({ name: 'other' })).rejects.toThrow(/holds another run: name was "first", now "other"/);
  const file = join(folder, 'run', 'dataset.jsonl');
  const items = readFileSync(file, 'utf8');
  writeFileSync(file, items.replace('Ann met Bo 0', 'Ann met Bo 9'));
  await expect(run()).rejects.toThrow(/is not what the run began with/);
  rmSync(file);
  await expect(run()).rejects.toThrow(/dataset\.jsonl is missing/);
});

test('scores whose manifest is gone are made anew', async () => {
  makeDataset(2);
  makeTarget();
  await run();
  const before = output('score/measures.json');
  rmSync(join(folder, 'run', 'score', 'manifest.json'));
  await run();
  expect(output('score/measures.json')).toBe(before);
});
