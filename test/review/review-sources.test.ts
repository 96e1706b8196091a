import { describe, expect, it } from 'vitest';

import { memorySource } from '../../src/data/source.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { sourcesOfCases } from '../../src/review/review-sources.ts';

const lines = (name: string, ...records: object[]) =>
  memorySource(name, records.map((record) => `${JSON.stringify(record)}\n`).join(''));

describe('what systems found', () => {
  it('of a graph names what references stand for, and keeps what leads nowhere', async () => {
    const plan = await planRecipe('graph/review');
    const gold = lines('items.jsonl', {
      id: 'g1',
      input: { document_text: 'Ann knows Bo.' },
      expected_output: { entities: [{ name: 'Ann', type: 'Person' }], relationships: [] },
    });
    const output = {
      entities: [
        { temp_id: 'e1', name: 'Ann', type: 'Person' },
        { temp_id: 'e2', name: 'Bo', type: 'Person' },
      ],
      relationships: [
        { source_ref: 'e1', target_ref: 'e2', type: 'knows' },
        { source_ref: 'e1', target_ref: 'e9', type: 'likes' },
      ],
    };
    const { sources, notices } = await sourcesOfCases(plan, {
      gold,
      systems: [{ system: 'a', source: lines('out.jsonl', { id: 'g1', output }) }],
      traceOf: (id) => `trace of ${id}`,
    });
    expect(notices).toEqual([]);
    expect(sources).toMatchObject([{ caseId: 'g1', system: 'a', language: null, texts: { text: 'Ann knows Bo.' } }]);
    expect(sources[0]?.predicted.map(({ kind, label, source, target }) => [kind, label, source, target])).toEqual([
      ['entity', 'Person', null, null],
      ['entity', 'Person', null, null],
      ['relationship', 'knows', 'Ann', 'Bo'],
      ['relationship', 'likes', 'Ann', 'e9'],
    ]);
    expect(sources[0]?.hidden).toEqual({
      gold: [{ kind: 'entity', label: 'Person', text: 'Ann', start: -1, end: -1, indexes: [0] }],
      traceId: 'trace of g1',
    });
  });

  it('is read for each system, without any gold, and a case without an answer is told, not reviewed', async () => {
    const plan = await planRecipe('journal/review');
    const cases = lines(
      'journals.jsonl',
      { journal_id: 'J1', text: 'Ate rice.', lang: 'en' },
      { journal_id: 'J2', text: 'Slept.', lang: 'hi' },
    );
    const rice = { domain: 'food', evidence_span: 'rice', polarity: 'present' };
    const { sources, notices } = await sourcesOfCases(plan, {
      cases,
      systems: [
        { system: 'a', source: lines('a.jsonl', { journal_id: 'J1', items: [rice] }, { journal_id: 'J2', items: [] }) },
        { system: 'b', source: lines('b.jsonl', { journal_id: 'J1', items: [] }) },
      ],
    });
    expect(sources.map(({ caseId, system, language }) => [caseId, system, language])).toEqual([
      ['J1', 'a', 'en'],
      ['J2', 'a', 'hi'],
      ['J1', 'b', 'en'],
    ]);
    expect(notices).toEqual(['1 case has no answer of "b": not under review']);
  });
});

describe('files that do not fit', () => {
  it('are named with what is in one and not in the other', async () => {
    const plan = await planRecipe('journal/review');
    const cases = lines('journals.jsonl', { journal_id: 'J1', text: 'Ate rice.' });
    const source = lines('p.jsonl', { journal_id: 'J1', items: [] }, { journal_id: 'J9', items: [] });
    await expect(sourcesOfCases(plan, { cases, systems: [{ system: 'a', source }] })).rejects.toThrow(
      'p.jsonl:2: predictions for "J9", which is not in journals.jsonl',
    );
    await expect(sourcesOfCases(plan, { cases, systems: [{ system: 'a', source: undefined }] })).rejects.toThrow(
      '"a" has no answer to any case',
    );
  });
});

describe('the presets for reviewers', () => {
  it.each(['journal/review', 'pii/review', 'graph/review'])(
    '%s scores as its parent does and has a form',
    async (name) => {
      const plan = await planRecipe(name);
      const parent = await planRecipe(
        { journal: 'journal/ashwam', pii: 'pii/strict', graph: 'graph/openspec' }[plan.task as 'pii'],
      );
      expect(plan.review).toMatchObject({ under: 'text', show: [{ field: 'text' }] });
      expect(Object.values(plan.review!.fields)[0]).toMatchObject({
        type: 'items',
        from: 'predicted',
        adjudicate: true,
      });
      expect({ ...plan.resolved, about: '' }).toEqual({ ...parent.resolved, about: '' });
    },
  );
});
