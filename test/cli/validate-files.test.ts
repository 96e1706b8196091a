import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import type { DataFileCheck } from '../../src/audit/check-file.ts';
import { assayHere } from './assay-here.ts';
import { example, type Finished, ROOT, temporaryFolder } from './run-assay.ts';

const TEXT = 'Ann Lee met Bo in Rome.';
const span = (start: number, end: number, label = 'PERSON', text?: string): object => ({ start, end, label, text });

/** A folder with some files, and the command in it. */
function inFolder(files: Readonly<Record<string, readonly (object | string)[]>>) {
  const cwd = temporaryFolder();
  for (const [name, records] of Object.entries(files)) {
    const lines = records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record)));
    writeFileSync(join(cwd, name), `${lines.join('\n')}\n`);
  }
  const validate = (...args: readonly string[]): Promise<Finished> => assayHere(['validate', ...args], { cwd });
  const checked = async (...args: readonly string[]): Promise<DataFileCheck> =>
    JSON.parse((await validate(...args, '--json')).stdout) as DataFileCheck;
  return { cwd, validate, checked };
}

describe('assay validate with a data file', () => {
  it('reports its format, records, cases and labels, and how to score it', async () => {
    const spans = [
      { id: 'a', text: TEXT, spans: [span(0, 7), span(18, 22, 'LOC')] },
      { id: 'b', text: TEXT.replace('Ann', 'Eva'), spans: [span(0, 7)] },
    ];
    const { validate } = inFolder({ 'gold file.jsonl': spans });
    const { code, stdout } = await validate('gold file.jsonl');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^gold file\.jsonl: spans\n2 records, 2 cases, 3 items: annotations, with texts\.\n/);
    expect(stdout).toMatch(/label +items\nPERSON +2\nLOC +1\n/);
    expect(stdout).toContain('The file can be read; nothing to look at.');
    expect(stdout).toContain("score spans/strict --gold 'gold file.jsonl' --predictions PREDICTIONS --out runs/first");
    expect(stdout).toContain("score spans/strict --gold GOLD --predictions 'gold file.jsonl' --out runs/first");
  });

  it('reports every case that the recipe refuses to score, in the words of score', async () => {
    const entity = (id: number, from: number, to: number) => ({ id, label: 'P', start_offset: from, end_offset: to });
    const relation = { id: 1, from_id: 1, to_id: 2, type: 'MET' };
    const record = (id: number, entities: object[]) => ({ id, text: TEXT, entities, relations: [relation] });
    const { cwd, validate, checked } = inFolder({
      'gold.jsonl': [record(1, [entity(1, 0, 7), entity(2, 12, 14)]), record(2, []), record(3, [entity(1, 0, 7)])],
    });
    const sides = ['--gold', 'gold.jsonl', '--predictions', 'gold.jsonl'];
    const { cases, problems } = await checked('gold.jsonl');
    expect([cases, problems.total]).toEqual([3, 2]);
    const [second, third] = problems.shown;
    expect(second!.message).toBe(
      'case 2: resolve-refs cannot place an end of gold relationship 0 ("MET"): no gold entity answers to "1"',
    );
    expect(third!.message).toMatch(/^case 3: .*answers to "2"$/);
    expect((await checked('relations/strict', ...sides)).problems).toEqual(problems);
    expect((await validate('gold.jsonl')).code).toBe(1);
    const scored = await assayHere(['score', 'relations/strict', ...sides], { cwd });
    expect([scored.code, scored.stderr]).toEqual([2, expect.stringContaining(second!.message)]);
  });

  it('knows what a file holds, and the recipe for its kind of item', async () => {
    const both = [{ id: 'a', text: TEXT, gold: [span(0, 7)], predicted: [] }];
    const predictions = [
      { id: 'a', predicted: [span(0, 7)] },
      { id: 'b', error: 'timed out' },
    ];
    const bare = [{ id: 'a', spans: [span(0, 7)] }];
    const rows = ['id,start,end,label', 'a,0,7,PERSON', 'a,18,22,LOC'];
    const table = ['id,text', `a,${TEXT}`];
    const tags = ['Ann B-PER', 'Lee I-PER', 'met O', '', 'Rome B-LOC'];
    const files = { both, predictions, bare, rows, table, tags };
    const endings = { rows: 'csv', table: 'csv', tags: 'conll' } as Record<string, string>;
    const nameOf = (key: string): string => `${key}.${endings[key] ?? 'jsonl'}`;
    const { checked } = inFolder(Object.fromEntries(Object.entries(files).map(([key, lines]) => [nameOf(key), lines])));
    const seen = async (file: string): Promise<unknown[]> => {
      const { contents, hasTexts, recipe, files: read, problems, cases } = await checked(file);
      return [contents, hasTexts, recipe, read[0]?.format, cases, problems.total];
    };
    expect(await seen(nameOf('both'))).toEqual(['gold and predictions', true, 'spans/strict', 'spans', 1, 0]);
    expect(await seen(nameOf('predictions'))).toEqual(['predictions', false, 'spans/strict', 'spans', 2, 0]);
    expect(await seen(nameOf('bare'))).toEqual(['annotations', false, 'spans/strict', 'spans', 1, 0]);
    expect(await seen(nameOf('rows'))).toEqual(['annotations', false, 'spans/strict', 'csv', 1, 0]);
    expect(await seen(nameOf('table'))).toEqual(['texts', true, 'spans/strict', 'csv', 1, 0]);
    expect(await seen(nameOf('tags'))).toEqual(['annotations', true, 'spans/strict', 'conll', 2, 0]);
    expect(await seen(example('graph/outputs.jsonl'))).toEqual(['predictions', false, 'graph/openspec', 'graph', 5, 0]);
    expect(await seen(example('journal/gold.jsonl'))).toEqual([
      'annotations',
      false,
      'journal/ashwam',
      'journal',
      8,
      0,
    ]);
    expect(await seen(example('journal/journals.jsonl'))).toEqual(['texts', true, 'journal/ashwam', 'journal', 8, 0]);
    const docs = await seen(example('pii/docs.json'));
    expect(docs).toEqual(['gold and predictions', true, 'redaction/tab', 'annotated-documents', 5, 0]);
  });

  it('lists what is wrong with its line, ends with 1, and proposes nothing', async () => {
    const { validate, checked } = inFolder({
      'd.jsonl': [
        { id: 'a', text: TEXT, spans: [span(0, 7, 'PERSON', 'Ann Lea'), span(18, 99, 'LOC')] },
        '{"id": "b", "text"',
        { id: 'a', text: TEXT, spans: [] },
      ],
    });
    const { problems } = await checked('d.jsonl');
    expect(problems.total).toBe(4);
    expect(problems.shown.map(({ line }) => line)).toEqual([1, 1, 2, 3]);
    const { code, stdout } = await validate('d.jsonl');
    expect(code).toBe(1);
    expect(stdout).toContain('d.jsonl:3: the id "a" was given before in this file');
    expect(stdout).toContain('4 problems: the file cannot be scored as it is.');
    expect(stdout).not.toContain('score spans/strict');
  });

  it('reports a file that it cannot recognise, and one that is empty', async () => {
    const { validate } = inFolder({ 'strange.json': [{ foo: 1 }], 'empty.jsonl': [] });
    const strange = await validate('strange.json');
    expect([strange.code, strange.stdout]).toEqual([1, expect.stringContaining('strange.json:1: unknown file format')]);
    expect((await validate('empty.jsonl')).code).toBe(1);
  });

  it('has the findings of the recipe form', async () => {
    const cases = Array.from({ length: 10 }, (_, at) => ({
      id: `c${at}`,
      text: `${TEXT} The same words again, ten times.`,
      spans: [span(0, 7)],
    }));
    const { checked, validate } = inFolder({ 'd.jsonl': [...cases, { id: 'x', text: ' ', spans: [] }] });
    const { findings, skipped } = await checked('d.jsonl');
    expect(findings.map(({ name }) => name)).toEqual(['empty-text', 'duplicate-cases']);
    expect(skipped).toEqual([]);
    expect((await validate('d.jsonl')).code).toBe(0);
    expect((await validate('d.jsonl', '--strict', '--quiet')).code).toBe(1);
  });

  it('checks each of several, and shows how to check two against each other', async () => {
    const gold = [{ id: 'a', text: TEXT, gold: [span(0, 7)] }];
    const { validate } = inFolder({ 'p.jsonl': [{ id: 'a', predicted: [span(0, 99)] }], 'g.jsonl': gold });
    const { code, stdout } = await validate('p.jsonl', 'g.jsonl');
    // Without its text nobody can tell that the place is past the end: the two together can.
    expect(code).toBe(0);
    expect(stdout).toContain('p.jsonl: spans\n');
    expect(stdout).toContain('g.jsonl: spans\n');
    expect(stdout).toContain(
      'To check them against each other:\n  assay validate spans/strict --gold g.jsonl --predictions p.jsonl\n',
    );
    expect((await validate('spans/strict', '--gold', 'g.jsonl', '--predictions', 'p.jsonl')).code).toBe(1);
    const json = JSON.parse((await validate('p.jsonl', 'g.jsonl', '--json')).stdout) as DataFileCheck[];
    expect(json.map(({ contents }) => contents)).toEqual(['predictions', 'annotations']);
  });

  it('reads what flags say how to read, and repeats them for the score', async () => {
    const { validate } = inFolder({ 't.csv': ['document,from,to,category', 'a,0,7,PERSON'] });
    expect((await validate('t.csv')).code).toBe(1);
    const { code, stdout } = await validate('t.csv', '--columns', 'id=document,start=from,end=to,label=category');
    expect(code).toBe(0);
    expect(stdout).toContain(
      '--predictions PREDICTIONS --columns id=document,start=from,end=to,label=category --out runs/first',
    );
  });

  it('takes standard input, compressed files and folders', async () => {
    const line = `${JSON.stringify({ id: 'a', text: TEXT, spans: [span(0, 7)] })}\n`;
    const { cwd, validate } = inFolder({});
    const piped = await assayHere(['validate', '-'], { cwd, input: line });
    expect([piped.code, piped.stdout]).toEqual([0, expect.stringContaining('1 record, 1 case, 1 item')]);
    writeFileSync(join(cwd, 'd.jsonl.gz'), gzipSync(line));
    expect((await validate('d.jsonl.gz')).stdout).toContain('1 record, 1 case, 1 item');
    mkdirSync(join(cwd, 'corpus'));
    writeFileSync(join(cwd, 'corpus', 'one.txt'), TEXT);
    writeFileSync(join(cwd, 'corpus', 'one.ann'), 'T1\tPERSON 0 7\tAnn Lee\n');
    expect((await validate('corpus')).stdout).toMatch(/^corpus: brat\n1 record, 1 case, 1 item/);
  });

  it('takes a recipe for a recipe, whatever its file is called, and refuses what is neither', async () => {
    const gold = [{ id: 'a', text: TEXT, gold: [span(0, 7)], predicted: [] }];
    const { validate } = inFolder({
      'recipe.json': [{ task: 'pii', measure: ['f1'] }],
      'task.json': [{ id: 'a', task: 'pii', text: TEXT, spans: [] }],
      'd.jsonl': gold,
    });
    expect((await validate('recipe.json', '--cases', 'd.jsonl')).stdout).toContain('Data for recipe.json: 1 case');
    expect((await validate('task.json')).stdout).toContain('task.json: spans');
    const refusals = [
      [
        ['d.jsonl', '--gold', 'd.jsonl'],
        'd.jsonl is a data file, which is checked by itself, and --gold names another',
      ],
      [['spans/strict', 'd.jsonl'], 'spans/strict is a recipe, and d.jsonl comes after it'],
      [['d.jsonl', 'gone.jsonl'], 'gone.jsonl does not exist'],
      [['gone.jsonl'], 'gone.jsonl does not exist'],
      [['pii/strct'], 'there is no preset or recipe file called pii/strct'],
      [['-', '-'], 'standard input (-) can be read once only'],
    ] as const;
    for (const [args, message] of refusals) {
      const { code, stderr } = await validate(...args);
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    }
    expect((await assayHere(['validate', '--help'], { cwd: ROOT })).stdout).toContain('assay validate gold.jsonl');
  });
});
