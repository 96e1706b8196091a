import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import type { Case } from '../../../src/data/case.ts';
import { sourceOf } from '../../../src/data/named-files.ts';
import { planRecipe } from '../../../src/recipe/plan.ts';
import { presetNames } from '../../../src/recipe/presets.ts';
import { caseReader } from '../../../src/formats/case-formats.ts';
import { scoreCases } from '../../../src/score/score.ts';
import { waterfallOf, watchWaterfall } from '../../../src/compare/waterfall/make-waterfall.ts';
import type { Move, WaterfallStep } from '../../../src/compare/waterfall/waterfall.ts';
import { caseOf, entity, object, quoted, relationship } from '../../pair/items.ts';

const EXAMPLES = join(import.meta.dirname, '../../../examples');

const FILES: Readonly<Record<string, Readonly<Record<'cases' | 'gold' | 'predictions', string | null>>>> = {
  pii: { cases: 'pii/docs.json', gold: null, predictions: null },
  journal: {
    cases: 'journal/journals.jsonl',
    gold: 'journal/gold.jsonl',
    predictions: 'journal/predictions.jsonl',
  },
  graph: { cases: null, gold: 'graph/items.jsonl', predictions: 'graph/outputs.jsonl' },
  relations: { cases: null, gold: 'relations/gold.jsonl', predictions: 'relations/predictions.jsonl' },
  consult: { cases: 'consult/cases.csv', gold: null, predictions: 'consult/guided.jsonl' },
};

describe('the last row is the score', () => {
  test.each(presetNames().filter((name) => !name.startsWith('stream/')))('%s over its example', async (name) => {
    const plan = await planRecipe(name, ['interval=off']);
    const files = (FILES[name.split('/')[0]!] ?? FILES[plan.task])!;
    const read = (): AsyncIterable<Case> => {
      const open = (file: string | null): ReturnType<typeof sourceOf> | undefined =>
        file === null ? undefined : sourceOf(join(EXAMPLES, file));
      return caseReader(
        { cases: open(files['cases']), gold: open(files['gold']), predictions: open(files['predictions']) },
        plan,
      );
    };
    const { measures, cases } = await scoreCases(plan, read());
    const waterfall = await waterfallOf(plan, read());
    const overall = measures.filter(({ slice }) => Object.keys(slice).length === 0);
    expect(waterfall.steps.at(-1)?.measures).toEqual(
      Object.fromEntries(overall.map(({ name: measure, value }) => [measure, value])),
    );
    expect(waterfall.cases).toBe(cases.total - cases.failed);
    expect(waterfall.without.map(({ path }) => path)).toEqual(waterfall.steps.slice(1).map(({ path }) => path));
    // What moves in the last step moves back when the last rule alone is taken away.
    expect(waterfall.without.at(-1)?.moves?.total).toBe(
      waterfall.steps.length === 1 ? undefined : waterfall.steps.at(-1)?.moves?.total,
    );
  });
});

const TEXT = 'Ann Lee met Bo in Oslo Court.';
const MEETING = caseOf({
  id: 'm1',
  text: TEXT,
  gold: [quoted(TEXT, 'Ann Lee', 'PERSON'), quoted(TEXT, 'Bo', 'PERSON'), quoted(TEXT, 'Oslo Court', 'ORG')],
  predicted: [
    quoted(TEXT, 'Ann', 'GIVENNAME'),
    quoted(TEXT, 'Lee', 'SURNAME'),
    quoted(TEXT, 'Bo', 'PERSON'),
    quoted(TEXT, 'Oslo', 'LOC'),
  ],
});
const RECIPE = {
  task: 'pii',
  prepare: {
    annotator: 'first',
    relabel: { map: { GIVENNAME: 'PERSON', SURNAME: 'PERSON' } },
    merge: { gap: 1 },
  },
  pair: { gate: ['label'], similarity: 'iou', threshold: 0.5 },
  judge: { 'loc-in-org': { predicted: ['LOC'], gold: ['ORG'] } },
  measure: ['recall', 'f1'],
};

function counts({ kinds }: WaterfallStep): number[] {
  return kinds.flatMap(({ hit, spurious, missed, excused }) => [hit, spurious, missed, excused]);
}

function where(moves: readonly Move[] | undefined): string[] {
  return (moves ?? []).map(({ side, index, text, from, to }) => [side, index, text, from, to].join(' '));
}

describe('a meeting, worked out by hand', () => {
  test('each rule adds what it adds, and the parts of a merged span move one by one', async () => {
    const { steps, kept, shown, recipe } = await waterfallOf(await planRecipe(RECIPE), [MEETING]);
    expect({ kept, shown, recipe }).toEqual({ kept: ['prepare.annotator'], shown: 'f1', recipe: 'inline' });
    expect(steps.map((step) => [step.path, step.setting, counts(step)])).toEqual([
      ['strict', 'same label and boundaries', [1, 3, 2, 0]],
      ['prepare.relabel', '{ map: { GIVENNAME: PERSON, SURNAME: PERSON } }', [1, 3, 2, 0]],
      ['prepare.merge', '{ gap: 1 }', [2, 1, 1, 0]],
      ['pair.similarity', 'iou ≥ 0.5', [2, 1, 1, 0]],
      ['judge.loc-in-org', '{ predicted: [LOC], gold: [ORG] }', [3, 0, 0, 0]],
    ]);
    expect(steps.map(({ kinds }) => kinds[0]?.precision)).toEqual([1 / 4, 1 / 4, 2 / 3, 2 / 3, 1]);
    expect(steps.map(({ measures }) => measures['recall'])).toEqual([1 / 3, 1 / 3, 2 / 3, 2 / 3, 1]);
    expect(steps[0]?.moves).toBeNull();
    expect(steps[1]?.moves).toEqual({ total: 0, by: [], shown: [] });
    expect(where(steps[2]?.moves?.shown)).toEqual([
      'gold 0 Ann Lee missed hit',
      'predicted 0 Ann spurious hit',
      'predicted 1 Lee spurious hit',
    ]);
    expect(steps[2]?.moves?.by).toEqual([
      { side: 'gold', from: 'missed', to: 'hit', n: 1 },
      { side: 'predicted', from: 'spurious', to: 'hit', n: 2 },
    ]);
    expect(where(steps[4]?.moves?.shown)).toEqual(['gold 2 Oslo Court missed hit', 'predicted 3 Oslo spurious hit']);
    expect(steps[4]?.moves?.shown[0]?.rule).toBe('loc-in-org');
  });

  test('each rule alone taken away from the whole', async () => {
    const { without } = await waterfallOf(await planRecipe(RECIPE), [MEETING]);
    expect(without.map((step) => [step.path, counts(step)])).toEqual([
      // Two names of two labels are not merged, and neither is "Ann Lee".
      ['prepare.relabel', [2, 2, 1, 0]],
      // 3 of 7 characters are less than half.
      ['prepare.merge', [2, 2, 1, 0]],
      ['pair.similarity', [3, 0, 0, 0]],
      ['judge.loc-in-org', [2, 1, 1, 0]],
    ]);
    expect(where(without[1]?.moves?.shown)).toEqual([
      'gold 0 Ann Lee hit missed',
      'predicted 0 Ann hit spurious',
      'predicted 1 Lee hit spurious',
    ]);
  });

  test('a failed case is in no row', async () => {
    const failed = { ...MEETING, id: 'm2', failed: 'timeout' };
    const { cases, steps } = await waterfallOf(await planRecipe(RECIPE), [MEETING, failed]);
    expect(cases).toBe(1);
    expect(counts(steps[0]!)).toEqual([1, 3, 2, 0]);
  });

  test('what a rule sets aside is excused', async () => {
    const plan = await planRecipe({ ...RECIPE, prepare: { drop: { labels: ['LOC'] } }, judge: {} });
    const { steps } = await waterfallOf(plan, [MEETING]);
    expect(steps[1]?.path).toBe('prepare.drop');
    expect(where(steps[1]?.moves?.shown)).toEqual(['predicted 3 Oslo spurious excused']);
  });

  test('partial credit and tokens are counted by their worth', async () => {
    const half = await planRecipe({
      task: 'pii',
      pair: { gate: [], similarity: 'iou', threshold: 0.3, partial: 0.5 },
      measure: ['f1'],
    });
    const { steps } = await waterfallOf(half, [MEETING]);
    expect(steps.map(({ path }) => path)).toEqual(['strict', 'pair.gate', 'pair.similarity', 'pair.partial']);
    // "Ann" is 3/7 of "Ann Lee" and "Oslo" 4/10 of "Oslo Court": two halves and a whole.
    expect(steps.map((step) => counts(step)[0])).toEqual([1, 1, 3, 2]);
    const tokens = await planRecipe({ task: 'pii', pair: { gate: ['label'], unit: 'token' }, measure: ['f1'] });
    const byToken = await waterfallOf(tokens, [MEETING]);
    // Tokens: "Bo" is right, "Ann" and "Lee" each missed and spurious, "Oslo" both, "Court" missed.
    expect(byToken.steps.map((step) => [step.path, counts(step)])).toEqual([
      ['strict', [1, 3, 2, 0]],
      ['pair.unit', [1, 3, 4, 0]],
    ]);
    expect(byToken.steps[1]?.moves).toBeNull();
  });
});

test('relationships start from same ends and type, and what widens that comes one by one', async () => {
  const plan = await planRecipe({
    task: 'graph',
    prepare: { 'resolve-refs': { unresolved: 'leave-out' } },
    pair: {
      normalise: ['lower'],
      relationship: { similarity: 'relation', threshold: 0.8, inverse: [['employs', 'works_for']] },
    },
    measure: { relationship_f1: { of: 'f1', kind: 'relationship' } },
  });
  const given = caseOf({
    id: 'g1',
    gold: [entity('Ada'), entity('Mill', 'Place'), relationship('Mill', 'employs', 'Ada')],
    predicted: [
      entity('ada'),
      entity('Mill', 'Place'),
      relationship('ada', 'works_for', 'Mill'),
      relationship('Mill', 'employs', 'Bo'),
    ],
  });
  const { steps, kept, shown } = await waterfallOf(plan, [given]);
  expect(kept).toEqual(['prepare.resolve-refs']);
  expect(shown).toBe('relationship_f1');
  expect(steps.map((step) => [step.path, step.setting, counts(step)])).toEqual([
    ['strict', 'same names and types', [1, 1, 1, 0, 0, 2, 1, 0]],
    ['prepare.resolve-refs', '{ unresolved: leave-out }', [1, 1, 1, 0, 0, 1, 1, 1]],
    ['pair.entity.gate', '[]', [1, 1, 1, 0, 0, 1, 1, 1]],
    ['pair.relationship.threshold', 'relation ≥ 0.8', [1, 1, 1, 0, 0, 1, 1, 1]],
    ['pair.normalise', '[lower]', [2, 0, 0, 0, 0, 1, 1, 1]],
    ['pair.relationship.inverse', '[[employs, works_for]]', [2, 0, 0, 0, 1, 0, 0, 1]],
  ]);
});

test('hits that lack credit are counted beside what the hits are worth', async () => {
  const plan = await planRecipe({
    task: 'pii',
    pair: { gate: ['label'], similarity: 'iou', threshold: 0, partial: 0.5 },
    measure: ['recall'],
  });
  const given = { ...MEETING, predicted: [quoted(TEXT, 'Ann', 'PERSON'), quoted(TEXT, 'Bo', 'PERSON')] };
  const { steps } = await waterfallOf(plan, [given]);
  expect(steps[0]!.kinds).toMatchObject([{ kind: 'span', hit: 1, missed: 2, spurious: 1, excused: 0 }]);
  expect(steps[0]!.kinds[0]).not.toHaveProperty('partly');
  // Ann for Ann Lee is worth a half: 1.5 of 2 hits and of 3 gold items.
  const last = { hit: 1.5, missed: 1, spurious: 0, precision: 0.75, recall: 0.5, hits: 2, partly: 1 };
  expect(steps.at(-1)).toMatchObject({ kinds: [last], measures: { recall: 0.5 } });
});

test('an attribute is a rule where a measure requires it to be right', async () => {
  const recipe = {
    task: 'journal',
    pair: { gate: ['label'] },
    attributes: { polarity: { normalise: ['lower'] }, time: { missing: 'unknown' } },
    measure: { f1: {}, strict_f1: { of: 'f1', require: ['polarity'] } },
  };
  const given = caseOf({
    gold: [object('food', 'rice', { polarity: 'present' })],
    predicted: [object('food', 'rice', { polarity: 'PRESENT' })],
  });
  const { steps } = await waterfallOf(await planRecipe(recipe), [given]);
  expect(steps.map(({ path, setting, measures }) => [path, setting, measures['f1'], measures['strict_f1']])).toEqual([
    ['strict', 'same label and text', 1, 0],
    ['attributes.polarity', '{ normalise: [lower] }', 1, 1],
  ]);
});

test('alternatives after the first are one step each, under their names', async () => {
  const plan = await planRecipe('pii/piranha-as-coded');
  const { steps } = await waterfallOf(plan, [MEETING]);
  expect(steps.map(({ path }) => path)).toEqual([
    'strict',
    'prepare.drop',
    'prepare.dedupe',
    'prepare.relabel',
    'prepare.merge-in-order',
    'prepare.merge-continued',
    'pair.accept.contained.similarity',
    'pair.accept.contained.tolerance',
    'pair.accept.mostly-inside',
    'pair.accept.overlap',
    'pair.assign',
    'pair.ties',
    'judge.loc-in-org',
    'judge.excuse-missed',
    'judge.excuse-overlap',
  ]);
  expect(steps[8]?.setting).toBe('inside-gold ≥ 0.5, gate [label], tolerance 1');
  expect(steps[9]?.setting).toBe('iou ≥ 0.3 LOC, 0.4 PERSON, 0.5 others');
});

test('rules that stand twice, in another order or switched off are taken as they run', async () => {
  const plan = await planRecipe({
    task: 'pii',
    prepare: {
      order: ['second', 'merge', 'first'],
      first: { rule: 'drop', labels: ['A'] },
      merge: 'on',
      second: { rule: 'drop', labels: ['B'] },
      trim: 'off',
    },
    schemes: { token: { unit: 'token' } },
  });
  const { steps } = await waterfallOf(plan, [MEETING]);
  expect(steps.map(({ path, setting }) => [path, setting])).toEqual([
    ['strict', 'same label and boundaries'],
    ['prepare.second', '{ rule: drop, labels: [B] }'],
    ['prepare.merge', 'on'],
    ['prepare.first', '{ rule: drop, labels: [A] }'],
    ['pair.gate', '[]'],
  ]);
});

describe('while a run is scored', () => {
  const cases = [MEETING, { ...MEETING, id: 'm2' }];

  test('it is the same waterfall', async () => {
    const plan = await planRecipe(RECIPE);
    const watch = watchWaterfall(plan);
    await scoreCases(plan, cases, watch.sink);
    expect(watch.result()).toEqual({ waterfall: await waterfallOf(plan, cases), noWaterfall: null });
  });

  test('beyond what takes a few seconds it stops, and says how to get one', async () => {
    const plan = await planRecipe(RECIPE);
    // Seven items of a case under 8 variants: 5 rows, and less relabel, merge, similarity; the last is a row already.
    const enough = watchWaterfall(plan, 2 * 7 * 8);
    await scoreCases(plan, cases, enough.sink);
    expect(enough.result().waterfall?.cases).toBe(2);
    const watch = watchWaterfall(plan, 2 * 7 * 8 - 1);
    await scoreCases(plan, cases, watch.sink);
    expect(watch.result().waterfall).toBeNull();
    expect(watch.result().noWaterfall).toContain('assay waterfall');
    expect(watch.result().noWaterfall).toContain('8 variants');
  });

  test('a stream recipe has none, and a variant that cannot be scored does not stop the run', async () => {
    const stream = watchWaterfall(await planRecipe('stream/exaid'));
    expect(stream.result()).toEqual({ waterfall: null, noWaterfall: expect.stringContaining('no rule between') });
    const plan = await planRecipe(RECIPE);
    const watch = watchWaterfall(plan);
    // Merging cannot be done without a text once there are neighbours.
    watch.sink.scored?.({ given: { ...MEETING, text: null }, variants: [] });
    expect(watch.result().waterfall).toBeNull();
    expect(watch.result().noWaterfall).toContain('cannot be scored');
  });
});
