import { describe, expect, it } from 'vitest';

import { caseOf, casesOf, jsonl, problems } from '../reading.ts';

const entities = [{ name: 'Ann', type: 'Person' }];
const relationships = [{ source_name: 'Ann', target_name: 'Bo', relationship_type: 'knows' }];
const item = {
  id: 'g1',
  input: { document_text: 'Ann knows Bo.' },
  expected_output: { entities, relationships },
  metadata: { difficulty: 'easy' },
};
const output = {
  entities: [{ temp_id: 'e1', name: 'Ann', type: 'Person' }],
  relationships: [{ source_ref: 'e1', target_ref: 'Bo', type: 'knows' }],
};

describe('graph', () => {
  it('reads dataset items and extractions', async () => {
    const only = await caseOf({ gold: jsonl(item), predictions: jsonl({ id: 'g1', output }) });
    expect(only).toMatchObject({ id: 'g1', text: 'Ann knows Bo.', fields: { metadata: { difficulty: 'easy' } } });
    expect(
      only.gold.map(({ kind, index, label, text, source, target }) => ({ kind, index, label, text, source, target })),
    ).toEqual([
      { kind: 'entity', index: 0, label: 'Person', text: 'Ann', source: null, target: null },
      { kind: 'relationship', index: 0, label: 'knows', text: 'Ann --knows--> Bo', source: 'Ann', target: 'Bo' },
    ]);
    expect(only.predicted.map(({ text, source, target }) => ({ text, source, target }))).toEqual([
      { text: 'Ann', source: null, target: null },
      { text: 'e1 --knows--> Bo', source: 'e1', target: 'Bo' },
    ]);
    expect(only.predicted[0]!.fields['temp_id']).toBe('e1');
  });

  it('takes both sides from one file', async () => {
    const only = await caseOf({ cases: jsonl({ ...item, output }) });
    expect([only.gold.length, only.predicted.length]).toEqual([2, 2]);
  });

  it('takes entities and relationships at the top of a record, and Langfuse’s spelling', async () => {
    const { expected_output: expectedOutput, ...rest } = item;
    const only = await caseOf({
      gold: jsonl({ ...rest, expectedOutput }),
      predictions: jsonl({ id: 'g1', ...output }),
    });
    expect([only.gold.length, only.predicted.length]).toEqual([2, 2]);
  });

  it('takes a text as the whole input', async () => {
    expect((await caseOf({ cases: jsonl({ ...item, input: 'Ann knows Bo.', output }) })).text).toBe('Ann knows Bo.');
    expect((await caseOf({ cases: jsonl({ ...item, input: null, output }) })).text).toBeNull();
  });

  it('takes triples without entities, and a text at the top of the record', async () => {
    const triples = { id: 'g1', text: 'Ann knows Bo.', relationships };
    const only = await caseOf({ gold: jsonl(triples), predictions: jsonl(triples) });
    expect(only).toMatchObject({ text: 'Ann knows Bo.', gold: [{ source: 'Ann' }], predicted: [{ target: 'Bo' }] });
    expect(only.fields).toEqual({});
    expect((await caseOf({ cases: jsonl({ ...item, input: {}, text: 'Ann knows Bo.', output }) })).text).toBe(
      'Ann knows Bo.',
    );
    expect(await problems({ cases: jsonl({ ...item, input: {}, text: 7, output }) })).toEqual([
      expect.stringContaining('text: expected text, found 7'),
    ]);
  });

  it('counts {id, error} as failed, also when it comes first', async () => {
    const read = await casesOf({
      gold: jsonl(item, { ...item, id: 'g2' }, { ...item, id: 'g3' }),
      predictions: jsonl({ id: 'g2', error: 'timeout' }, { id: 'g1', output }),
    });
    expect(read.map(({ id, failed, answered }) => ({ id, failed, answered }))).toEqual([
      { id: 'g1', failed: null, answered: true },
      { id: 'g2', failed: 'timeout', answered: true },
      { id: 'g3', failed: null, answered: false },
    ]);
  });

  it('counts an item without an output line as failed when the recipe says so', async () => {
    const read = await casesOf(
      { gold: jsonl(item, { ...item, id: 'g2' }), predictions: jsonl({ id: 'g1', output }) },
      { missingPrediction: 'failed' },
    );
    expect(read.map(({ failed, answered }) => ({ failed, answered }))).toEqual([
      { failed: null, answered: true },
      { failed: 'no prediction was given', answered: false },
    ]);
  });

  it('lets an entity go without a type, and a side without one of the lists', async () => {
    const only = await caseOf({
      gold: jsonl({ id: 'g1', expected_output: { entities: [{ name: 'Ann' }] } }),
      predictions: jsonl({ id: 'g1', output: {} }),
    });
    expect(only.gold.map(({ label }) => label)).toEqual(['']);
    expect(only.predicted).toEqual([]);
  });

  it.each([
    [{ expected_output: null }, 'expected_output: expected an object with entities and relationships, found null'],
    [
      { expected_output: [entities] },
      'expected_output: expected an object with entities and relationships, found a list of 1',
    ],
    [{ expected_output: { entities: {} } }, 'expected_output.entities: expected a list, found an object'],
    [{ expected_output: { entities: [null] } }, 'expected_output.entities[0]: expected an object, found null'],
    [
      { expected_output: { entities: [{ type: 'Person' }] } },
      'expected_output.entities[0].name: expected a name, found nothing',
    ],
    [
      { expected_output: { entities: [{ name: 'Ann', type: 7 }] } },
      'expected_output.entities[0].type: expected a type (text), found 7',
    ],
    [
      { expected_output: { relationships: ['knows'] } },
      'expected_output.relationships[0]: expected an object, found "knows"',
    ],
    [
      { expected_output: { relationships: [{ ...relationships[0], relationship_type: 1 }] } },
      'expected_output.relationships[0].type: expected a relationship type, found 1',
    ],
    [
      { expected_output: { relationships: [{ type: 'knows', source_ref: null, target_ref: 'Bo' }] } },
      'expected_output.relationships[0].source_name: expected a name or reference, found null',
    ],
    [
      { expected_output: { relationships: [{ type: 'knows', source_ref: 'Ann' }] } },
      'expected_output.relationships[0].target_name: expected a name or reference, found nothing',
    ],
    [{ input: ['Ann'] }, 'input: expected an object with document_text, found a list of 1'],
    [{ input: { document_text: 5 } }, 'input.document_text: expected text, found 5'],
  ])('refuses %j', async (fault, message) => {
    expect(await problems({ gold: jsonl({ ...item, ...fault }), predictions: jsonl({ id: 'g1', output }) })).toEqual([
      `gold.jsonl:1: ${message}`,
    ]);
  });

  it('names the field as the file has it', async () => {
    const joins = [{ source: 'e1', target: 'e2', type: 'works_at' }];
    const missing = 'relationships[0].source_name: expected a name or reference, found nothing';
    const records = [
      { record: { id: 'g1', text: 'Ann.', entities, relationships: joins }, where: '' },
      { record: { id: 'g1', expectedOutput: { relationships: joins } }, where: 'expectedOutput.' },
    ];
    for (const { record, where } of records)
      expect(await problems({ gold: jsonl(record), predictions: jsonl({ id: 'g1', output }) })).toEqual([
        `gold.jsonl:1: ${where}${missing}`,
      ]);
    expect(await problems({ gold: jsonl(item), predictions: jsonl({ id: 'g1', entities: 7, relationships }) })).toEqual(
      ['predictions.jsonl:1: entities: expected a list, found 7'],
    );
  });

  describe('places of entities', () => {
    const placed = (start: unknown, end: unknown, more: object = {}) => ({
      gold: jsonl({ ...item, expected_output: { entities: [{ name: 'Ann', type: 'Person', start, end, ...more }] } }),
      predictions: jsonl({ id: 'g1', output: { entities: [] } }),
    });
    const required = { places: 'required' } as const;

    it('are plain fields unless the recipe asks for them, right or wrong', async () => {
      const only = await caseOf(placed(400, 'x'));
      expect(only.gold[0]).toMatchObject({ start: -1, end: -1, fields: { start: 400, end: 'x' } });
    });

    it('are read and checked against the text where the recipe needs them', async () => {
      expect((await caseOf(placed(0, 3), required)).gold[0]).toMatchObject({ text: 'Ann', start: 0, end: 3 });
      // What has no name is called as the text has it there.
      const unnamed = await caseOf(placed(10, 12, { name: undefined }), required);
      expect(unnamed.gold[0]).toMatchObject({ text: 'Bo', start: 10, end: 12 });
    });

    it('are counted in the unit of the file', async () => {
      const files = {
        gold: jsonl({ id: 'e', text: '😀 Ann', entities: [{ name: 'Ann', start: 2, end: 5 }], relationships: [] }),
        predictions: jsonl({ id: 'e', output: {} }),
      };
      expect((await caseOf(files, { ...required, offsets: 'codepoint' })).gold[0]).toMatchObject({ start: 3, end: 6 });
      expect(await problems(files, { ...required, offsets: 'utf16' })).toEqual([
        expect.stringContaining('the text of the span 2..5 is "Ann", but the document has " An" there'),
      ]);
    });

    it.each([
      [0, undefined, 'expected_output.entities[0].end: expected a whole number below 2^53, found null'],
      ['0', 3, 'expected_output.entities[0].start: expected a whole number below 2^53, found "0"'],
      [0.5, 3, 'expected_output.entities[0].start: expected a whole number below 2^53, found 0.5'],
      [3, 0, 'the span 3..0 is reversed'],
      [-3, 0, 'the span -3..0 is negative'],
      [0, 99, 'the span 0..99 is past the end of the text (13 characters)'],
      [1, 4, 'the text of the span 1..4 is "Ann", but the document has "nn " there'],
    ])('%j to %j is refused', async (start, end, message) => {
      expect(await problems(placed(start, end), required)).toEqual([expect.stringContaining(message)]);
    });

    it('a prediction with a place that is not in the text is an error, or spurious', async () => {
      const entity = { name: 'Ann', start: 50, end: 53 };
      const files = { ...placed(0, 3), predictions: jsonl({ id: 'g1', output: { entities: [entity] } }) };
      expect(await problems(files, required)).toEqual([
        expect.stringContaining('or count such predictions as spurious: --set data.badSpan=spurious'),
      ]);
      const only = await caseOf(files, { ...required, badSpan: 'spurious' });
      expect(only.predicted[0]).toMatchObject({ start: -1, refused: { because: expect.any(String) } });
    });

    it('an entity without a place is a quote, to be found in the text', async () => {
      const text = 'Ann met Bo.';
      const files = (...names: string[]) => ({
        gold: jsonl({ id: 'q', text, entities: [{ name: 'Ann', start: 0, end: 3 }], relationships: [] }),
        predictions: jsonl({ id: 'q', output: { entities: names.map((name) => ({ name })) } }),
      });
      const { predicted } = await caseOf(files('Bo', 'Ann', 'Zed'), required);
      expect(predicted.map(({ start, end, aligned }) => [start, end, aligned?.status])).toEqual([
        [8, 10, 'exact'],
        [0, 3, 'exact'],
        [-1, -1, 'missing'],
      ]);
      expect(predicted[2]?.refused?.because).toBe('the quote "Zed" is not in the text');
      expect(await problems(placed(undefined, undefined, { name: 'Zed' }), required)).toEqual([
        expect.stringContaining('the quote "Zed" is not in the text (correct the quote, or give its start and end)'),
      ]);
      // A recipe that compares names does not look.
      expect((await caseOf(files('Ann'))).predicted[0]).toMatchObject({ start: -1, text: 'Ann' });
    });

    it('move with a text that is repaired', async () => {
      const files = {
        gold: jsonl({ id: 'm', text: 'cafÃ© Ann', entities: [{ name: 'Ann', start: 6, end: 9 }], relationships: [] }),
        predictions: jsonl({ id: 'm', output: {} }),
      };
      const only = await caseOf(files, { ...required, mojibake: 'repair' });
      expect([only.text, only.gold[0]?.start, only.gold[0]?.end]).toEqual(['café Ann', 5, 8]);
    });
  });

  it('refuses a prediction without an output', async () => {
    expect(await problems({ gold: jsonl(item), predictions: jsonl({ id: 'g1', output: null }) })).toEqual([
      'predictions.jsonl:1: output: expected an object with entities and relationships, found null',
    ]);
  });
});
