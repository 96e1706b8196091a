import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { isRecord } from '../../../src/data/record-fields.ts';
import { targetSchema } from '../../../src/experiment/targets/target-kinds.ts';
import { completion, json, modelServer } from '../../experiment/models/model-server.ts';
import { folderWith } from '../../recipe/recipe-files.ts';
import { serving } from '../../server/langfuse/serving.ts';
import { assayHere } from '../assay-here.ts';
import type { Finished } from '../run-assay.ts';

const GRAPH = {
  document_text: 'Ann leads the Harbour Office.',
  object_schemas: { Person: { properties: { born: {} } } },
};
/** Null wherever the schema of the extractor allows it. */
const EXTRACTED = {
  entities: [
    { temp_id: 'e1', name: 'Ann', type: 'Person', description: null, properties: null },
    { temp_id: 'e2', name: 'Harbour Office', type: 'Organisation', description: null, properties: null },
  ],
  relationships: [{ source_ref: 'e1', target_ref: 'e2', type: 'leads', description: null }],
};
const NOTED = {
  items: [
    {
      domain: 'symptom',
      evidence_span: 'headache',
      polarity: 'present',
      time_bucket: null,
      intensity_bucket: null,
      arousal_bucket: null,
    },
    {
      domain: 'emotion',
      evidence_span: 'not in the entry',
      polarity: 'present',
      time_bucket: null,
      arousal_bucket: null,
    },
  ],
};
const ENTRY = { journal_id: 'J1', text: 'A headache since noon.' };
const QUESTION = { scenario: 'I sleep badly.' };
const PROGRAM = `
import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (line) =>
  console.log(JSON.stringify({ id: JSON.parse(line).id, output: ${JSON.stringify(EXTRACTED)} })));
`;

/** Each built-in target: the task of its items, an input, what its model or server answers, and its settings. */
const TARGETS: Readonly<Record<string, readonly [task: string, input: object, answer: unknown, settings: object]>> = {
  model: ['graph', GRAPH, EXTRACTED, {}],
  http: ['graph', GRAPH, EXTRACTED, {}],
  command: ['graph', GRAPH, null, { command: [process.execPath, 'program.mjs'] }],
  module: ['graph', GRAPH, null, { module: './extract.mjs' }],
  recorded: ['graph', GRAPH, null, { answers: 'answers.jsonl' }],
  'graph-extractor': ['graph', GRAPH, EXTRACTED, {}],
  'journal-extractor': ['journal', ENTRY, NOTED, { unsupported: 'flag' }],
  vanilla: ['consult', QUESTION, 'Rest.', {}],
  rag: ['consult', QUESTION, 'Rest [1].', { folder: 'texts' }],
};

/** Names of the properties that a JSON Schema allows to be null. */
function nullableFields(schema: unknown): string[] {
  if (!isRecord(schema)) return [];
  return Object.entries(schema).flatMap(([name, part]) => [
    ...(isRecord(part) && Array.isArray(part['type']) && part['type'].includes('null') ? [name] : []),
    ...(Array.isArray(part) ? part : [part]).flatMap(nullableFields),
  ]);
}

test('every built-in target is seeded from', () => {
  const names = targetSchema.options.map(({ shape }) => shape.use.value);
  expect(Object.keys(TARGETS).toSorted()).toEqual(names.toSorted());
});

const CASES = Object.keys(TARGETS).flatMap((use) =>
  (['local', 'langfuse'] as const).map((place) => [use, place] as const),
);

test.each(CASES)(
  'the trace of a %s target becomes an item of a dataset with the task’s schema (%s)',
  async (use, place) => {
    const [task, input, answer, settings] = TARGETS[use]!;
    const folder = folderWith({
      'program.mjs': PROGRAM,
      'extract.mjs': `export default () => (${JSON.stringify(EXTRACTED)});`,
      'answers.jsonl': `${JSON.stringify({ id: 'one', output: EXTRACTED })}\n`,
      'items.jsonl': `${JSON.stringify({ id: 'one', input })}\n`,
      'texts/sleep.md': 'Sleep comes early to those who rest.',
    });
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
    const server = await modelServer(use === 'http' ? json(200, answer) : completion(text));
    onTestFinished(() => server.close());
    const asked = use === 'http' ? { url: server.url } : { model: 'openai-compatible/x', baseUrl: `${server.url}/v1` };
    const target = { use, ...(answer === null ? {} : asked), ...settings };
    const experiment = { name: 'production', dataset: 'items.jsonl', target, recipe: 'none' };
    writeFileSync(join(folder, 'e.json'), JSON.stringify(experiment));
    const keys = { LANGFUSE_BASE_URL: '', LANGFUSE_PUBLIC_KEY: '', LANGFUSE_SECRET_KEY: '' };
    const env = {
      ...keys,
      ...(place === 'langfuse' ? (await serving()).environment : {}),
      OPENAI_API_KEY: 'sk-seed-0123456789',
    };
    const assay = async (...args: readonly string[]): Promise<Finished> => {
      const done = await assayHere(args, { cwd: folder, env });
      expect(done, done.stderr).toMatchObject({ code: 0 });
      return done;
    };
    await assay('run', 'e.json');
    for (const { body } of server.requests)
      for (const field of nullableFields(body['response_format'])) expect(text).toContain(`"${field}":null`);
    const traces = JSON.parse((await assay('dataset', 'traces', 'items', '--json')).stdout) as { traceId: string }[];
    await assay('dataset', 'seed', 'seeded', '--from-trace', traces[0]!.traceId, '--task', task);
    expect((await assay('dataset', 'validate', 'seeded')).stdout).toBe('1 item of seeded: nothing is wrong.\n');
  },
);
