import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { makeCase } from '../../src/data/case.ts';
import { UsageError } from '../../src/data/problems.ts';
import { makeItem } from '../../src/data/item.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { compareRuns } from '../../src/compare/compare-runs.ts';
import { makeFingerprint } from '../../src/score/fingerprint.ts';
import { readRun } from '../../src/score/run-file.ts';
import { retally } from '../../src/score/retally.ts';
import { scoreCases } from '../../src/score/score.ts';
import { groupIntervals } from '../../src/stats/measure-intervals.ts';
import { story } from '../judge/verdicts.ts';
import { logged } from '../measure/logged-items.ts';
import { scoreWith } from '../recipe/score-with.ts';
import { type MadeStream, streamCase, THREE } from '../recipe/stream-cases.ts';
import { folders } from './scored-folders.ts';

const scored = folders();
const recipe = 'stream/exaid';

describe('what a case has logged', () => {
  test('follows its verdicts, by kind and index, and joins no other scheme', async () => {
    const given = streamCase('a', {
      trace: ['C1'],
      covered: { C1: 5 },
      summaries: [{ summary_ctu: 5 }, { summary_ctu: 6, ok: false }],
      flushes: [{ ctu: 1 }],
    });
    const turned = { ...given, logged: given.logged!.toReversed() };
    for (const one of [given, turned]) {
      const { verdicts, rules, confusion } = await scoreWith({ extends: recipe, schemes: { loose: {} } }, one);
      expect(story(verdicts())).toEqual([
        'hit pair concept',
        'excused logged flush',
        'hit schema summary',
        'spurious schema summary',
        'excused logged trace',
      ]);
      expect(verdicts()[2]?.predicted?.fields).toEqual({ summary_ctu: 5 });
      expect(story(verdicts('loose'))).toEqual(['hit pair concept']);
      expect(rules.find(({ kind, verdict }) => kind === 'summary' && verdict === 'spurious')?.n).toBe(1);
      expect(confusion.map(({ kind }) => kind)).toEqual(['concept', 'concept']);
    }
  });

  test('is excused with everything else where the case failed', async () => {
    const { verdicts, measure, cases } = await scoreWith(recipe, [
      streamCase('a', { failed: 'no log', trace: ['C1'], summaries: [{ summary_ctu: 5 }] }),
      streamCase('b', { summaries: [{ summary_ctu: 7 }] }),
    ]);
    expect(cases).toMatchObject({ total: 2, failed: 1 });
    expect(story(verdicts()).slice(0, 3)).toEqual([
      'excused failed concept',
      'excused failed trace',
      'excused failed summary',
    ]);
    expect(measure('summary_ctu')).toMatchObject({ value: 7, n: 1 });
  });

  test('cannot be of a kind that is paired', async () => {
    const item = makeItem({ kind: 'concept', index: 0, label: 'concept', text: 'C1' });
    const wrong = scoreWith(recipe, makeCase({ id: 'a', logged: [{ item, verdict: 'hit', rule: 'x' }] }));
    await expect(wrong).rejects.toThrow(UsageError);
    await expect(wrong).rejects.toThrow('case a logs an item of the kind concept, which is paired, not logged');
  });

  test('keeps its reason and its attributes', async () => {
    const one = { ...logged('grounding', {}, 'spurious'), because: 'nowhere', attributes: { in_window: false } };
    const { verdicts } = await scoreWith(recipe, makeCase({ id: 'a', logged: [one] }));
    expect(verdicts()[0]).toMatchObject({ because: 'nowhere', attributes: { in_window: false }, gold: null });
  });
});

describe('the fingerprint', () => {
  const print = (made: MadeStream, turn = false): { gold: string; predicted: string } => {
    const given = streamCase('a', made);
    const own = makeFingerprint();
    own.add(turn ? { ...given, logged: given.logged!.toReversed() } : given);
    return { gold: own.gold(), predicted: own.predicted() };
  };
  const base: MadeStream = { trace: ['C1'], summaries: [{ ctu: 1 }, { ctu: 2 }] };

  test.each<[string, MadeStream]>([
    ['a number', { ...base, summaries: [{ ctu: 1 }, { ctu: 3 }] }],
    ['a verdict', { ...base, summaries: [{ ctu: 1 }, { ctu: 2, ok: false }] }],
    ['one more', { ...base, summaries: [{ ctu: 1 }, { ctu: 2 }, { ctu: 2 }] }],
    ['another kind', { ...base, summaries: [{ ctu: 1 }], decisions: [{ ctu: 2 }] }],
  ])('of the predictions changes with %s, that of gold does not', (_, made) => {
    expect(print(made).predicted).not.toBe(print(base).predicted);
    expect(print(made).gold).toBe(print(base).gold);
  });

  test('does not change with their order', () => {
    expect(print(base, true)).toEqual(print(base));
  });
});

describe('the signature', () => {
  const signed = async (given: string | object, concepts?: Record<string, unknown>) =>
    scoreCases(await planRecipe(given, ['interval=off'], concepts === undefined ? {} : { concepts }), THREE);
  const linker = { name: 'linker', version: '1', knowledgeBase: 'sha256:1' };

  test('names what found the concepts; another knowledge base is another question', async () => {
    const [one, other, none] = [
      await signed(recipe, linker),
      await signed(recipe, { ...linker, knowledgeBase: 'sha256:2' }),
      await signed(recipe),
    ];
    expect(one.comparable).toMatch(/\|judge:none\|concepts:linker#[0-9a-f]{12}\|gold:/);
    expect(other.comparable).not.toBe(one.comparable);
    // But for the extractor, the recipe is the same.
    const plain = (text: string): string => text.replace(/\|concepts:[^|]*/, '');
    expect(plain(other.comparable)).toBe(none.comparable);
    expect(plain(one.signature)).toBe(none.signature);
  });

  test('does not change with words: limits, what is said about a measure, and its unit', async () => {
    const words = {
      extends: recipe,
      limits: 'other words',
      measure: {
        summary_ctu: { about: 'what there is to read' },
        flush_ctu: { unit: 'quarters of four characters' },
        llm_ctu_total: { measure: { about: 'all of it' } },
      },
    };
    expect((await signed(words)).comparable).toBe((await signed(recipe)).comparable);
    const other = { extends: recipe, measure: { flush_ctu: { direction: 'lower' } } };
    expect((await signed(other)).comparable).not.toBe((await signed(recipe)).comparable);
    const join = { extends: recipe, stream: { join: 'space' } };
    expect((await signed(join)).comparable).not.toBe((await signed(recipe)).comparable);
  });
});

test('the order of cases and of what they logged changes no value, interval or signature', async () => {
  const plan = await planRecipe(recipe, ['interval.resamples=50']);
  const fraction = fc.integer({ min: 0, max: 1000 }).map((n) => n / 997);
  const summary = fc.record(
    {
      summary_ctu: fc.nat(300),
      latency_ms: fc.nat(3000),
      redundancy: fraction,
      unsupported_in_window: fraction,
      ok: fc.boolean(),
    },
    { requiredKeys: ['summary_ctu', 'ok'] },
  );
  const made = fc.record({
    summaries: fc.array(summary, { maxLength: 12 }),
    flushes: fc.array(fc.record({ ctu: fc.nat(200) }), { maxLength: 5 }),
    traceCtu: fc.integer({ min: 1, max: 5000 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(made, { minLength: 1, maxLength: 6 }), fc.infiniteStream(fc.nat()), async (all, keys) => {
      const cases = all.map((one, at) => streamCase(`c${at}`, one));
      const shuffled = <T>(list: readonly T[]): T[] =>
        list
          .map((one) => ({ one, key: keys.next().value }))
          .sort((a, b) => a.key - b.key)
          .map(({ one }) => one);
      const turned = shuffled(cases).map((given) => ({ ...given, logged: shuffled(given.logged!) }));
      expect(await scoreCases(plan, turned)).toEqual(await scoreCases(plan, cases));
    }),
    { seed: 20261, numRuns: 40 },
  );
});

test('the ledger adds up again to every value, note, spread and interval, in slices and clusters too', async () => {
  const more = [
    ...THREE,
    streamCase('d', {
      fields: { agents: 2 },
      trace: ['C1', 'C2', 'C3'],
      covered: { C3: 0.1 },
      summaries: [{ summary_ctu: 1 / 3, latency_ms: 0.1, redundancy: 1 / 7, unsupported_in_window: 0.3 }],
      flushes: [{ ctu: 0.7, reason: 'max_words' }],
    }),
    streamCase('e', { fields: { agents: 2 }, failed: 'no log', summaries: [{ summary_ctu: 5 }] }),
  ];
  for (const set of [['slice=[label, agents]'], ['slice=[agents]', 'interval.cluster=agents']]) {
    const plan = await planRecipe(recipe, ['interval.resamples=500', ...set]);
    const run = await scored(`again-${set.length}`, more, { recipe, set });
    const read = await readRun(run.folder);
    expect(read.measures).toEqual(run.measures);
    const { tally, measures } = await retally(read);
    const settings = { ...plan.interval!, unit: plan.interval?.cluster ?? 'case' };
    const sure = await groupIntervals(tally.groups(), measures, settings);
    expect(tally.values(tally.groups(), sure)).toEqual(run.measures.measures);
    const overall = run.measures.measures.filter(({ slice }) => Object.keys(slice).length === 0);
    expect(overall.find(({ name }) => name === 'trace_coverage')?.interval).not.toBeNull();
  }
});

test('compare pairs the values of cases; a case without one in either run is counted, not won or lost', async () => {
  const system = (values: readonly (number | null)[]) =>
    values.map((v, at) =>
      streamCase(`c${at}`, { trace: ['C1'], summaries: v === null ? [] : [{ unsupported_in_window: v }] }),
    );
  const a = await scored('pairs-a', system([0.5, 0.25, null, 1, 0, null]), { recipe });
  const b = await scored('pairs-b', system([0.25, 0.5, 0.5, 0.5, null, null]), { recipe });
  const { measures } = await compareRuns([a.folder, b.folder]);
  const row = measures.find(({ name }) => name === 'unsupported_in_window')!;
  expect(row).toMatchObject({
    // Over c0, c1 and c3, which have a value in both: (0.5 + 0.25 + 1) / 3 and (0.25 + 0.5 + 0.5) / 3.
    baseline: 1.75 / 3,
    other: 1.25 / 3,
    // Lower is better: c0 and c3 are won, c1 is lost; c2 and c4 have a value in one run, c5 in none.
    wins: 2,
    losses: 1,
    ties: 0,
    withoutPair: 2,
    units: 3,
  });
  expect(row.difference).toBeCloseTo(-0.5 / 3, 12);
  expect(row.wilcoxon.n).toBe(3);
});
