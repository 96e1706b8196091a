import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { memorySource, type Source } from '../../../src/data/source.ts';
import { repeatFiles } from '../../../src/compare/repeats/repeats.ts';
import { example } from '../../cli/run-assay.ts';

interface Spans {
  id: string;
  spans: { start: number; end: number; label: string; text: string }[];
}
interface Graph {
  id: string;
  output: {
    entities: { temp_id: string; name: string; type: string }[];
    relationships: { source_ref: string; target_ref: string; type: string }[];
  };
}

function linesOf(path: string): unknown[] {
  const text = readFileSync(example(path), 'utf8').trimEnd();
  return text.split('\n').map((line): unknown => JSON.parse(line));
}

function sourceOf(name: string, rows: readonly unknown[]): Source {
  return memorySource(name, rows.map((row) => JSON.stringify(row)).join('\n'));
}

describe('personal data in the example letters', () => {
  /** The predictions of the example, changed as another run might have said them. */
  const pii = (name: string, change: (rows: Spans[]) => void = () => {}): Source => {
    const rows = linesOf('pii/predictions.jsonl') as Spans[];
    change(rows);
    return sourceOf(name, rows);
  };

  test('spans that move a little are the same, others come and go, a label changes', async () => {
    const predictions = [
      pii('one'),
      pii('two', (rows) => {
        // " Tobias" is gone, so that " Arendell" stands for " Tobias Arendell": 9 of 16 characters, PERSON needs 0.4.
        rows[0]!.spans.shift();
        // "Counsel" is gone for good, and " Ana" is taken for a place.
        rows[4]!.spans = rows[4]!.spans.filter(({ text }) => text !== 'Counsel');
        rows[2]!.spans[0]!.label = 'CITY';
      }),
      pii('three'),
    ];
    const { items, gold, notices } = await repeatFiles('pii/piranha', { gold: example('pii/gold.jsonl'), predictions });
    expect(items?.comeAndGo.map(({ case: id, label, text, runs }) => [id, label, text, ...runs])).toEqual([
      ['EX-003', 'LOC', ' Ana', null, 'spurious', null],
      ['EX-003', 'PERSON', ' Ana', 'spurious', null, 'spurious'],
      ['EX-005', 'LOC', 'Counsel', 'spurious', null, 'spurious'],
    ]);
    expect(items?.comeAndGo[0]?.near?.why).toBe('label differs: LOC and PERSON');
    expect(items?.comeAndGo[2]?.place).toEqual({ start: 468, end: 475 });
    expect(items?.attributes).toEqual([]);
    expect(gold?.counts).toMatchObject({ sometimes: 0, never: 8 });
    expect(notices).toEqual(['one, three have the same predictions: copies of one run count it several times']);
  });

  test('where labels do not gate, the label is what flips', async () => {
    const predictions = [pii('one'), pii('two', (rows) => void (rows[2]!.spans[0]!.label = 'CITY'))];
    const { items } = await repeatFiles('pii/exact', { gold: example('pii/gold.jsonl'), predictions });
    expect(items?.comeAndGo).toEqual([]);
    expect(items?.flips).toMatchObject([{ case: 'EX-003', attribute: 'label', values: ['GIVENNAME', 'CITY'] }]);
  });

  test('places count characters, also behind an emoji', async () => {
    const cases = memorySource('cases', '{"id":"e","text":"🙂🙂🙂 Ann Lee","spans":[]}\n');
    const at = (name: string, start: number, end: number): Source =>
      memorySource(name, `{"id":"e","spans":[{"start":${start},"end":${end},"label":"PERSON"}]}\n`);
    const { items } = await repeatFiles('pii/iou', { cases, predictions: [at('a', 4, 11), at('b', 4, 7)] });
    expect(items?.comeAndGo.map(({ place }) => place)).toEqual([
      { start: 4, end: 7 },
      { start: 4, end: 11 },
    ]);
    // 3 of 7 characters.
    expect(items?.comeAndGo[0]?.near?.why).toBe('similarity 0.429 is under 0.5');
  });
});

describe('what a reader has to know of the places', () => {
  const predictions = (unit: number): Source[] =>
    ['a', 'b'].map((name, at) =>
      memorySource(name, `{"id":"e","spans":[{"start":${unit},"end":${unit + 3 + at},"label":"PERSON"}]}\n`),
    );
  const cases = memorySource('cases', '{"id":"e","text":"🙂 Ann Lee","spans":[]}\n');

  test('bytes and UTF-16 units are compared as they are, and it is said', async () => {
    const set = ['data.offsets=byte'];
    const { items, notices } = await repeatFiles('pii/iou', { cases, predictions: predictions(5) }, { set });
    expect(items?.kinds[0]).toMatchObject({ items: 1, inAllRuns: 1 });
    expect(notices).toEqual([
      'places are compared in bytes as the files give them, where scoring compares them in characters',
    ]);
  });

  test('a case that is scored once per annotator counts its predictions as often', async () => {
    const docs = example('pii/docs.json');
    const { items, notices } = await repeatFiles('pii/tab', {
      cases: docs,
      predictions: [docs, example('pii/predictions.jsonl')],
    });
    expect(notices).toEqual([
      'cases are scored once per annotator, so every prediction is counted once for each of them',
    ]);
    // Masked stretches of the same boundaries are the same, whatever the label.
    expect(items?.kinds[0]?.share.value).toBe(1);
    expect(items?.attributes).toMatchObject([{ attribute: 'label', flips: 0 }]);
  });
});

describe('entities and relationships of the example texts', () => {
  const graph = (name: string, change: (rows: Graph[]) => void = () => {}): Source => {
    const rows = linesOf('graph/outputs.jsonl') as Graph[];
    change(rows);
    return sourceOf(name, rows);
  };

  test('another spelling and the inverse are the same; a type flips; a relationship goes', async () => {
    const predictions = [
      graph('one'),
      graph('two', (rows) => {
        const { entities, relationships } = rows[0]!.output;
        entities[1]!.name = 'Yda Lorn';
        entities[3]!.type = 'Town';
        // child_of the other way round, and a parent_of less.
        relationships[1] = { source_ref: 'e1', target_ref: 'e3', type: 'parent_of' };
        relationships.splice(2, 1);
        rows[3]!.output.relationships[0]!.type = 'founded';
      }),
    ];
    const { items, measures } = await repeatFiles('graph/openspec', {
      gold: example('graph/items.jsonl'),
      predictions,
    });
    expect(items?.kinds.map(({ kind, items: all, inAllRuns }) => [kind, all, inAllRuns])).toEqual([
      ['entity', 19, 19],
      ['relationship', 20, 17],
    ]);
    expect(items?.comeAndGo.map(({ kind, text, runs }) => [kind, text, ...runs])).toEqual([
      ['relationship', 'Yda Lorne --parent_of--> Perrin Lorne', 'hit', null],
      ['relationship', 'Benedikta Orlov --founded--> Lanternfish Choir', null, 'spurious'],
      ['relationship', 'Benedikta Orlov --leads--> Lanternfish Choir', 'hit', null],
    ]);
    expect(items?.comeAndGo[2]?.near?.why).toBe('type differs: founded and leads');
    expect(items?.flips).toMatchObject([
      { case: 'G01', attribute: 'type', text: 'Dunmere', values: ['place', 'town'] },
    ]);
    // 13 of 19 relationships were right, then 11 of 18.
    const precision = measures.find(({ name }) => name === 'relationship_precision');
    expect(precision?.values.map(({ value }) => value)).toEqual([13 / 19, 11 / 18]);
  });
});
