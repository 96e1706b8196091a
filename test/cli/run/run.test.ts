import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { readRun } from '../../../src/index.ts';
import { openStore } from '../../../src/store/store.ts';
import { assayHere } from '../assay-here.ts';
import { temporaryFolder } from '../run-assay.ts';
import { experiment, PEOPLE, type RecordedAnswer, right, run, writeLines } from './recorded-experiment.ts';

test('the exit code says how it ended: done, a gate that failed, nothing answered, a budget used up', async () => {
  expect((await run(experiment(['a', 'b'], [right('a'), right('b')]), 'e.yaml')).code).toBe(0);
  const gate = 'gate: { rules: [{ failed: { atMost: 0 } }] }\n';
  expect((await run(experiment(['a', 'b'], [right('a'), { id: 'b', error: 'no' }], gate), 'e.yaml')).code).toBe(1);
  expect((await run(experiment(['a'], [{ id: 'a', error: 'no' }]), 'e.yaml')).code).toBe(2);
  const ids = Array.from({ length: 20 }, (_, at) => `i${at}`);
  const paid = ids.map((id) => ({ ...right(id), usage: { inputTokens: 60, outputTokens: 40 } }));
  const stopped = await run(experiment(ids, paid, 'budget: { tokens: 500 }\nlimits: { concurrency: 1 }\n'), 'e.yaml');
  expect(stopped.code).toBe(3);
  // 100 tokens an item: the fifth reaches the budget.
  expect(stopped.stdout).toContain('not run   15');
});

test('a scored run is called as its experiment is, with its description and the tags of the call', async () => {
  const folder = experiment(['a'], [right('a')], 'repeats: 2\n');
  const called = ['--name', 'with\thints', '--note', 'one\ntwo', '--tag', 'model=tiny'];
  expect((await run(folder, 'e.yaml', ...called, '--out', 'runs/hints')).code).toBe(0);
  const { about } = await readRun(join(folder, 'runs/hints/score-2'));
  expect(about).toMatchObject({ name: 'with hints (repeat 2)', note: 'one two', tags: { model: 'tiny' } });
  expect((await run(folder, 'e.yaml', '--description', 'as before', '--dry-run')).code).toBe(0);
});

test('a file is run as it stands: no item of another file of that name, none that was taken out of it', async () => {
  const folder = experiment(['a', 'b', 'c'], ['a', 'b', 'c', 'x'].map(right));
  expect((await run(folder, 'e.yaml')).stdout).toContain('3 items of items@');
  mkdirSync(join(folder, 'other'));
  writeLines(join(folder, 'other', 'items.jsonl'), [
    { id: 'x', input: { document_text: 'Ann x' }, expected_output: PEOPLE },
    { id: 'a', input: { document_text: 'Ann a' }, expected_output: PEOPLE },
  ]);
  expect((await run(folder, 'e.yaml', '--name', 'two', '--dataset', 'other/items.jsonl')).stdout).toContain(
    '2 items of items@',
  );
  const asked = readFileSync(join(folder, 'runs/two/dataset.jsonl'), 'utf8').trim().split('\n');
  expect(asked.map((line) => (JSON.parse(line) as RecordedAnswer).id).toSorted()).toEqual(['a', 'x']);
});

test('a dry run leaves nothing behind, not even a store, and needs no key', async () => {
  const folder = experiment(['a', 'b'], [right('a')]);
  const before = readdirSync(folder);
  const recorded = await run(folder, 'e.yaml', '--dry-run');
  expect(recorded).toMatchObject({ code: 0 });
  expect(recorded.stdout).toContain('Nothing was called or written');
  const model = await assayHere(
    ['run', '--dataset', 'items.jsonl', '--name', 'm', '--model', 'gemini-2.5-flash', '--dry-run'],
    {
      cwd: folder,
      env: { LANGFUSE_PUBLIC_KEY: '', LANGFUSE_SECRET_KEY: '', GOOGLE_API_KEY: '', GOOGLE_GENERATIVE_AI_API_KEY: '' },
    },
  );
  expect(model.stdout).toContain('google/gemini-2.5-flash');
  expect(readdirSync(folder)).toEqual(before);
});

test('a dry run does not load the module of the target', async () => {
  const folder = experiment(['a'], [right('a')]);
  const loaded = join(folder, 'loaded');
  writeFileSync(
    join(folder, 'own.js'),
    `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(loaded)}, '');\nexport default () => ({});\n`,
  );
  writeFileSync(join(folder, 'e.yaml'), 'name: one\ndataset: items.jsonl\ntarget: { use: module, module: ./own.js }\n');
  expect(await run(folder, 'e.yaml', '--dry-run')).toMatchObject({ code: 0, stderr: '' });
  expect(existsSync(loaded)).toBe(false);
  expect((await run(folder, 'e.yaml')).code).toBe(0);
  expect(existsSync(loaded)).toBe(true);
});

test('every folder that a run makes is for its owner alone', async () => {
  const folder = experiment(['a'], [right('a')]);
  expect((await run(folder, 'e.yaml')).code).toBe(0);
  const made = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(made.map(({ name }) => name)).toEqual(expect.arrayContaining(['.assay', 'runs', 'one', 'score']));
  for (const { parentPath, name } of made)
    expect([name, statSync(join(parentPath, name)).mode & 0o777]).toEqual([name, 0o700]);
});

test('what is refused before it begins leaves no folder', async () => {
  const folder = experiment(['a'], [right('a')]);
  const wrong = await run(folder, 'e.yaml', '--gate', 'nowhere.yaml');
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain('nowhere.yaml');
  expect((await run(folder, 'e.yaml', '--answers', 'missing.jsonl')).code).toBe(2);
  expect(existsSync(join(folder, 'runs/one'))).toBe(false);
});

test('the metadata of a run has no empty fields: no model, prompt or temperature of recorded answers', async () => {
  const folder = experiment(['a'], [right('a')]);
  expect((await run(folder, 'e.yaml')).code).toBe(0);
  const store = openStore(join(folder, '.assay'));
  onTestFinished(() => store.close());
  const { metadata } = store.runs.get('items', 'one')!;
  expect(Object.keys(metadata as object).toSorted()).toEqual([
    'assay_run',
    'dataset_version',
    'recipe',
    'signature',
    'target',
  ]);
});

test('a file whose ids belong to another dataset leaves no empty dataset', async () => {
  const folder = experiment(['a'], [right('a')]);
  expect((await run(folder, 'e.yaml')).code).toBe(0);
  writeLines(join(folder, 'copy.jsonl'), [{ id: 'a', input: { document_text: 'Ann a' }, expected_output: PEOPLE }]);
  const { code, stderr } = await run(folder, 'e.yaml', '--name', 'two', '--dataset', 'copy.jsonl');
  expect([code, stderr.replace(/\s+/g, ' ')]).toEqual([
    2,
    expect.stringMatching(/copy\.jsonl:1: id: the id "a" belongs to the dataset "items" .* --prefix TEXT, then run/),
  ]);
  const store = openStore(join(folder, '.assay'));
  onTestFinished(() => store.close());
  expect(store.datasets.get('copy')).toBeNull();
});

test('a name with an empty step is refused: Langfuse takes no such name', async () => {
  const folder = experiment(['a'], [right('a')]);
  for (const name of ['a//b', '/a', 'a/']) {
    const { code, stderr } = await run(folder, 'e.yaml', '--name', name);
    expect([code, stderr]).toEqual([2, expect.stringContaining('empty, . or ..')]);
  }
});

test('paths in flags start from the current folder, those of the file from the file’s', async () => {
  const folder = experiment(['a'], [{ id: 'a', error: 'no' }]);
  mkdirSync(join(folder, 'here'));
  writeLines(join(folder, 'here', 'better.jsonl'), [right('a')]);
  writeFileSync(join(folder, 'here', 'gate.yaml'), 'rules: [{ measure: entity_f1, atLeast: 0.5 }]\n');
  const done = await assayHere(['run', '../e.yaml', '--answers', 'better.jsonl', '--gate', 'gate.yaml'], {
    cwd: join(folder, 'here'),
    env: { LANGFUSE_PUBLIC_KEY: '', LANGFUSE_SECRET_KEY: '' },
  });
  expect(done.stderr).not.toContain('assay:');
  expect(done).toMatchObject({ code: 0 });
  expect(done.stdout).toContain('Gate passed');
});

test('outputs can be scored again by other rules, and the experiment’s folder stands for its scores', async () => {
  const folder = experiment(
    ['a', 'b'],
    [right('a'), { id: 'b', output: { entities: [{ name: 'Bo', type: 'Person' }] } }],
  );
  await run(folder, 'e.yaml');
  const again = await assayHere(['score', 'graph/as-coded', '--run', 'runs/one', '--json'], { cwd: folder });
  const { measures } = JSON.parse(again.stdout) as {
    measures: { name: string; value: number; slice: Record<string, string> }[];
  };
  // One of two entities is right.
  expect(
    measures.find(({ name, slice }) => name === 'entity_precision' && Object.keys(slice).length === 0)?.value,
  ).toBe(0.5);
  const explained = await assayHere(['explain', 'runs/one', '--case', 'b'], { cwd: folder });
  expect(explained).toMatchObject({ code: 0 });
  expect(explained.stdout).toContain('Bo');
});

test('outputs that were kept without a recipe can be scored, with what cannot be read as one failed case', async () => {
  const folder = experiment(['a', 'b'], [right('a'), { id: 'b', output: { entities: 'Bo' } }]);
  expect((await run(folder, 'e.yaml', '--recipe', 'none')).code).toBe(0);
  const scored = await assayHere(['score', 'graph/openspec', '--run', 'runs/one', '--json'], { cwd: folder });
  expect(scored.code).toBe(0);
  expect(JSON.parse(scored.stdout)).toMatchObject({ cases: { total: 2, failed: 1 } });
});

test('a finished run, asked for again, says that nobody was asked', async () => {
  const folder = experiment(['a'], [right('a')]);
  await run(folder, 'e.yaml');
  expect((await run(folder, 'e.yaml')).stdout).toContain('nobody was asked this time');
});

test('what is missing on the command line is said at once, and slips in the file with their lines', async () => {
  const folder = experiment(['a'], [right('a')]);
  expect((await run(folder)).stderr).toContain('--dataset NAME and --name RUN and --model MODEL');
  writeFileSync(join(folder, 'e.yaml'), 'name: one\ndatset: items.jsonl\ntarget: { use: recorded, answer: a.jsonl }\n');
  const { code, stderr } = await run(folder, 'e.yaml');
  expect(code).toBe(2);
  expect(stderr).toMatch(/e\.yaml:2: datset: .*did you mean dataset/);
  expect(stderr).toMatch(/e\.yaml:3: target\.answer/);
});

test('a dataset that is called like a file, and is neither, is reported as a missing file', async () => {
  const folder = experiment(['a'], [right('a')]);
  const { code, stdout, stderr } = await run(folder, 'e.yaml', '--dataset', 'missing.csv');
  expect(code).toBe(2);
  expect(stdout + stderr).toContain('"missing.csv": there is no such file, and no dataset of that name');
});

test('an item without gold that the recipe takes as empty is scored like any other, and counted', async () => {
  const folder = experiment(['a', 'b'], [right('a'), right('b')], 'set: [data.missingGold=empty]\n');
  writeLines(join(folder, 'items.jsonl'), [
    { id: 'a', input: { document_text: 'Ann a' }, expected_output: PEOPLE },
    { id: 'b', input: { document_text: 'Ann b' } },
  ]);
  expect((await run(folder, 'e.yaml')).code).toBe(0);
  const lines = readFileSync(join(folder, 'runs/one/score/cases.jsonl'), 'utf8').trim().split('\n');
  // Nothing is right where nothing is expected: of two entities one is.
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { case: 'a', counts: { hit: 1, spurious: 0 } },
    { case: 'b', counts: { hit: 0, spurious: 1 } },
  ]);
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'runs/one/score/manifest.json'), 'utf8'));
  expect(manifest).toMatchObject({ notices: { casesWithoutGold: 1 } });
});

test.each(['spans', 'pii'])('task: %s in the file is --task %s on the command line', async (task) => {
  const folder = temporaryFolder();
  const span = { start: 0, end: 3, label: 'PER' };
  writeLines(join(folder, 'items.jsonl'), [{ id: 'a', text: 'Ann met Bo.', spans: [span] }]);
  writeLines(join(folder, 'answers.jsonl'), [{ id: 'a', output: { spans: [span] } }]);
  const settings = 'dataset: items.jsonl\ntarget: { use: recorded, answers: answers.jsonl }\nrecipe: spans/strict\n';
  writeFileSync(join(folder, 'e.yaml'), `name: file\ntask: ${task}\n${settings}`);
  writeFileSync(join(folder, 'flag.yaml'), `name: flag\n${settings}`);
  expect(await run(folder, 'e.yaml')).toMatchObject({ code: 0 });
  expect(await run(folder, 'flag.yaml', '--task', task)).toMatchObject({ code: 0 });
  const values = async (name: string) => (await readRun(join(folder, `runs/${name}/score`))).measures.measures;
  expect(await values('file')).toEqual(await values('flag'));
});

test('a task that is none is refused alike, with the names that there are', async () => {
  const folder = experiment(['a'], [right('a')], 'task: tables\n');
  const inFile = await run(folder, 'e.yaml');
  expect([inFile.code, inFile.stderr]).toEqual([2, expect.stringContaining('spans')]);
  const byFlag = await run(folder, 'e.yaml', '--task', 'tables');
  expect([byFlag.code, byFlag.stderr]).toEqual([2, expect.stringContaining('spans')]);
});

/** A folder with journals, their gold, and recorded answers. */
function diary(): string {
  const folder = temporaryFolder();
  const items = [{ domain: 'symptom', evidence_span: 'Slept badly', polarity: 'present', time_bucket: 'last_night' }];
  writeLines(join(folder, 'journals.jsonl'), [
    { journal_id: 'W1', text: 'Slept badly again.' },
    { journal_id: 'W2', text: 'Slept badly.' },
  ]);
  writeLines(join(folder, 'gold.jsonl'), [
    { journal_id: 'W1', items },
    { journal_id: 'W2', items: [] },
  ]);
  writeLines(
    join(folder, 'answers.jsonl'),
    ['W1', 'W2'].map((id) => ({ id, output: { items } })),
  );
  return folder;
}

const DIARY = ['--task', 'journal', '--dataset', 'journals.jsonl', '--answers', 'answers.jsonl'];

test('outputs alone need no expected output: of a file, of a dataset with gold, of one without', async () => {
  const folder = diary();
  const kept = await run(folder, ...DIARY, '--recipe', 'none', '--out', 'plain');
  expect([kept.code, kept.stdout]).toEqual([0, expect.stringContaining('Answers  plain/results_answers.jsonl')]);
  const named = ['--dataset', 'journals', '--answers', 'answers.jsonl', '--recipe', 'none', '--name', 'named'];
  expect((await run(folder, ...named)).code).toBe(0);
  const scored = diary();
  expect((await run(scored, ...DIARY, '--gold', 'gold.jsonl', '--out', 'scored')).code).toBe(0);
  expect((await run(scored, ...DIARY, '--recipe', 'none', '--out', 'plain')).code).toBe(0);
  const refused = await run(diary(), ...DIARY, '--out', 'scored');
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('give expected outputs with --gold FILE, or keep outputs only with --recipe none');
});

test('cases in one file and gold in another are scored as assay score does', async () => {
  const folder = diary();
  expect((await run(folder, ...DIARY, '--gold', 'gold.jsonl', '--out', 'scored')).code).toBe(0);
  const { measures } = await readRun(join(folder, 'scored/answers'));
  const values = Object.fromEntries(
    measures.measures.filter(({ slice }) => Object.keys(slice).length === 0).map(({ name, value }) => [name, value]),
  );
  // One hit, one prediction where gold has nothing.
  expect(values).toMatchObject({ precision: 0.5, recall: 1, polarity_accuracy: 1 });
  writeFileSync(
    join(folder, 'e.yaml'),
    'name: e\ndataset: journals.jsonl\ngold: gold.jsonl\ntask: journal\ntarget: { use: recorded, answers: answers.jsonl }\n',
  );
  expect((await run(folder, 'e.yaml')).code).toBe(0);
});

test.each([
  ['an unknown id', [{ journal_id: 'W9', items: [] }], 'gold for "W9", which is not in'],
  ['none for a case', [], 'no gold for "W2"'],
  [
    'an item without a quote',
    [{ journal_id: 'W2', items: [{ domain: 'symptom' }] }],
    'items[0].evidence_span: expected a quote',
  ],
  ['an id twice', [{ journal_id: 'W1', items: [] }], 'the id "W1" was given before in this file'],
])('gold that does not fit is refused in the words of assay score: %s', async (_, records, message) => {
  const folder = diary();
  const [first = ''] = readFileSync(join(folder, 'gold.jsonl'), 'utf8').split('\n');
  writeLines(join(folder, 'gold.jsonl'), [JSON.parse(first) as unknown, ...records]);
  const ran = await run(folder, ...DIARY, '--gold', 'gold.jsonl', '--out', 'scored');
  const scored = await assayHere(
    ['score', 'journal/ashwam', '--cases', 'journals.jsonl', '--gold', 'gold.jsonl', '--predictions', 'gold.jsonl'],
    { cwd: folder },
  );
  for (const { code, stderr } of [ran, scored]) expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(existsSync(join(folder, 'scored'))).toBe(false);
});

test('gold may lack cases if the recipe says how they count', async () => {
  const folder = diary();
  const [first = ''] = readFileSync(join(folder, 'gold.jsonl'), 'utf8').split('\n');
  writeFileSync(join(folder, 'gold.jsonl'), `${first}\n`);
  const empty = ['--gold', 'gold.jsonl', '--set', 'data.missingGold=empty', '--out', 'scored'];
  expect((await run(folder, ...DIARY, ...empty)).code).toBe(0);
  const { manifest } = await readRun(join(folder, 'scored/answers'));
  expect(manifest.notices).toMatchObject({ casesWithoutGold: 1 });
});

test.each([
  ['spans.jsonl', '{"id":"d1","spans":[{"start":0,"end":3,"label":"PER"}]}\n'],
  ['pipeline.json', '[{"id":"d1","entities":[{"entity_group":"PER","word":"Ann","score":1,"start":0,"end":3}]}]'],
  ['table.csv', 'id,start,end,label\nd1,0,3,PER\n'],
  ['tags.conll', 'Ann B-PER\nmet O\nBo O\n. O\n'],
])('gold may be in any format that assay score reads: %s', async (name, text) => {
  const folder = temporaryFolder();
  writeLines(join(folder, 'docs.jsonl'), [{ id: 'd1', text: 'Ann met Bo .' }]);
  writeLines(join(folder, 'answers.jsonl'), [{ id: 'd1', output: [[0, 3, 'PER']] }]);
  writeFileSync(join(folder, name), name === 'tags.conll' ? `# id = d1\n${text}` : text);
  const flags = ['--task', 'spans', '--recipe', 'spans/strict', '--dataset', 'docs.jsonl', '--gold', name];
  const done = await run(folder, ...flags, '--answers', 'answers.jsonl', '--out', 'scored');
  expect([done.code, done.stderr]).toEqual([0, expect.any(String)]);
  expect((await readRun(join(folder, 'scored/answers'))).value('f1')).toBe(1);
});

test('gold in a file is for cases in a file', async () => {
  const folder = diary();
  await run(folder, ...DIARY, '--gold', 'gold.jsonl', '--out', 'scored');
  const named = ['--dataset', 'journals', '--gold', 'gold.jsonl', '--recipe', 'journal/ashwam', '--name', 'x'];
  const { code, stderr } = await run(folder, ...named, '--answers', 'answers.jsonl');
  expect([code, stderr]).toEqual([2, expect.stringContaining('the dataset "journals" is not a file')]);
});
