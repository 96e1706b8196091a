import { describe, expect, it } from 'vitest';

import type { FetchedTrace } from '../../../src/experiment/backend.ts';
import { ITEM_SCHEMAS } from '../../../src/experiment/datasets/item-schemas.ts';
import { expectedRelations, seedItem } from '../../../src/experiment/datasets/seed-item.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const input = { document_text: 'Ann knows Bo.' };
const output = { entities: [{ name: 'Ann', type: 'Person' }], relationships: [] };

function trace(changes: Partial<FetchedTrace> = {}): FetchedTrace {
  return {
    id: TRACE,
    observationId: null,
    name: 'extract',
    input,
    output,
    corrected: null,
    metadata: null,
    url: null,
    ...changes,
  };
}
const options = { dataset: 'eval', schemas: ITEM_SCHEMAS.graph };

describe('an item made of a trace', () => {
  it('has the trace’s input and output and links back', () => {
    const { item, expectedFrom } = seedItem(trace(), { ...options, metadata: { difficulty: 'hard' } });
    expect(item).toEqual({
      id: expect.stringMatching(/^trace-4bf92f35-[0-9a-f]{12}$/),
      input,
      expectedOutput: output,
      metadata: { difficulty: 'hard', source_trace_id: TRACE, expected_from: 'trace' },
      sourceTraceId: TRACE,
      status: 'ACTIVE',
    });
    expect(expectedFrom).toBe('trace');
  });

  it('has the same id each time, and another in another dataset', () => {
    const id = (dataset: string): string => seedItem(trace(), { ...options, dataset }).item.id;
    expect(id('eval')).toBe(id('eval'));
    expect(id('eval')).not.toBe(id('other'));
  });

  it('takes the validated output where one is given, and says so', () => {
    const validated = { output: { entities: [], relationships: [] }, file: 'right.json' };
    const { item, expectedFrom } = seedItem(trace({ output: null }), { ...options, validated });
    expect(item.expectedOutput).toEqual(validated.output);
    expect(item.metadata).toEqual({ source_trace_id: TRACE, expected_from: 'validated' });
    expect(expectedFrom).toBe('validated');
  });

  it('is refused with all that its schemas find wrong, where it stands', () => {
    const bad = { entities: [{ name: 'Ann' }], relationships: {} };
    expect(() => seedItem(trace({ input: 'Ann', output: bad }), options)).toThrow(
      [
        `trace ${TRACE}: input: expected an object, found "Ann"`,
        `trace ${TRACE}: expected_output.entities[0].type: expected, but not there`,
        `trace ${TRACE}: expected_output.relationships: expected a list, found an object`,
      ].join('\n'),
    );
    const validated = { output: bad, file: 'right.json' };
    expect(() => seedItem(trace(), { ...options, validated })).toThrow('right.json: expected_output.entities[0].type');
  });

  it('needs an input and an output', () => {
    expect(() => seedItem(trace({ input: null }), options)).toThrow('has no input');
    expect(() => seedItem(trace({ output: null }), options)).toThrow('has no output');
  });
});

describe('the output of a graph pipeline', () => {
  const entities = [
    { temp_id: 'e1', name: 'Ann', type: 'Person', confidence: 0.9 },
    { temp_id: 'e2', name: 'Bo', type: 'Person' },
  ];

  it('becomes an expected output: references by temp_id or by name become names', () => {
    const relationships = [
      { source_ref: 'e1', target_ref: 'Bo', type: 'knows', confidence: 0.5 },
      { source_name: 'Bo', target_ref: 'e1', relationship_type: 'married_to' },
    ];
    const { item, resolved } = seedItem(trace({ output: { entities, relationships } }), options);
    expect(resolved).toBe(true);
    expect(item.expectedOutput).toEqual({
      entities: [
        { name: 'Ann', type: 'Person', confidence: 0.9 },
        { name: 'Bo', type: 'Person' },
      ],
      relationships: [
        { source_name: 'Ann', target_name: 'Bo', relationship_type: 'knows', confidence: 0.5 },
        { source_name: 'Bo', target_name: 'Ann', relationship_type: 'married_to' },
      ],
    });
  });

  it('is refused where a reference leads to no entity, also without any schema', () => {
    const relationships = [{ source_ref: 'e1', target_ref: 'e7', type: 'knows' }];
    expect(expectedRelations({ entities, relationships })?.faults).toEqual([
      {
        path: 'expected_output.relationships[0].target_ref',
        message: 'expected the temp_id or name of an entity, found "e7"',
      },
    ]);
    expect(() => seedItem(trace({ output: { entities, relationships } }), { dataset: 'eval', schemas: {} })).toThrow(
      'expected_output.relationships[0].target_ref',
    );
  });

  it('is left alone where no relationship has a reference', () => {
    const odd = { entities, relationships: [] };
    expect(seedItem(trace({ output: odd }), options)).toMatchObject({ resolved: false, item: { expectedOutput: odd } });
  });
});
