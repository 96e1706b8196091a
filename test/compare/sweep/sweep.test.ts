import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { UsageError } from '../../../src/data/problems.ts';
import { fileSource, memorySource, standardInput } from '../../../src/data/source.ts';
import { planRecipe } from '../../../src/recipe/plan.ts';
import { caseReader } from '../../../src/formats/case-formats.ts';
import { compareRuns } from '../../../src/compare/compare-runs.ts';
import { scoreCases } from '../../../src/score/score.ts';
import { scoreToFolder } from '../../../src/score/score-to-folder.ts';
import { type Sweep, type SweepOptions, sweepRecipe, type SweepSystem } from '../../../src/compare/sweep/sweep.ts';
import { example } from '../../cli/run-assay.ts';
import { alike, goldLines, IOU, lines, QUICK, system } from './made-up-systems.ts';

const sweepOf = (options: Partial<SweepOptions> & Pick<SweepOptions, 'systems'>): Promise<Sweep> =>
  sweepRecipe({ recipe: IOU, over: ['pair.threshold=0.1..0.9'], set: QUICK, ...options });

const valuesOf = (sweep: Sweep, of = 0, measure = 0): (number | null)[] =>
  sweep.points.map((point) => point.systems[of]![measure]!.value);

const third = (hits: number): unknown => expect.closeTo(hits / 3, 12);

const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'assay-sweep-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
};

const JOURNAL: SweepSystem['sources'] = {
  cases: fileSource(example('journal/journals.jsonl')),
  gold: fileSource(example('journal/gold.jsonl')),
  predictions: fileSource(example('journal/predictions.jsonl')),
};

describe('a sweep over a threshold', () => {
  test('gives the F1 that is worked out by hand at every value', async () => {
    // Three spans with an IoU of 1, 0.6 and 0.3: up to 0.3 all are hits, up to 0.6 two, then one. Each lost hit is one
    // missed and one spurious span, so that F1 is hits / 3.
    const found = await sweepOf({ systems: [system('one', [[10, 6, 3]])] });
    expect(valuesOf(found)).toEqual([3, 3, 3, 2, 2, 2, 1, 1, 1].map(third));
    expect(found.axes[0]).toMatchObject({ numeric: true, own: { value: 0.5, text: '0.5', at: 4 } });
    expect(found.points.map(({ own }) => own).indexOf(true)).toBe(4);
    expect(found.own.point).toBe(4);
    // One case: nothing to resample, and the reason is said.
    expect(found.points[0]!.systems[0]![0]).toMatchObject({ n: 3, interval: null });
    expect(found.systems[0]!.best).toMatchObject({ point: 1, value: 1, ties: [0, 1, 2] });
  });

  test('gives the F1 of quotes by the words they share', async () => {
    // Jaccard of a, b, c, d with a, b, c, d is 1; of a, b, c, d with a, b, c 3/4; of a, b, c, d with a, e 1/5.
    const quotes = (first: string, second: string, last: string): string =>
      `${JSON.stringify({
        journal_id: 'J1',
        items: [first, second, last].map((evidence_span, at) => ({
          domain: ['symptom', 'food', 'mind'][at],
          evidence_span,
        })),
      })}\n`;
    const found = await sweepOf({
      recipe: 'journal/ashwam',
      set: [...QUICK, 'prepare.ground=off'],
      over: ['pair.threshold=0.2,0.21,0.75,0.76,1'],
      measures: ['f1'],
      systems: [
        {
          name: 'one',
          sources: {
            gold: memorySource('gold.jsonl', quotes('a b c d', 'a b c d', 'a b c d')),
            predictions: memorySource('out.jsonl', quotes('a b c d', 'a b c', 'a e')),
          },
        },
      ],
    });
    expect(valuesOf(found)).toEqual([3, 2, 2, 1, 1].map(third));
  });

  test('finds the best value, what cannot be told from it, and the cliff that the recipe stands on', async () => {
    // Fifteen cases are exact, fifteen have an IoU of 0.6: F1 is 1 up to 0.6 and 1/2 after it.
    const found = await sweepOf({
      set: [...QUICK, 'pair.threshold=0.6'],
      systems: [system('one', [...alike(15, 10), ...alike(15, 6)])],
    });
    expect(valuesOf(found)).toEqual([1, 1, 1, 1, 1, 1, 0.5, 0.5, 0.5]);
    const [own] = found.systems;
    // The middle of six equal points is between the third and the fourth: the lower one counts.
    expect(own!.best).toMatchObject({ point: 2, value: 1, ties: [0, 1, 2, 3, 4, 5], alike: [0, 1, 2, 3, 4, 5] });
    expect(own!.best!.notAlike).toBeNull();
    expect(own!.steepest).toMatchObject({ from: 5, to: 6, difference: -0.5, shown: true });
    expect(own!.besideOwn.map(({ from, to, difference }) => [from, to, difference])).toEqual([
      [5, 4, 0],
      [5, 6, -0.5],
    ]);
    expect(own!.cliff).toMatchObject({ to: 6, shown: true });
    expect(own!.cliff!.interval!.high).toBeLessThan(0);
  });

  test('scores the recipe as it stands also where it is none of the points', async () => {
    const found = await sweepOf({
      over: ['pair.threshold=0.1..0.9:0.2'],
      set: [...QUICK, 'pair.threshold=0.6'],
      systems: [system('one', [...alike(15, 10), ...alike(15, 6)])],
    });
    expect(found.points.map(({ set }) => set[0])).toEqual(
      [1, 3, 5, 7, 9].map((tenths) => `pair.threshold=0.${tenths}`),
    );
    expect(found.axes[0]!.own).toEqual({ value: 0.6, text: '0.6', at: null });
    expect(found.own.point).toBeNull();
    expect(found.own.systems[0]![0]!.value).toBe(1);
    expect(found.systems[0]!.besideOwn).toMatchObject([
      { from: null, to: 2, difference: 0 },
      { from: null, to: 3, difference: -0.5 },
    ]);
  });

  test('calls a similarity of the user’s own once for each pair of items', async () => {
    const made = folder();
    writeFileSync(
      join(made, 'mine.mjs'),
      'export default () => { globalThis.sweepCalls = (globalThis.sweepCalls ?? 0) + 1; return 0.45; };\n',
    );
    writeFileSync(join(made, 'recipe.yaml'), 'task: pii\npair: { similarity: ./mine.mjs }\n');
    const found = await sweepOf({ recipe: join(made, 'recipe.yaml'), systems: [system('one', [[10, 6], [3]])] });
    expect(valuesOf(found)).toEqual([1, 1, 1, 1, 0, 0, 0, 0, 0]);
    // Two by two in the first case, one by one in the second.
    expect(Reflect.get(globalThis, 'sweepCalls')).toBe(5);
  });
});

describe('every value and interval of a sweep', () => {
  const cases: readonly (readonly [string, Pick<SweepOptions, 'recipe' | 'over'>, SweepSystem['sources'], string[]])[] =
    [
      ['journal threshold', { recipe: 'journal/ashwam', over: ['pair.threshold=0.2..0.8:0.3'] }, JOURNAL, []],
      [
        'journal means over labels, by BCa',
        { recipe: 'journal/ashwam', over: ['pair.assign=greedy,optimal'] },
        JOURNAL,
        ['interval.method=bca'],
      ],
      [
        'pii label threshold and rule',
        { recipe: 'pii/piranha', over: ['pair.threshold.LOC=0.1,0.9', 'judge.excuse-missed=on,off'] },
        { cases: fileSource(example('pii/docs.json')) },
        [],
      ],
      [
        'pii gap of merging, read again for each way of counting',
        { recipe: 'pii/piranha', over: ['prepare.merge.gap=0,1,3', 'data.missingPrediction=empty,failed'] },
        { cases: fileSource(example('pii/docs.json')) },
        [],
      ],
      [
        'pii beside other schemes',
        { recipe: 'pii/every-scheme', over: ['pair.tolerance=0,1'] },
        { cases: fileSource(example('pii/docs.json')) },
        [],
      ],
      [
        'graph threshold',
        { recipe: 'graph/openspec', over: ['pair.entity.threshold=0.5,0.85,1'] },
        { cases: fileSource(example('graph/items.jsonl')), predictions: fileSource(example('graph/outputs.jsonl')) },
        [],
      ],
    ];
  test.each(cases)('is what score gives with --set: %s', async (_, options, sources, more) => {
    const set = ['interval.resamples=200', ...more];
    const base = await planRecipe(options.recipe, set);
    const measures = base.measures.map(({ name }) => name);
    const found = await sweepRecipe({ ...options, set, measures, systems: [{ name: 'one', sources }] });
    for (const point of found.points) {
      const plan = await planRecipe(options.recipe, [...set, ...point.set]);
      const scored = await scoreCases(plan, caseReader(sources, plan));
      const overall = scored.measures.filter(({ slice }) => Object.keys(slice).length === 0);
      expect(point.systems[0]).toEqual(
        overall.map(({ name, value, undefined: why, n, units, interval, noInterval }) => ({
          name,
          value,
          undefined: why,
          n,
          units,
          interval,
          noInterval,
        })),
      );
    }
  });
});

describe('two systems', () => {
  // Up to 0.3 both find all; then plain finds the twenty it has exactly and guided all; from 0.7 guided finds none.
  const plain = system('plain', [...alike(20, 10), ...alike(20, 3)]);
  const guided = system('guided', alike(40, 6));

  test('flip where they were made to', async () => {
    const found = await sweepOf({ systems: [plain, guided] });
    expect(valuesOf(found, 0)).toEqual([1, 1, 1, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]);
    expect(valuesOf(found, 1)).toEqual([1, 1, 1, 1, 1, 1, 0, 0, 0]);
    expect(found.flips).toEqual([
      {
        system: 1,
        measure: 'f1',
        row: null,
        stretches: [
          { verdict: 'no difference shown', from: 0, to: 2 },
          { verdict: 'better', from: 3, to: 5 },
          { verdict: 'worse', from: 6, to: 8 },
        ],
        turns: [{ after: 5, before: 6, to: 'first' }],
      },
    ]);
    // Nine points, three different answers, the first of them the same for both systems: two tests.
    expect(found.tests).toMatchObject({ family: 2, measures: ['f1'], level: 0.95, resamples: 400 });
    expect(found.points[4]!.differences[0]).toMatchObject({ difference: 0.5, differing: 20, wins: 20, losses: 0 });
  });

  test('do not turn when only rounding sets them apart', async () => {
    // Of 8 gold spans: at 0.9 the first has 3 of 7 right and the second 2 of 2, F1 6/15 and 4/10; at 0.5 the first is ahead.
    const found = await sweepOf({
      over: ['pair.threshold=0.5,0.9'],
      systems: [system('first', [[10, 10, 10, 6, 6, 6, 6, 0]]), system('second', [[10, 10, 0, 0, 0, 0, 0, 0]])],
    });
    expect(valuesOf(found, 0)).toEqual([14 / 15, 0.39999999999999997]);
    expect(valuesOf(found, 1)).toEqual([0.4, 0.4]);
    expect(found.flips[0]!.turns).toEqual([]);
  });

  test('stand in a grid with the flips of each row', async () => {
    const found = await sweepOf({
      over: ['pair.threshold=0.2,0.5,0.8', 'pair.assign=greedy,optimal'],
      systems: [plain, guided],
    });
    expect(found.points.map(({ at }) => at)).toEqual([
      [0, 0],
      [1, 0],
      [2, 0],
      [0, 1],
      [1, 1],
      [2, 1],
    ]);
    expect(found.flips.map(({ row, stretches }) => [row, stretches.map(({ verdict }) => verdict)])).toEqual([
      [0, ['no difference shown', 'better', 'worse']],
      [1, ['no difference shown', 'better', 'worse']],
    ]);
    expect(found.systems[0]).toMatchObject({ steepest: null, besideOwn: [], cliff: null });
  });

  test('differ at every point as compare says of two runs, also where one has failed on a case', async () => {
    const made = folder();
    const recipe = join(made, 'recipe.yaml');
    writeFileSync(recipe, `extends: pii/iou\ndata: { missingPrediction: failed }\n`);
    const covered = [[10, 6], [3, 10], [6], [10, 10, 3], [6, 6], [0, 10], [10], [3, 3]];
    const gold = memorySource('gold.jsonl', goldLines(covered));
    const one = { name: 'one', sources: { gold, predictions: memorySource('one.jsonl', lines(covered)) } };
    const others = lines(covered.map((spans) => spans.map((signs) => Math.min(10, signs + 4))));
    const other = {
      name: 'other',
      // Its answer to the third case is missing.
      sources: { gold, predictions: memorySource('other.jsonl', others.replace(/.*"c03".*\n/, '')) },
    };
    const found = await sweepOf({ recipe, over: ['pair.threshold=0.3,0.5,0.8'], systems: [one, other] });
    expect(found.tests!.paired).toEqual([7, 7, 7]);
    expect(found.notices.join()).toContain('over the 7 cases that all systems have');
    expect(found.systems[1]!.cases).toEqual({ total: 8, failed: 1, unanswered: 0 });
    for (const [at, point] of found.points.entries()) {
      const runs = [];
      for (const { name, sources } of [one, other]) {
        const out = join(made, `${name}-${at}`);
        await scoreToFolder(await planRecipe(recipe, [...QUICK, ...point.set]), sources, { out });
        runs.push(out);
      }
      const compared = await compareRuns(runs, { measures: ['f1'], force: 'cases' });
      // The correction goes over the sweep there, over one test here.
      const { slice: _, family: _____, adjusted: __, verdict: ___, needed: ____, ...row } = compared.measures[0]!;
      expect(point.differences[0]).toMatchObject(row);
    }
  });

  test('with no case in common are refused', async () => {
    const elsewhere = {
      name: 'elsewhere',
      sources: {
        gold: memorySource('gold.jsonl', goldLines(alike(2, 10)).replaceAll('"c', '"d')),
        predictions: memorySource('out.jsonl', lines(alike(2, 10)).replaceAll('"c', '"d')),
      },
    };
    await expect(sweepOf({ systems: [plain, elsewhere] })).rejects.toThrow('no case in common');
  });

  test('have 20 random swaps for each test, whatever the resamples', async () => {
    const found = await sweepOf({ set: ['interval.resamples=50'], systems: [plain, guided] });
    expect(found.tests).toMatchObject({ resamples: 50, swaps: 60 });
    expect(found.notices).toEqual([]);
  });
});

describe('the measures of a sweep', () => {
  test('are those asked for, the first of them drawn', async () => {
    const found = await sweepOf({ measures: ['recall', 'f1'], systems: [system('one', [[10, 6, 3]])] });
    expect(found.measures.map(({ name }) => name)).toEqual(['recall', 'f1']);
    expect(found.points[0]!.systems[0]!.map(({ name }) => name)).toEqual(['recall', 'f1']);
  });

  test('leave out what is the same at every point, and say so', async () => {
    const found = await sweepOf({
      recipe: 'graph/openspec',
      over: ['pair.entity.threshold=0.5,1'],
      systems: [
        {
          name: 'one',
          sources: {
            cases: fileSource(example('graph/items.jsonl')),
            predictions: fileSource(example('graph/outputs.jsonl')),
          },
        },
      ],
    });
    expect(found.measures.map(({ name }) => name)).toContain('entity_f1');
    for (const name of found.constant) expect(found.measures.map((measure) => measure.name)).not.toContain(name);
  });

  test('have no value, with the reason, where a value of the sweep takes them away', async () => {
    const found = await sweepOf({
      over: ['measure.f1=on,off'],
      measures: ['f1'],
      recipe: { ...IOU, measure: { f1: {}, recall: {} } },
      systems: [system('one', alike(3, 10))],
    });
    expect(found.points[1]!.systems[0]![0]).toMatchObject({
      value: null,
      undefined: 'the recipe has no such measure here',
    });
    expect(found.systems[0]!.best).toMatchObject({
      alike: null,
      notAlike: 'the measure itself changes from point to point',
    });
  });

  test('have values without intervals where the recipe asks for none', async () => {
    const found = await sweepOf({ set: ['interval=off'], systems: [system('one', alike(3, 6))] });
    expect(found.points[0]!.systems[0]![0]).toMatchObject({ value: 1, interval: null, noInterval: 'not asked for' });
    expect(found.systems[0]!.best!.notAlike).toBe('the recipe asks for no intervals');
  });
});

describe('a sweep refuses', () => {
  const one = [system('one', alike(2, 10))];
  test.each([
    [['pair.threshold=0.5..1.5:0.5'], '--over pair.threshold=1.5: expected a number of at most 1'],
    [['pair.treshold=0.1..0.9'], 'there is no setting called treshold'],
    [['__proto__.x=1,2'], '__proto__.x is not a path'],
    [['pair.__proto__=1,2'], 'is not a path'],
    [['constructor.prototype=1,2'], 'no setting called constructor'],
    [['pair.threshold={__proto__: 1},{LOC: 1}'], '--over pair.threshold={__proto__: 1}'],
    [['pair.threshold=*a,*b'], 'not YAML'],
    [['judge.nothing=on,off'], 'there is no rule called nothing'],
    [['interval.resamples=10..20'], 'there is no point in it, it sets how sure a number is'],
    [['slice=[label],[scheme]'], 'there is no point in it'],
    [['schemes.loose.threshold=0..1'], 'sweep over pair instead'],
    [['pair.threshold'], 'expected path=range'],
    [['=1..2'], 'expected path=range'],
    [[], 'nothing to sweep over'],
    [['pair.threshold=0..1', 'pair.threshold=0..1'], 'was given twice'],
    [['pair.threshold=0..1', 'pair.tolerance=0,1', 'pair.partial=0,1'], 'two parameters at most'],
    [['pair.threshold=0.00..1.00', 'pair.tolerance=0..4'], '101 × 5 = 505 points; the most is 441'],
  ])('%j', async (over, message) => {
    // Files that are not there show that nothing was read.
    const gone = [{ name: 'one', sources: { gold: fileSource('/nowhere/gold.jsonl') } }];
    await expect(sweepOf({ over, systems: gone })).rejects.toThrow(message);
    await expect(sweepOf({ over, systems: gone })).rejects.toBeInstanceOf(UsageError);
  });

  test('a parameter on which nothing depends', async () => {
    const recipe = { ...IOU, pair: { ...IOU.pair, span: { threshold: 0.4 } } };
    await expect(sweepOf({ recipe, systems: one })).rejects.toThrow('nothing in the recipe depends on pair.threshold');
  });

  // Exact spans are 1 or 0; tokens are neither compared by similarity nor assigned; IoU counts no words; reasons are words.
  test.each([
    ['pii/strict', 'pair.threshold=0.1..0.9'],
    ['pii/strict', 'pair.partial=0.5,1'],
    ['pii/token', 'pair.threshold=0.1..0.9'],
    ['pii/token', 'pair.assign=greedy,optimal'],
    ['pii/iou', 'pair.words=whitespace,unicode'],
    ['pii/iou', 'data.maxRecordMiB=1,2'],
    ['pii/piranha', 'judge.excuse-missed.because=one,other'],
    ['pii/piranha', 'measure.f1.about=one,other'],
  ])('a setting that %s does not read: %s', async (recipe, over) => {
    const gone = [{ name: 'one', sources: { cases: fileSource('/nowhere/cases.json') } }];
    await expect(sweepOf({ recipe, over: [over], systems: gone })).rejects.toThrow(
      `nothing in the recipe depends on ${over.split('=')[0]!}`,
    );
  });

  test.each([
    ['pii/strict', 'pair.tolerance=0,1'],
    ['pii/token', 'pair.words=whitespace,unicode'],
    ['pii/iou', 'pair.partial=0.5,1'],
    ['pii/token', 'pair.tokens=file,words'],
    [{ task: 'pii', pair: { unit: 'cover' } }, 'pair.threshold=0.5,1'],
    [{ task: 'pii', pair: { unit: 'cover-token' } }, 'pair.threshold=0.5,1'],
    ['pii/tab', 'pair.cover.ignoreWords=[mr],[mrs]'],
    ['graph/openspec', 'pair.entity.normalise=[lower],[trim]'],
    ['pii/iou', 'data.format=auto,spans'],
    ['pii/iou', 'prepare.merge.gap=1,2'],
  ])('but not one that %j reads: %s', async (recipe, over) => {
    const gone = [{ name: 'one', sources: { cases: fileSource('/nowhere/cases.json') } }];
    await expect(sweepOf({ recipe, over: [over], systems: gone })).rejects.toThrow('/nowhere/cases.json');
  });

  test('stream recipes', async () => {
    await expect(sweepOf({ recipe: 'stream/exaid', systems: one })).rejects.toThrow('is a stream recipe');
  });

  test('standard input where the files are read more than once', async () => {
    const systems = [{ name: 'one', sources: { cases: standardInput() } }];
    await expect(sweepOf({ over: ['data.missingPrediction=empty,failed'], systems })).rejects.toThrow(
      'changes how the files are read',
    );
    await expect(sweepOf({ systems: [...systems, ...one] })).rejects.toThrow('several systems are read more than once');
  });

  test('a measure that the recipe does not have', async () => {
    await expect(sweepOf({ measures: ['f2'], systems: one })).rejects.toThrow('has no measure f2');
  });

  test('files without a case', async () => {
    const systems = [{ name: 'one', sources: { gold: memorySource('gold.jsonl', '') } }];
    await expect(sweepOf({ systems })).rejects.toThrow('gold.jsonl');
  });

  test('a cluster column that no case has, as score does', async () => {
    await expect(sweepOf({ set: ['interval.cluster=patient'], systems: one })).rejects.toThrow(
      'no case has a value of patient',
    );
  });
});
