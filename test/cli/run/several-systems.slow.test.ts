import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { completion, type ModelServer, modelServer, refusal } from '../../experiment/models/model-server.ts';
import { assayHere } from '../assay-here.ts';
import { type Finished, temporaryFolder } from '../run-assay.ts';
import { measuresOf, overall } from '../run-files.ts';
import { experiment, run, writeLines } from './recorded-experiment.ts';

const CASES = `id,scenario,ground_truth_prakriti,complexity_level
1,I am anxious and my skin is dry.,Vata,Simple
2,"I have a short temper, and heartburn.",Pitta,Simple
3,I feel heavy after meals.,Kapha,Complex
4,My joints crack.,Vata,Complex
`;
const QUICK = ['--set', 'interval.resamples=50'];

interface ResultLine {
  readonly case_id: string;
  readonly [field: string]: unknown;
}

function linesOf(file: string): ResultLine[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ResultLine);
}

/** Answers every question with the class it is told, and refuses one model. */
async function advisor(): Promise<ModelServer> {
  const server = await modelServer((response, request) => {
    if (request.body['model'] === 'forbidden') return refusal(404, 'no such model')(response, request);
    const asked = JSON.stringify(request.body);
    const type = asked.includes('short temper') ? 'Pitta' : 'Vata';
    completion(`Your prakriti appears to be ${type}. Eat warm rice.`)(response, request);
  });
  onTestFinished(() => server.close());
  return server;
}

function consultFolder(): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'evaluation_cases.csv'), CASES);
  mkdirSync(join(folder, 'texts'));
  writeFileSync(join(folder, 'texts/charaka.txt'), 'Vata is dry and light. Those who are anxious eat warm rice.');
  return folder;
}

function consult(folder: string, server: ModelServer | null, ...args: readonly string[]): Promise<Finished> {
  const url = server === null ? [] : ['--base-url', `${server.url}/v1`];
  return assayHere(['run', '--task', 'consult', '--dataset', 'evaluation_cases.csv', ...url, ...QUICK, ...args], {
    cwd: folder,
    env: { LANGFUSE_PUBLIC_KEY: '', LANGFUSE_SECRET_KEY: '', OPENAI_API_KEY: 'sk-test-0123456789' },
  });
}

test('a CSV of consultations is put to several systems in one call: a run, a file of answers and scores of each', async () => {
  const folder = consultFolder();
  const server = await advisor();
  const done = await consult(
    folder,
    server,
    '--target',
    'vanilla_llm=vanilla',
    '--target',
    'single_agent_rag=rag:texts',
    '--model',
    'openai/small',
    '--out',
    'runs',
  );
  expect(done.code, done.stderr).toBe(0);
  expect(done.stdout).toContain('single_agent_rag against vanilla_llm\n  4 cases paired.');
  expect(readdirSync(join(folder, 'runs')).toSorted()).toEqual([
    'results_single_agent_rag.jsonl',
    'results_vanilla_llm.jsonl',
    'single_agent_rag',
    'vanilla_llm',
  ]);
  const lines = linesOf(join(folder, 'runs/results_single_agent_rag.jsonl'));
  expect(lines.map(({ case_id }) => case_id)).toEqual(['1', '2', '3', '4']);
  expect(lines[0]).toMatchObject({
    scenario: 'I am anxious and my skin is dry.',
    ground_truth_prakriti: 'Vata',
    response: 'Your prakriti appears to be Vata. Eat warm rice.',
    sources: ['charaka.txt'],
    retrieved_context: ['Vata is dry and light. Those who are anxious eat warm rice.'],
    processing_time: expect.any(Number) as number,
  });
  // Vata, Pitta and Vata are right, Kapha is not.
  const measures = measuresOf(join(folder, 'runs/vanilla_llm/score'));
  expect(overall(measures, 'accuracy')).toBe(0.75);
  const simple = measures.measures.find(
    ({ name, slice }) => name === 'accuracy' && slice['complexity_level'] === 'Simple',
  );
  expect(simple).toMatchObject({ value: 1, n: 2 });
  // The file of answers is what assay score reads, and gives the same.
  const scored = await assayHere(
    ['score', 'consult/ayurmind', '--cases', 'evaluation_cases.csv', ...QUICK, '--out', 'again', '--quiet'].concat(
      '--predictions',
      'runs/results_vanilla_llm.jsonl',
    ),
    { cwd: folder },
  );
  expect(scored.code, scored.stderr).toBe(0);
  for (const name of ['accuracy', 'completeness', 'flesch_kincaid_grade'])
    expect(overall(measuresOf(join(folder, 'again')), name)).toBe(overall(measures, name));
});

test('a model that fails stops no other; the same call goes on with what is missing and asks nothing twice', async () => {
  const folder = consultFolder();
  const server = await advisor();
  const both = ['--model', 'openai/forbidden', '--model', 'openai/small', '--out', 'runs'];
  const first = await consult(folder, server, ...both, '--limit', '2');
  expect(first.code).toBe(2);
  expect(first.stdout).toMatch(
    /✗ openai-forbidden[\s\S]*no such model[\s\S]*✓ openai-small\n {2}2 answered, 0 failed, 2 not run/,
  );
  const asked = server.requests.filter(({ body }) => body['model'] === 'small').length;
  expect(asked).toBe(2);
  const second = await consult(folder, server, ...both);
  expect(second.stdout).toContain('✓ openai-small\n  4 answered, 0 failed');
  expect(server.requests.filter(({ body }) => body['model'] === 'small')).toHaveLength(4);
  expect(linesOf(join(folder, 'runs/results_openai-small.jsonl'))).toHaveLength(4);
});

test('recorded answers of a document stand beside a model, and their failures are lines of their own', async () => {
  const folder = consultFolder();
  const server = await advisor();
  writeLines(join(folder, 'results_ayurmind.jsonl'), [
    { case_id: '1', response: 'You are Vata.', predicted_prakriti: 'Vata', processing_time: 2.5 },
    { case_id: 2, error: 'timed out' },
    { case_id: '3', response: 'Kapha.', predicted_prakriti: 'Kapha', case_note: 'x', language: 'en' },
  ]);
  const done = await consult(
    folder,
    server,
    '--answers',
    'results_ayurmind.jsonl',
    '--model',
    'openai/small',
    '--name',
    'cmp',
  );
  expect(done.code, done.stderr).toBe(0);
  const lines = linesOf(join(folder, 'runs/cmp/results_ayurmind.jsonl'));
  expect(lines[0]).toEqual({
    case_id: '1',
    scenario: 'I am anxious and my skin is dry.',
    ground_truth_prakriti: 'Vata',
    response: 'You are Vata.',
    predicted_prakriti: 'Vata',
    processing_time: 2.5,
  });
  expect(lines[1]).toMatchObject({ case_id: '2', error: 'program: timed out' });
  expect(lines[2]).not.toHaveProperty('processing_time');
  expect(lines[3]).toMatchObject({ case_id: '4', error: 'answer: no recorded answer for "4"' });
  expect(existsSync(join(folder, 'runs/cmp/results_openai-small.jsonl'))).toBe(true);
});

test('an experiment file names several systems, and what is wrong with one is said at its line', async () => {
  const folder = experiment(['a', 'b'], [{ id: 'a', output: { entities: [], relationships: [] } }]);
  const file = join(folder, 'e.yaml');
  const head = 'name: grid\ndataset: items.jsonl\ntask: graph\n';
  writeFileSync(
    file,
    `${head}systems:\n  one: { use: recorded, answers: answers.jsonl }\n  two: { use: recorded, answer: x }\n`,
  );
  const wrong = await run(folder, 'e.yaml');
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain('e.yaml:6: systems.two.answer');
  writeFileSync(
    file,
    `${head}systems:\n  one: { use: recorded, answers: answers.jsonl }\n  two: { use: recorded, answers: answers.jsonl }\n`,
  );
  const done = await run(folder, 'e.yaml', '--json', ...QUICK);
  expect(done.code, done.stderr).toBe(0);
  expect(JSON.parse(done.stdout)).toMatchObject({
    systems: [
      {
        system: 'one',
        results: join('runs', 'grid', 'results_one.jsonl'),
        summary: { name: 'grid-one', answered: 1, failed: 1 },
      },
      { system: 'two', error: null },
    ],
    comparison: { paired: 1 },
  });
  expect(readFileSync(join(folder, 'runs/grid/results_one.jsonl'), 'utf8')).toBe(
    readFileSync(join(folder, 'runs/grid/one/outputs.jsonl'), 'utf8'),
  );
});

test('bad rows are named by file, line and column, and nothing is begun', async () => {
  const folder = consultFolder();
  writeFileSync(join(folder, 'evaluation_cases.csv'), 'id,scenario,level\n1,hello,a\n2,,b\n1,again,c\n3,x\n');
  const done = await consult(folder, null, '--answers', 'a.jsonl', '--out', 'runs');
  expect(done.code).toBe(2);
  expect(done.stderr).toContain('evaluation_cases.csv:3: scenario: expected an input, found nothing');
  expect(done.stderr).toMatch(/evaluation_cases\.csv:4: id: the id "1" was given before/);
  expect(done.stderr).toContain('evaluation_cases.csv:5: row: expected 3 cells');
  expect(existsSync(join(folder, 'runs'))).toBe(false);
  writeFileSync(join(folder, 'evaluation_cases.csv'), 'id,scenaro\n1,hello\n');
  const other = await consult(folder, null, '--answers', 'a.jsonl', '--out', 'runs');
  expect(other.stderr).toContain('there is no column "scenario" (did you mean scenaro?)');
});

test('a file of answers that no run has written is not replaced', async () => {
  const folder = consultFolder();
  writeLines(join(folder, 'results_mine.jsonl'), [{ case_id: '1', response: 'Vata.' }]);
  const done = await consult(folder, null, '--answers', 'results_mine.jsonl', '--out', '.');
  expect(done.code).toBe(2);
  expect(done.stderr).toContain('results_mine.jsonl is there already');
  expect(linesOf(join(folder, 'results_mine.jsonl'))).toHaveLength(1);
});
