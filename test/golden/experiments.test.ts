import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe } from 'vitest';

import { ROOT } from '../cli/run-assay.ts';
import { type GoldenCommand, goldenTests } from './golden-net.ts';

type Line = Readonly<Record<string, unknown>>;

const RUN = '--local --no-report --quiet --out OUT/run';
const folder = mkdtempSync(join(tmpdir(), 'assay-experiments-'));
const example = (file: string): Line[] =>
  readFileSync(join(ROOT, 'examples', file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
const write = (name: string, lines: readonly unknown[]): void =>
  writeFileSync(join(folder, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
const run = (name: string, file: string, ...calls: readonly string[]): GoldenCommand => ({
  name,
  line: (calls.length === 0 ? [''] : calls).map((flags) => `run ${folder}/${file} ${RUN} ${flags}`.trim()).join(' && '),
});

/** Answers with what can go wrong with them: one that failed, one that no measure can read, one that is not there. */
function answers(outputs: readonly (readonly [id: string, output: unknown])[]): Line[] {
  const usage = { inputTokens: 120, outputTokens: 40, cost: 0.002 };
  return [1, 2].flatMap((repeat) =>
    outputs.flatMap(([id, output], at): Line[] => {
      const about = { id, repeat, latencyMs: 10 * at + repeat };
      if (at % 7 === 2 + repeat) return [{ ...about, error: 'the server was asleep' }];
      if (at === 5) return repeat === 1 ? [{ ...about, output: 'nonsense' }] : [];
      return [{ ...about, output, usage: at % 2 === 0 ? usage : undefined }];
    }),
  );
}

function experiment(
  task: string,
  recipe: string,
  more: string,
  records: readonly Line[],
  given: readonly Line[],
): void {
  write(`${task}-items.jsonl`, records);
  write(`${task}-answers.jsonl`, given);
  const target = `target: { use: recorded, answers: ${task}-answers.jsonl }`;
  const text = `name: golden ${task}\ndataset: ${task}-items.jsonl\n${target}\nrecipe: ${recipe}\n${more}`;
  writeFileSync(join(folder, `${task}.yaml`), text);
}

function experimentFiles(): void {
  const graph = example('graph/items.jsonl');
  const extracted = answers(example('graph/outputs.jsonl').map(({ id, output }) => [String(id), output]));
  const gate = 'gate: { rules: [{ failed: { atMost: 0.5 } }] }\n';
  experiment('graph', 'graph/openspec', `prices: { input: 1, output: 2 }\ntags: [golden]\n${gate}`, graph, extracted);
  writeFileSync(
    join(folder, 'outputs.yaml'),
    'name: outputs\ndataset: graph-items.jsonl\ntarget: { use: recorded, answers: graph-answers.jsonl }\nrecipe: none\n',
  );
  const predicted = new Map(example('journal/predictions.jsonl').map((line) => [line['journal_id'], line['items']]));
  const diaries = example('journal/journals.jsonl').map(({ journal_id: id, ...input }) => ({ id: String(id), input }));
  const gold = new Map(example('journal/gold.jsonl').map((line) => [line['journal_id'], line['items']]));
  experiment(
    'journal',
    'journal/ashwam',
    'task: journal\nset: [pair.threshold=0.3]\n',
    diaries.map(({ id, input }) => ({ id, input, expected_output: { items: gold.get(id) ?? [] } })),
    answers(diaries.map(({ id }) => [id, { items: predicted.get(id) ?? [] }])),
  );
  const spans = new Map(example('pii/predictions.jsonl').map((line) => [line['id'], line['spans']]));
  experiment(
    'pii',
    'pii/strict',
    'task: pii\n',
    example('pii/gold.jsonl').map(({ id, text, ...expected_output }) => ({ id, input: { text }, expected_output })),
    answers([...spans].map(([id, own]) => [String(id), { spans: own }])),
  );
  // The first try of every second item fails, and the next call of the command finds it answered.
  writeFileSync(
    join(folder, 'flaky.mjs'),
    `import { existsSync, readFileSync, writeFileSync } from 'node:fs';
const outputs = new Map(${JSON.stringify(example('graph/outputs.jsonl').map(({ id, output }) => [id, output]))});
export default ({ id, repeat }) => {
  const mark = new URL(\`./asked-\${id}-\${repeat}\`, import.meta.url);
  const at = [...outputs.keys()].indexOf(id);
  if (at % 2 === 1 && !existsSync(mark)) {
    writeFileSync(mark, '');
    throw new Error('not now');
  }
  return { output: outputs.get(id) ?? { entities: [], relationships: [] }, passages: [{ text: 'A passage.', source: id }] };
};
`,
  );
  writeFileSync(
    join(folder, 'flaky.yaml'),
    'name: flaky\ndataset: graph-items.jsonl\ntarget: { use: module, module: ./flaky.mjs }\nrecipe: graph/as-coded\n' +
      'repeats: 2\nlimits: { retries: 0, concurrency: 3 }\n',
  );
}

const PLAIN = 'examples/consult/plain.jsonl';
const CONSULT = '--task consult --dataset examples/consult/cases.csv';
const commands: GoldenCommand[] = [
  run('graph', 'graph.yaml'),
  run('graph-resumed', 'graph.yaml', '--repeats 2 --limit 2', '--repeats 2 --limit 5', '--repeats 2'),
  run('graph-outputs', 'outputs.yaml'),
  {
    name: 'graph-other-recipe',
    line: 'score graph/as-coded --run @graph-outputs/run --no-report --quiet --out OUT/run',
  },
  run('journal', 'journal.yaml', '--repeats 2'),
  run('pii', 'pii.yaml', '--limit 4', '--limit 3'),
  run('failed-again', 'flaky.yaml', '', '--only-failed', ''),
  {
    name: 'consult',
    line: `run ${CONSULT} --name c ${['one', 'two'].map((name) => `--answers ${name}=${PLAIN}`).join(' ')} ${RUN}`,
  },
  { name: 'graph-dry-run', line: `run ${folder}/graph.yaml --local --dry-run --json --out OUT/run` },
];

describe('golden net: experiments', () => {
  experimentFiles();
  goldenTests('experiments', commands);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
});
