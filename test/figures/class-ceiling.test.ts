import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { type Case, makeCase } from '../../src/data/case.ts';
import { makeItem } from '../../src/data/item.ts';
import { readReviewLines } from '../../src/review/read-review-lines.ts';
import { fileSource, type Source } from '../../src/data/source.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { consultReviews } from '../../src/review/consult-reviews.ts';
import { lineForm } from '../../src/review/review-line-layout.ts';
import { snapshotOfLines } from '../../src/review/line-snapshot.ts';
import { consultReader, readConsultFiles } from '../../src/formats/consult/consult-reader.ts';
import { classCeilingCounts } from '../../src/figures/class-ceiling-counts.ts';
import { FiguresWatch } from '../../src/figures/figures-watch.ts';
import type { Ceiling } from '../../src/figures/run-figures.ts';
import { makeCaseScorer } from '../../src/score/score-case.ts';
import { scoreCases } from '../../src/score/score.ts';
import { madeUpRun } from '../report/made-up-run.ts';

const PLANS = {
  usual: await planRecipe('consult/ayurmind', ['interval.resamples=300']),
  asWritten: await planRecipe('consult/as-coded', ['interval.resamples=300']),
};
const EXPERTS = ['asha', 'bela', 'chand', 'devi', 'ekta'];

/** A case by what its experts say, one word each, and the system's class; a dash for nothing said. */
function voted(id: string, said: string, system: string | null, more: Partial<Case> = {}): Case {
  const experts = said
    .split(' ')
    .flatMap((label, at): [string, string][] => (label === '-' ? [] : [[EXPERTS[at]!, label]]));
  const classItem = (label: string, fields: object) =>
    makeItem({ kind: 'class', index: 0, label, text: label, fields: { ...fields } });
  return {
    ...makeCase({
      id,
      text: 'I am cold',
      gold: [classItem('vata', { by: 'experts', experts: Object.fromEntries(experts) })],
      predicted: system === null ? [] : [classItem(system, {})],
    }),
    ...more,
  };
}

function ceiling(cases: readonly Case[], plan = PLANS.usual): Ceiling | null {
  const score = makeCaseScorer(plan);
  const counts = classCeilingCounts(plan);
  for (const given of cases) for (const scored of score(given)) counts.add(scored.case);
  return counts.ceiling();
}

const values = ({ people }: Ceiling): unknown => people.map(({ name, value, n }) => [name, value, n]);

describe('experts among each other', () => {
  /*
   * The example. Votes of asha, bela and chand; the given class does not matter.
   *   C01 vata vata vata    C02 pitta pitta vata    C03 kapha kapha kapha
   *   C04 vata-pitta vata pitta    C05 pitta-kapha pitta-kapha kapha    C06 unknown unknown unknown
   * The others of asha agree in C01 and C03 (and C06, which is left out): she has 2 of 2. Those of bela in the same: 2 of 2.
   * Those of chand in C01, C02, C03 and C05, and he differs in C02 and C05: 2 of 4. People: (1 + 1 + 1/2) / 3 = 5/6.
   * plain is right in C03 only: 1/2, 1/2 and 1/4, mean 5/12. guided is right in C01, C02 and C03, in both languages where it
   * has two, and says pitta in C05: 1, 1 and 3/4, mean 11/12.
   */
  const example = (name: string): Source =>
    fileSource(new URL(`../../examples/consult/${name}`, import.meta.url).pathname);

  async function exampleCeiling(system: string, set: readonly string[] = []): Promise<readonly Ceiling[]> {
    const plan = await planRecipe('consult/ayurmind', ['interval=off', ...set]);
    const [files] = await readConsultFiles(
      example('cases.csv'),
      [{ system, source: example(`${system}.jsonl`) }],
      plan,
    );
    const lines = await readReviewLines([example('reviews.csv')], { form: lineForm(plan.review!) });
    const reviews = consultReviews(snapshotOfLines(lines, plan.review!), plan.consult!);
    const watch = new FiguresWatch(plan);
    await scoreCases(plan, consultReader(files!, plan, reviews), watch.sink);
    return watch.finish(madeUpRun(), { waterfall: null, noWaterfall: 'nobody asked' }).ceiling;
  }

  test.each([
    ['plain', 5 / 12],
    ['guided', 11 / 12],
  ])('in the example, and %s among them', async (system, value) => {
    const [found, ...others] = await exampleCeiling(system);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ measure: 'accuracy', cases: 4, verdict: 'too little data' });
    expect(values(found!)).toEqual([
      ['asha', 1, 2],
      ['bela', 1, 2],
      ['chand', 0.5, 4],
    ]);
    expect(found!.human.value).toBeCloseTo(5 / 6, 12);
    expect(found!.system.value).toBeCloseTo(value, 12);
    expect(found!.difference.value).toBeCloseTo(value - 5 / 6, 12);
    expect(found!.about).toMatch(/^3 experts, over the 4 cases in which more than half of an expert’s colleagues/);
    expect(found!.about.includes('counts once, each answer for its part')).toBe(system === 'guided');
  });

  test('where Unknown is kept, it is a class like the others', async () => {
    // C06 adds one of one to everybody: 3/3, 3/3 and 3/5, mean 13/15; plain, which says so too, has 2/3, 2/3 and 2/5.
    const [found] = await exampleCeiling('plain', ['prepare.leave-out=off']);
    expect(found!.cases).toBe(5);
    expect(found!.human.value).toBeCloseTo(13 / 15, 12);
    expect(found!.system.value).toBeCloseTo(26 / 45, 12);
    expect(found!.human.interval).not.toBeNull();
  });

  test('are none where the given class counts', async () => {
    expect(await exampleCeiling('guided', ['consult.truth=given'])).toEqual([]);
  });

  test('are held against more than half of the others, and at least two', () => {
    const found = ceiling([
      // Two of four others are not more than half of them.
      voted('c1', 'kapha vata vata vata pitta', 'vata'),
      // One other is no majority.
      voted('c2', 'vata vata', 'vata'),
      voted('c3', 'vata', 'vata'),
    ]);
    // Of the others of asha and of ekta three of four say vata; of those of bela, chand and devi two.
    expect(values(found!)).toEqual([
      ['asha', 0, 1],
      ['bela', null, 0],
      ['chand', null, 0],
      ['devi', null, 0],
      ['ekta', 0, 1],
    ]);
    expect(found).toMatchObject({ cases: 1, human: { value: 0 }, system: { value: 1 } });
  });

  test('say why there is nothing to say, and are silent where nobody shares a case', () => {
    const two = ceiling([voted('c1', 'vata vata', 'vata'), voted('c2', 'vata pitta', 'vata')]);
    expect(two).toMatchObject({
      cases: 0,
      human: { value: null, interval: null },
      system: { value: null },
      difference: { value: null },
      verdict: 'too little data',
    });
    expect(two!.human.undefined).toMatch(/nowhere do two experts agree beside a third/);
    expect(ceiling([voted('c1', 'vata', 'vata'), voted('c2', '- vata', 'vata')])).toBeNull();
  });

  test('mean one class by all its names, as far as the recipe does', () => {
    const cases = [voted('c1', 'Vata-Pitta pitta_vata PittaVata', 'Pitta Vata type')];
    expect(ceiling(cases)).toMatchObject({ human: { value: 1 }, system: { value: 1 }, cases: 1 });
    // As written, but for the case: three different classes, and no majority.
    expect(ceiling(cases, PLANS.asWritten)).toMatchObject({ cases: 0, human: { value: null } });
    expect(ceiling([voted('c1', 'Vata vata VATA', 'vAta')], PLANS.asWritten)).toMatchObject({
      human: { value: 1 },
      system: { value: 1 },
    });
  });

  test('an expert who says unknown is wrong as a system would be; a majority of them asks nothing', () => {
    const found = ceiling([
      voted('c1', 'unknown vata vata', 'unknown'),
      voted('c2', 'unknown Unknown unknown', 'unknown'),
    ]);
    expect(values(found!)).toEqual([
      ['asha', 0, 1],
      ['bela', null, 0],
      ['chand', null, 0],
    ]);
    expect(found).toMatchObject({ cases: 1, system: { value: 0 } });
  });

  test('a case in two languages counts once, and the system for the part of its answers that are right', () => {
    const found = ceiling([
      voted('c1', 'vata vata vata', 'vata', { from: 'c1' }),
      voted('c1 (hi)', 'vata vata vata', 'pitta', { from: 'c1' }),
      voted('c2', 'vata vata pitta', 'vata', { from: 'c2' }),
      voted('c2 (hi)', 'vata vata pitta', null, { from: 'c2', failed: 'no answer' }),
    ]);
    expect(values(found!)).toEqual([
      ['asha', 1, 1],
      ['bela', 1, 1],
      ['chand', 0.5, 2],
    ]);
    // 1/2 for asha and bela; for chand (1/2 + 1) / 2.
    expect(found!.system.value).toBeCloseTo((0.5 + 0.5 + 0.75) / 3, 12);
    expect(found!.cases).toBe(2);
  });

  test('no class at all is wrong; a failed case is left out', () => {
    expect(ceiling([voted('c1', 'vata vata vata', null)])).toMatchObject({ cases: 1, system: { value: 0 } });
    expect(ceiling([voted('c1', 'vata vata vata', 'vata', { failed: 'no answer' })])).toBeNull();
  });

  test.each([
    ['above people', 'vata vata pitta', 'vata'],
    ['below people', 'vata vata vata', 'pitta'],
    ['no difference shown', 'vata vata vata', 'vata'],
  ])('%s, by an interval over cases', (verdict, said, system) => {
    // Every fifth case is another one, so that there is something to resample.
    const cases = Array.from({ length: 30 }, (_, n) =>
      n % 5 === 0 ? voted(`c${n}`, 'kapha kapha kapha', 'kapha') : voted(`c${n}`, said, system),
    );
    const found = ceiling(cases);
    expect(found!.verdict).toBe(verdict);
    expect(found!.cases).toBe(30);
  });
});

describe('whatever experts say', () => {
  const runs = { seed: 20267, numRuns: 60 };
  const CLASSES = ['vata', 'Pitta', 'kapha', 'pitta-vata', 'unknown'];
  const someClass = fc.constantFrom(...CLASSES);
  const table = fc.array(
    fc.record({
      said: fc.array(fc.option(someClass, { nil: '-' }), { minLength: 3, maxLength: 5 }),
      system: someClass,
    }),
    { minLength: 1, maxLength: 12 },
  );
  const casesOf = (rows: readonly { said: readonly string[]; system: string }[]): Case[] =>
    rows.map(({ said, system }, at) => voted(`c${at}`, said.join(' '), system));

  test('the order of the cases changes nothing', () => {
    fc.assert(
      fc.property(table, (rows) => {
        const cases = casesOf(rows);
        expect(ceiling(cases.toReversed())).toEqual(ceiling(cases));
      }),
      runs,
    );
  });

  test('a system that says what one expert says stands where that expert stands', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(someClass, someClass), { minLength: 1, maxLength: 12 }), (rows) => {
        // bela and chand say the same, so that they are asha's majority everywhere.
        const found = ceiling(rows.map(([own, other], at) => voted(`c${at}`, `${own} ${other} ${other}`, own)));
        const counted = rows.filter(([, other]) => other !== 'unknown');
        const equal = counted.filter(([own, other]) => own === other).length;
        // Their own others, asha and one of them, agree only where all three do, and so does the system.
        const twin = [equal === 0 ? null : 1, equal];
        expect(values(found!)).toEqual([
          ['asha', counted.length === 0 ? null : equal / counted.length, counted.length],
          ['bela', ...twin],
          ['chand', ...twin],
        ]);
        expect(found!.system.value).toBe(found!.human.value);
      }),
      runs,
    );
  });

  test('people who always agree have 1', () => {
    fc.assert(
      fc.property(table, (rows) => {
        const found = ceiling(casesOf(rows.map(({ said, system }) => ({ said: said.map(() => 'kapha'), system }))));
        const right = rows.filter(({ system }) => system === 'kapha').length;
        // The first three have a say in every case.
        expect(found).toMatchObject({ cases: rows.length, human: { value: 1 } });
        expect(found!.people.slice(0, 3).map(({ value, n }) => [value, n])).toEqual(
          [0, 1, 2].map(() => [1, rows.length]),
        );
        expect(found!.system.value === 1).toBe(right === rows.length);
      }),
      runs,
    );
  });
});
