import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { assayHere } from './assay-here.ts';
import { temporaryFolder, words } from './run-assay.ts';
import { run, writeLines } from './run/recorded-experiment.ts';

const TEXT = 'Ann met Bo.';
const ANN = { start: 0, end: 3 };

/** The text of each measure of a run folder, and the verdicts. */
function scored(folder: string): unknown {
  const { measures } = JSON.parse(readFileSync(join(folder, 'measures.json'), 'utf8')) as {
    measures: readonly { name: string; value: number | null; slice: object | null }[];
  };
  return measures.map(({ name, value, slice }) => ({ name, value, slice }));
}

/** Two items, and the answers of a run to them as outputs. */
async function bothWays(outputs: readonly unknown[]) {
  const folder = temporaryFolder();
  const ids = outputs.map((_, at) => `d${at}`);
  const expected_output = { spans: [{ ...ANN, label: 'PER' }] };
  writeLines(
    join(folder, 'items.jsonl'),
    ids.map((id) => ({ id, input: { text: TEXT }, expected_output })),
  );
  const answers = ids.map((id, at) => ({ id, output: outputs[at] }));
  writeLines(join(folder, 'answers.jsonl'), answers);
  const recipe = ['--recipe', 'spans/strict', '--set', 'interval=off'];
  const ran = await run(folder, ...words`--dataset items.jsonl --name r --answers answers.jsonl --out ran ${recipe}`);
  const files = ['--cases', 'items.jsonl', '--predictions', 'answers.jsonl', '--set', 'interval=off'];
  const score = await assayHere(['score', 'spans/strict', ...files, '--out', 'scored'], { cwd: folder });
  const again = await assayHere(['score', ...recipe.slice(1), '--run', 'ran', '--out', 'again'], { cwd: folder });
  return { folder, ran, score, again };
}

describe('outputs of a run are read as the same records in a file of score', () => {
  const group = { entity_group: 'PER', word: 'Ann', score: 0.9, ...ANN };
  it.each([
    ['a bare list of a Hugging Face pipeline', [[group], []]],
    ['entities of a pipeline', [{ entities: [group] }, { entities: [] }]],
    ['spans of a pipeline', [{ spans: [] }, { spans: [group] }]],
    ['quotes of a language model', [{ entities: [] }, { entities: [{ text: 'Ann', type: 'PER' }] }]],
    ['entities of spaCy', [{ text: TEXT, ents: [{ ...ANN, label: 'PER' }] }, { ents: [] }]],
    ['results of Presidio', [[{ entity_type: 'PER', score: 0.8, ...ANN }], { results: [] }]],
    ['plain spans', [{ spans: [{ ...ANN, label: 'PER' }] }, { spans: [] }]],
    ['nothing anywhere', [[], []]],
  ])('%s', async (what, outputs) => {
    const { folder, ran, score, again } = await bothWays(outputs);
    expect([ran.code, score.code, again.code, score.stderr + again.stderr]).toEqual([0, 0, 0, '']);
    expect(scored(join(folder, 'ran/score'))).toEqual(scored(join(folder, 'scored')));
    expect(scored(join(folder, 'again'))).toEqual(scored(join(folder, 'scored')));
    const recall = what === 'nothing anywhere' ? 0 : 0.5;
    expect(scored(join(folder, 'ran/score'))).toContainEqual(
      expect.objectContaining({ name: 'recall', value: recall }),
    );
  });

  it('what nothing reads is a failure of the run, with the message of score', async () => {
    const { ran, score } = await bothWays([{ spans: [{ ...ANN, label: 'PER' }] }, { spans: 'Ann' }]);
    expect(ran.stdout.replaceAll(/\s+/g, ' ')).toContain('spans: expected a list, found "Ann"');
    expect(score.stderr).toContain('answers.jsonl:2: spans: expected a list, found "Ann"');
  });

  it('an output with other lists than a graph is a failure too, not one without entities', async () => {
    const folder = temporaryFolder();
    const expected_output = { entities: [{ name: 'Ann', type: 'PER' }], relationships: [] };
    const ids = ['a', 'b'];
    writeLines(
      join(folder, 'items.jsonl'),
      ids.map((id) => ({ id, input: { document_text: TEXT }, expected_output })),
    );
    const answers = [expected_output, { nodes: expected_output.entities, edges: [] }];
    writeLines(
      join(folder, 'answers.jsonl'),
      ids.map((id, at) => ({ id, output: answers[at] })),
    );
    const call = words`--dataset items.jsonl --name r --answers answers.jsonl --recipe graph/openspec`;
    const { stdout } = await run(folder, ...call);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('output: expected an object with entities and relationships');
  });

  it('a list that is null is an empty one, counted by both', async () => {
    const extraction = { extraction_class: 'PER', extraction_text: 'Ann', char_interval: { start_pos: 0, end_pos: 3 } };
    const outputs = [
      { document_id: 'd0', extractions: [extraction] },
      { document_id: 'd1', extractions: null },
    ];
    const { folder, ran, score } = await bothWays(outputs);
    expect([ran.code, score.code]).toEqual([0, 0]);
    for (const { stdout } of [ran, score])
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain('1 record without a list of annotations (absent or null)');
    for (const place of ['ran/score', 'scored'])
      expect(JSON.parse(readFileSync(join(folder, place, 'manifest.json'), 'utf8'))).toMatchObject({
        notices: { absentLists: 1 },
      });
  });

  it('an item whose gold cannot be read is refused, not run as one without gold', async () => {
    const folder = temporaryFolder();
    const wrong: readonly (readonly [task: string, expected: object, message: string])[] = [
      ['graph', { entities: 7, relationships: [] }, 'expected_output.entities: expected a list, found 7'],
      ['journal', { items: 7 }, 'items: expected a list, found 7'],
      ['spans', { spans: 7 }, 'spans: expected a list, found 7'],
    ];
    for (const [task, expected_output, message] of wrong) {
      const input = task === 'graph' ? { document_text: TEXT } : { text: TEXT };
      writeLines(join(folder, `${task}.jsonl`), [{ id: task, input, expected_output }]);
      writeLines(join(folder, 'answers.jsonl'), [{ id: task, output: {} }]);
      const recipe = { graph: 'graph/openspec', journal: 'journal/ashwam' }[task] ?? 'spans/strict';
      const call = words`--dataset ${`${task}.jsonl`} --name ${task} --answers answers.jsonl --recipe ${recipe}`;
      const { code, stderr } = await run(folder, ...call);
      expect([task, code, stderr]).toEqual([task, 2, expect.stringContaining(message)]);
    }
  });
});
