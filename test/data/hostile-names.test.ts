import { describe, expect, it } from 'vitest';

import type { Case } from '../../src/data/case.ts';
import { memorySource } from '../../src/data/source.ts';
import type { CaseResult } from '../../src/measure/tally.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { scoreCases, type ScoreResult } from '../../src/score/score.ts';
import { casesOf, complaint, type Files, jsonl, problems, readerOf, shown } from './reading.ts';

/** Names that every JavaScript object answers to. */
const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'prototype', 'default'];

async function score(
  recipe: string | object,
  set: readonly string[],
  files: Files,
): Promise<[ScoreResult, CaseResult[]]> {
  const plan = await planRecipe(recipe, set);
  const results: CaseResult[] = [];
  const read: Case[] = await Array.fromAsync(readerOf(files, plan.data));
  const scored = await scoreCases(plan, read, {
    scored: ({ variants }) => void results.push(...variants.map(({ result }) => result)),
  });
  return [scored, results];
}

/** The labels that have a figure of their own, with it. */
function byLabel(scored: ScoreResult, measure: string): Map<string, number | null> {
  return new Map(
    scored.measures.flatMap(({ name, slice, value }) =>
      name === measure && Object.hasOwn(slice, 'label') ? [[slice['label']!, value]] : [],
    ),
  );
}

const all = (value: number): Map<string, number> => new Map(NAMES.map((name): [string, number] => [name, value]));

describe('ids and labels that every object answers to', () => {
  it.each(['pii/strict', 'pii/piranha', 'pii/every-scheme', 'pii/piranha-as-coded'])(
    'count like any other by %s',
    async (preset) => {
      const span = (label: string) => [{ start: 0, end: 3, label }];
      const cases = jsonl(
        ...NAMES.map((name) => ({ id: name, text: 'Ann met Bo.', gold: span(name), predicted: span(name) })),
      );
      const [scored, results] = await score(preset, ['interval.resamples=200'], { cases });
      expect(results.map((result) => result.case)).toEqual(NAMES);
      expect(results.every(({ counts }) => counts.hit === 1 && counts.missed + counts.spurious === 0)).toBe(true);
      expect(byLabel(scored, 'f1')).toEqual(all(1));
      const rules = scored.rules.filter(({ scheme, verdict }) => scheme === null && verdict === 'hit');
      expect(new Map(rules.map(({ label, n }) => [label, n]))).toEqual(all(1));
    },
  );

  it('count like any other in a journal', async () => {
    const items = (name: string) => [{ domain: name, evidence_span: 'chai', polarity: 'present' }];
    const file = jsonl(...NAMES.map((name) => ({ journal_id: name, items: items(name) })));
    const cases = jsonl(...NAMES.map((name) => ({ journal_id: name, text: 'had chai' })));
    const [scored] = await score('journal/ashwam', ['data.labels=[]'], { cases, gold: file, predictions: file });
    expect(byLabel(scored, 'f1')).toEqual(all(1));
  });

  it('count like any other in a graph', async () => {
    const side = (name: string) => ({
      entities: [{ temp_id: name, name, type: name }],
      relationships: [{ source_ref: name, target_ref: name, type: name }],
    });
    const gold = jsonl(...NAMES.map((name) => ({ id: name, expected_output: side(name) })));
    const predictions = jsonl(...NAMES.map((name) => ({ id: name, output: side(name) })));
    const [scored, results] = await score('graph/openspec', [], { gold, predictions });
    expect(results.every(({ counts }) => counts.hit === 2 && counts.missed + counts.spurious === 0)).toBe(true);
    expect(byLabel(scored, 'entity_f1')).toEqual(all(1));
  });

  it('are told apart by thresholds and kept lists too', async () => {
    const span = (label: string) => [{ start: 0, end: 3, label }];
    const cases = jsonl(
      ...NAMES.map((name) => ({ id: name, text: 'Ann met Bo.', gold: span(name), predicted: span(name) })),
    );
    const recipe = {
      task: 'pii',
      pair: { gate: ['label'], similarity: 'iou', threshold: { LOC: 0.3 } },
      measure: ['f1'],
    };
    expect(byLabel((await score(recipe, [], { cases }))[0], 'f1')).toEqual(all(1));
    expect((await complaint({ cases }, { labels: ['LOC'] })).total).toBe(NAMES.length);
    expect(await casesOf({ cases }, { labels: NAMES })).toHaveLength(NAMES.length);
  });

  it('are found as columns of a table and as annotators', async () => {
    const columns = { id: 'constructor', label: 'toString' };
    const gold = memorySource('g.csv', 'constructor,start,end,toString,valueOf\n__proto__,0,3,__proto__,x\n');
    const [only] = await casesOf(
      { gold, predictions: memorySource('p.csv', 'constructor,start,end,toString\n__proto__,0,3,a\n') },
      { columns },
    );
    expect([only!.id, shown(only!.gold), only!.gold[0]!.fields]).toEqual([
      '__proto__',
      ['__proto__  0..3'],
      { valueOf: 'x' },
    ]);
  });
});

describe('keys that every object answers to', () => {
  it('are kept as data where they are harmless', async () => {
    const gold = '{"id":"a","constructor":{"prototype":{"admin":true}},"toString":"x","spans":[]}';
    const [only] = await casesOf({ gold, predictions: '{"id":"a","spans":[],"hasOwnProperty":1}' });
    expect(only!.fields).toEqual({ constructor: { prototype: { admin: true } }, toString: 'x' });
  });

  it.each([
    ['{"id":"a","__proto__":{"admin":true},"spans":[]}', '__proto__'],
    ['{"id":"a","spans":[{"start":0,"end":1,"label":"X","__proto__":{"admin":true}}]}', 'spans[0].__proto__'],
    ['{"id":"a","spans":[{"start":0,"end":1,"label":"X","meta":[{"__proto__":1}]}]}', 'spans[0].meta'],
    ['{"id":"a","spans":[],"meta":{"deep":[{"__proto__":{"admin":true}}]}}', 'meta'],
    ['{"id":"a","spans":[],"meta":{"\\u005f_pr\\u006fto__":{"admin":true}}}', 'meta'],
    ['{"journal_id":"a","items":[{"domain":"food","evidence_span":"x","__proto__":1}]}', 'items[0].__proto__'],
  ])('pollute nothing: %s is refused', async (gold, field) => {
    expect(await problems({ gold, predictions: gold })).toEqual([
      `gold.jsonl:1: ${field}: the key __proto__ is not allowed in data (rename or remove it)`,
      `predictions.jsonl:1: ${field}: the key __proto__ is not allowed in data (rename or remove it)`,
    ]);
    expect(Reflect.get({}, 'admin')).toBeUndefined();
  });
});

describe('control characters', () => {
  const hostile = 'a\u001b[2J\u0007\u202e\r\n\u009b31m';
  const sent = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e]/;

  it('in ids, labels, texts, fields and names of files never reach the terminal', async () => {
    const record = {
      id: hostile,
      text: 'x',
      spans: [{ start: 0, end: 9, label: hostile, text: hostile }],
      [hostile]: 1,
    };
    const unknown = jsonl({ id: `${hostile}2`, spans: [{ start: hostile, end: 1, label: 'X' }] });
    const messages = await Promise.all([
      problems(
        { gold: memorySource(hostile, jsonl(record, record)), predictions: memorySource(`${hostile}p`, unknown) },
        { labels: ['X'] },
      ),
      problems({ gold: jsonl({ [hostile]: 1 }), predictions: hostile }),
      problems({
        gold: memorySource('g.csv', `id,${JSON.stringify(hostile)}\nx,1\n`),
        predictions: memorySource('p.csv', `${hostile},b\nx`),
      }),
      problems({
        gold: memorySource('g.bio', `a ${hostile.replaceAll(/\s/g, '')}\n`),
        predictions: memorySource('p.bio', '# id = \u001b[2J\n'),
      }),
      problems({ cases: jsonl({ doc_id: 'a', annotations: [], '\u001b[2J_detected_pii': [], b_detected_pii: [] }) }),
    ]);
    expect(messages.flat().length).toBeGreaterThan(8);
    for (const message of messages.flat()) expect(message).not.toMatch(sent);
  });

  it('in an id leave the case as it is', async () => {
    const file = jsonl({ id: hostile, spans: [] });
    expect((await casesOf({ gold: file, predictions: file }))[0]!.id).toBe(hostile);
  });
});
