import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { RunQueries } from '../../src/score/run-queries.ts';
import { defineSimilarity } from '../../src/recipe/define.ts';
import { memorySource } from '../../src/data/source.ts';
import { score } from '../../src/report/score.ts';

/*
 * What other tools publish for their own examples, given to Assay as the IOB files that their users have. Label sequences
 * and figures are those of the sources named below; words are w1, w2, …
 */

/** Sentences, each a list of tags between spaces. */
type Tags = readonly string[];

function iob(sentences: Tags): string {
  const lines = sentences.map((tags) => tags.split(' ').map((tag, at) => `w${at + 1} ${tag}\n`));
  return lines.map((sentence) => sentence.join('')).join('\n');
}

function scored(
  preset: string | object,
  gold: Tags,
  predicted: Tags,
  set: readonly string[] = [],
): Promise<RunQueries> {
  const input = { gold: memorySource('gold.bio', iob(gold)), predictions: memorySource('p.bio', iob(predicted)) };
  return score(preset, input, { set: ['interval=off', ...set] });
}

type Slice = Readonly<Record<string, string>>;

/** Hits, missed and spurious ones of the recipe's own pairing, or of a scheme. */
async function verdictCounts(run: RunQueries, scheme: string | null = null): Promise<number[]> {
  const verdicts = await Array.fromAsync(run.verdicts());
  const own = verdicts.filter((one) => (one.scheme ?? null) === scheme);
  return ['hit', 'missed', 'spurious'].map((kind) => own.filter(({ verdict }) => verdict === kind).length);
}

function figures(run: RunQueries, slice: Slice = {}): (number | null)[] {
  return ['precision', 'recall', 'f1'].map((name) => run.value(name, slice));
}

const SCHEMES = ['type', 'partial', 'exact', 'strict'] as const;
type Counts = readonly [correct: number, incorrect: number, partial: number, missed: number, spurious: number];

/** The five counts of SemEval 2013 under a scheme. */
function counts(run: RunQueries, scheme: (typeof SCHEMES)[number], slice: Slice = {}): (number | null)[] {
  const names = ['correct', 'incorrect', 'partial', 'missed_alone', 'spurious_alone'];
  return names.map((name) => run.value(name, { ...slice, ...(scheme === 'strict' ? {} : { scheme }) }));
}

// https://github.com/MantisAI/nervaluate, 1.1.0 (commit fce0139): README.md and tests/.
describe('nervaluate, under spans/semeval', () => {
  describe('the example of its README', () => {
    const GOLD = ['O B-PER I-PER O O O B-ORG I-ORG', 'O B-LOC B-PER I-PER O O B-DATE'];
    const PREDICTED = ['O O B-PER I-PER O O B-ORG I-ORG', 'O B-LOC I-LOC B-PER O O B-DATE'];

    test.each([
      ['type', [5, 0, 0, 0, 0], 1],
      ['exact', [2, 3, 0, 0, 0], 0.4],
      // A difference: the README prints 0.40. Its formula, (COR + 0.5 PAR) / ACT, gives (2 + 1.5) / 5; the half credit is
      // lost where nervaluate adds up several documents.
      ['partial', [2, 0, 3, 0, 0], 0.7],
      ['strict', [2, 3, 0, 0, 0], 0.4],
    ] as const)('%s', async (scheme, expected, value) => {
      const run = await scored('spans/semeval', GOLD, PREDICTED);
      expect(counts(run, scheme)).toEqual(expected);
      for (const one of figures(run, scheme === 'strict' ? {} : { scheme })) expect(one).toBeCloseTo(value, 12);
    });

    test.each<[string, Counts]>([
      ['DATE', [1, 0, 0, 0, 0]],
      ['LOC', [0, 1, 0, 0, 0]],
      ['ORG', [1, 0, 0, 0, 0]],
      ['PER', [0, 2, 0, 0, 0]],
    ])('strict, by label: %s', async (label, expected) => {
      const run = await scored('spans/semeval', GOLD, PREDICTED);
      expect(counts(run, 'strict', { label })).toEqual(expected);
    });
  });

  describe('the six scenarios of its README', () => {
    const SCENARIOS: Readonly<Record<string, readonly [gold: string, predicted: string]>> = {
      I: ['O B-LOC I-LOC O', 'O B-LOC I-LOC O'],
      II: ['O O O O', 'O B-ORG I-ORG O'],
      III: ['O B-LOC I-LOC O', 'O O O O'],
      IV: ['O O O B-LOC I-LOC O', 'O O O B-ORG I-ORG O'],
      V: ['O B-PER I-PER O', 'B-PER I-PER I-PER O'],
      VI: ['O B-PER I-PER O', 'B-ORG I-ORG I-ORG O'],
    };
    const COUNTS = { COR: 0, INC: 1, PAR: 2, MIS: 3, SPU: 4 } as const;

    // Type, partial, exact and strict, as its table of scenarios has them.
    test.each<[string, readonly (keyof typeof COUNTS)[]]>([
      ['I', ['COR', 'COR', 'COR', 'COR']],
      ['II', ['SPU', 'SPU', 'SPU', 'SPU']],
      ['III', ['MIS', 'MIS', 'MIS', 'MIS']],
      ['IV', ['INC', 'COR', 'COR', 'INC']],
      ['V', ['COR', 'PAR', 'INC', 'INC']],
      ['VI', ['INC', 'PAR', 'INC', 'INC']],
    ])('%s', async (name, outcomes) => {
      const [gold, predicted] = SCENARIOS[name]!;
      const run = await scored('spans/semeval', [gold], [predicted]);
      for (const [at, scheme] of SCHEMES.entries()) {
        const expected = [0, 0, 0, 0, 0];
        expected[COUNTS[outcomes[at]!]] = 1;
        expect([scheme, ...counts(run, scheme)]).toEqual([scheme, ...expected]);
      }
    });

    // Its totals have three correct types and two correct spans: scenario I counts twice in them.
    test.each([
      ['type', [3, 2, 0, 1, 1], 1 / 2],
      ['partial', [3, 0, 2, 1, 1], 2 / 3],
      ['exact', [3, 2, 0, 1, 1], 1 / 2],
      ['strict', [2, 3, 0, 1, 1], 1 / 3],
    ] as const)('all together: %s', async (scheme, expected, value) => {
      const all = [...Object.values(SCENARIOS), SCENARIOS['I']!];
      const [gold, predicted] = [all.map(([own]) => own), all.map(([, own]) => own)];
      const run = await scored('spans/semeval', gold, predicted);
      expect(counts(run, scheme)).toEqual(expected);
      for (const one of figures(run, scheme === 'strict' ? {} : { scheme })) expect(one).toBeCloseTo(value, 12);
    });
  });

  // tests/test_strategies.py: one gold sequence, and six things that a model may make of it.
  test.each<[string, string, Readonly<Record<(typeof SCHEMES)[number], Counts>>]>([
    [
      'a perfect match',
      'O B-PER I-PER O O O B-ORG I-ORG',
      { strict: [2, 0, 0, 0, 0], type: [2, 0, 0, 0, 0], exact: [2, 0, 0, 0, 0], partial: [2, 0, 0, 0, 0] },
    ],
    [
      'a missed entity',
      'O B-PER I-PER O O O O O',
      { strict: [1, 0, 0, 1, 0], type: [1, 0, 0, 1, 0], exact: [1, 0, 0, 1, 0], partial: [1, 0, 0, 1, 0] },
    ],
    [
      'a wrong label',
      'O B-PER I-PER O O O B-LOC I-LOC',
      { strict: [1, 1, 0, 0, 0], type: [1, 1, 0, 0, 0], exact: [2, 0, 0, 0, 0], partial: [2, 0, 0, 0, 0] },
    ],
    [
      'a wrong boundary',
      'O B-PER I-PER O O O B-LOC O',
      { strict: [1, 1, 0, 0, 0], type: [1, 1, 0, 0, 0], exact: [1, 1, 0, 0, 0], partial: [1, 0, 1, 0, 0] },
    ],
    [
      'a shifted boundary',
      'O B-PER I-PER O O O O B-LOC',
      { strict: [1, 1, 0, 0, 0], type: [1, 1, 0, 0, 0], exact: [1, 1, 0, 0, 0], partial: [1, 0, 1, 0, 0] },
    ],
    [
      'an extra entity',
      'O B-PER I-PER O B-PER O B-LOC I-LOC',
      { strict: [1, 1, 0, 0, 1], type: [1, 1, 0, 0, 1], exact: [2, 0, 0, 0, 1], partial: [2, 0, 0, 0, 1] },
    ],
  ])('%s', async (_, predicted, expected) => {
    const run = await scored('spans/semeval', ['O B-PER I-PER O O O B-ORG I-ORG'], [predicted]);
    expect(Object.fromEntries(SCHEMES.map((scheme) => [scheme, counts(run, scheme)]))).toEqual(expected);
  });

  test('entities of one token, next to each other or not', async () => {
    const strict = async (gold: string, predicted: string) =>
      counts(await scored('spans/semeval', [gold], [predicted]), 'strict');
    expect(await strict('O B-PER B-ORG', 'O B-PER B-ORG')).toEqual([2, 0, 0, 0, 0]);
    expect(await strict('O B-PER O O B-ORG', 'O B-PER O O O')).toEqual([1, 0, 0, 1, 0]);
    expect(await strict('O B-PER', 'O B-ORG')).toEqual([0, 1, 0, 0, 0]);
  });

  test('a minimum overlap is a threshold on the share of gold; what has less is missed and spurious', async () => {
    // tests/test_strategies.py, test_multiple_entities_with_min_overlap: 40 % of PER, 60 % of ORG, nothing of LOC.
    const gold = 'B-PER I-PER I-PER I-PER I-PER O O O O O B-ORG I-ORG I-ORG I-ORG I-ORG O O O';
    const predicted = 'B-PER I-PER O O O O O O O O B-ORG I-ORG I-ORG O O B-LOC I-LOC O';
    const recipe = {
      extends: 'spans/strict',
      schemes: { partial: { gate: [], similarity: 'covers-gold', threshold: 0.5, partial: 0.5 } },
    };
    const run = await scored(recipe, [gold], [predicted]);
    expect(await verdictCounts(run, 'partial')).toEqual([1, 1, 2]);
    // The hit is partial: it has half the credit of three predictions and of two gold spans.
    expect(figures(run, { scheme: 'partial' }).slice(0, 2)).toEqual([0.5 / 3, 0.5 / 2]);
  });

  describe('a minimum overlap of 50 %, by the share of gold', () => {
    // Gold is w4 w5. Outcomes by hand from strategies.py: overlap / gold decides, and partial is correct for equal boundaries.
    const GOLD = 'O O O B-PER I-PER O O';
    const MIN = {
      extends: 'spans/strict',
      schemes: {
        type: { gate: ['label'], similarity: 'covers-gold', threshold: 0.5 },
        // Half credit is for a similarity below 1, which a prediction that is too long does not have here.
        naive: { gate: [], similarity: 'covers-gold', threshold: 0.5, partial: 0.5 },
        partial: { gate: [], similarity: 'min-overlap', threshold: 0.5, partial: 0.5 },
      },
      modules: [
        defineSimilarity({
          name: 'min-overlap',
          about: 'share of gold, 1 for the same boundaries only',
          compare(gold, predicted) {
            const common = Math.min(gold.end, predicted.end) - Math.max(gold.start, predicted.start);
            const isSame = gold.start === predicted.start && gold.end === predicted.end;
            return isSame ? 1 : Math.min(0.99, Math.max(0, common) / (gold.end - gold.start));
          },
        }),
      ],
    };
    test.each<[string, string, type: number, partial: number, naive: number]>([
      ['the same boundaries: correct under both', 'O O O B-PER I-PER O O', 1, 1, 1],
      [
        'far too long: correct under ent_type, half under partial',
        'B-PER I-PER I-PER I-PER I-PER I-PER I-PER',
        1,
        0.5,
        1,
      ],
      ['one word too long at the end', 'O O O B-PER I-PER I-PER O', 1, 0.5, 1],
      ['beside gold', 'O O O O O B-PER I-PER', 0, 0, 0],
      // 2 of 5 characters; nervaluate, which counts words here, has 50 %: correct and half.
      ['one of two words, of which characters count', 'O O O O B-PER O O', 0, 0, 0],
    ])('%s', async (_, predicted, type, partial, naive) => {
      const run = await scored(MIN, [GOLD], [predicted]);
      const recall = (scheme: string): number | null => run.value('recall', { scheme });
      expect([recall('type'), recall('partial'), recall('naive')]).toEqual([type, partial, naive]);
      expect(run.value('precision', { scheme: 'partial' })).toBe(partial);
    });
  });

  test('spans that touch do not overlap; nervaluate takes the end of a span for its last character', async () => {
    const spans = (start: number, end: number) =>
      `${JSON.stringify({ id: 'a', text: 'abcdef', spans: [{ start, end, label: 'PER' }] })}\n`;
    const input = { gold: memorySource('g.jsonl', spans(0, 3)), predictions: memorySource('p.jsonl', spans(3, 6)) };
    const run = await score('spans/semeval', input, { set: ['interval=off'] });
    // nervaluate, given 0 to 3 and 3 to 6 as files with offsets have them: 1 incorrect, and 1 correct type.
    expect(counts(run, 'strict')).toEqual([0, 0, 0, 1, 1]);
    expect(counts(run, 'type')).toEqual([0, 0, 0, 1, 1]);
  });

  describe('differences, which decision 9 explains', () => {
    test('the order of predictions does not matter', async () => {
      const spans = (...places: readonly (readonly [number, number])[]) =>
        `${JSON.stringify({ id: 'a', text: 'w w', spans: places.map(([start, end]) => ({ start, end, label: 'PER' })) })}\n`;
      for (const predicted of [spans([0, 1], [0, 3]), spans([0, 3], [0, 1])]) {
        const input = { gold: memorySource('g.jsonl', spans([0, 3])), predictions: memorySource('p.jsonl', predicted) };
        const run = await score('spans/semeval', input, { set: ['interval=off'] });
        // nervaluate: 0 correct, 1 incorrect and 1 spurious in the first order, as here in the second.
        expect(counts(run, 'strict')).toEqual([1, 0, 0, 0, 1]);
      }
    });

    test('a prediction that overlaps two gold spans is paired with the one that it fits', async () => {
      const run = await scored('spans/semeval', ['B-PER I-PER B-ORG I-ORG'], ['O B-ORG I-ORG I-ORG']);
      // nervaluate takes PER, the first overlap, and has 1 incorrect type and 1 missed.
      expect(counts(run, 'type')).toEqual([1, 0, 0, 1, 0]);
      expect(counts(run, 'strict')).toEqual([0, 1, 0, 1, 0]);
    });

    test('by label, a span of another label is incorrect', async () => {
      const run = await scored('spans/semeval', ['B-LOC I-LOC O'], ['B-ORG I-ORG O']);
      // nervaluate looks at one label at a time: LOC has 1 missed, ORG 1 spurious, and none is incorrect.
      expect(counts(run, 'strict', { label: 'LOC' })).toEqual([0, 1, 0, 0, 0]);
      expect(run.value('incorrect_predictions', { label: 'ORG' })).toBe(1);
    });
  });
});

// https://github.com/chakki-works/seqeval (README.md and tests/test_metrics.py), whose default mode is conlleval's.
describe('seqeval, under spans/strict', () => {
  test('the example of its README', async () => {
    const run = await scored(
      'spans/strict',
      ['O O O B-MISC I-MISC I-MISC O', 'B-PER I-PER O'],
      ['O O B-MISC I-MISC I-MISC I-MISC O', 'B-PER I-PER O'],
    );
    expect(figures(run, { label: 'MISC' })).toEqual([0, 0, 0]);
    expect(figures(run, { label: 'PER' })).toEqual([1, 1, 1]);
    expect(figures(run)).toEqual([0.5, 0.5, 0.5]);
    expect(['macro_precision', 'macro_recall', 'macro_f1'].map((name) => run.value(name))).toEqual([0.5, 0.5, 0.5]);
  });

  test('an entity that begins with I- is one, as in its default mode; its strict mode has no counterpart', async () => {
    const run = await scored('spans/strict', ['B-NP I-NP O'], ['I-NP I-NP O']);
    expect(figures(run)).toEqual([1, 1, 1]);
    await expect(scored('spans/strict', ['B-NP I-NP O'], ['I-NP I-NP O'], ['data.strayInside=error'])).rejects.toThrow(
      'I-NP',
    );
  });
});

// https://www.clips.uantwerpen.be/conll2000/chunking/output.html: the output for 961 tokens, by chunk type. The tokens are
// Penn Treebank's and are not here; what is built has as many phrases, found and correct ones of each type.
describe('conlleval, under spans/strict', () => {
  const PUBLISHED: Readonly<Record<string, readonly [gold: number, found: number, correct: number, ...string[]]>> = {
    ADJP: [6, 1, 0, '0.00', '0.00', '0.00'],
    ADVP: [8, 11, 5, '45.45', '62.50', '52.63'],
    NP: [262, 317, 206, '64.98', '78.63', '71.16'],
    PP: [90, 107, 89, '83.18', '98.89', '90.36'],
    SBAR: [6, 3, 2, '66.67', '33.33', '44.44'],
    VP: [87, 100, 69, '69.00', '79.31', '73.80'],
  };

  test('459 phrases, 539 found, 371 correct, and the figures of every type', async () => {
    const [gold, predicted]: [string[], string[]] = [[], []];
    for (const [type, [all, found, correct]] of Object.entries(PUBLISHED)) {
      const [phrase, longer] = [`B-${type} I-${type} O`, `B-${type} I-${type} I-${type}`];
      for (let at = 0; at < Math.max(all, found); at += 1) {
        gold.push(at < all ? phrase : 'O O O');
        predicted.push(at < correct ? phrase : at < found ? longer : 'O O O');
      }
    }
    const run = await scored('spans/strict', gold, predicted);
    const percent = (slice?: Slice): string[] => figures(run, slice).map((value) => ((value ?? NaN) * 100).toFixed(2));
    expect(await verdictCounts(run)).toEqual([371, 459 - 371, 539 - 371]);
    expect(percent()).toEqual(['68.83', '80.83', '74.35']);
    for (const [label, [, , , ...shares]] of Object.entries(PUBLISHED))
      expect([label, ...percent({ label })]).toEqual([label, ...shares]);
  });

  /** Phrases by conlleval's rules: one begins at B-, or at I- after O or after another type, and ends where the next does not go on. */
  function phrases(tags: string): Set<string> {
    const found = new Set<string>();
    let open: { type: string; start: number } | null = null;
    const list = [...tags.split(' '), 'O'];
    for (const [at, tag] of list.entries()) {
      const [prefix, type = ''] = tag.split('-');
      const goesOn = open !== null && prefix === 'I' && type === open.type;
      if (open !== null && !goesOn) found.add(`${open.type} ${open.start} ${at}`);
      if (!goesOn) open = prefix === 'O' ? null : { type, start: at };
    }
    return found;
  }

  test('any tags: found, correct and missed are those of its rules', async () => {
    const tag = fc.constantFrom('O', 'B-A', 'I-A', 'B-B', 'I-B');
    const pair = fc.integer({ min: 1, max: 9 }).chain((length) => {
      const tags = fc.array(tag, { minLength: length, maxLength: length }).map((list) => list.join(' '));
      return fc.tuple(tags, tags);
    });
    await fc.assert(
      fc.asyncProperty(fc.array(pair, { minLength: 1, maxLength: 6 }), async (sentences) => {
        const run = await scored(
          'spans/strict',
          sentences.map(([gold]) => gold),
          sentences.map(([, predicted]) => predicted),
        );
        const expected = [0, 0, 0];
        for (const both of sentences) {
          const [gold, predicted] = [phrases(both[0]), phrases(both[1])];
          expected[0]! += gold.intersection(predicted).size;
          expected[1]! += gold.difference(predicted).size;
          expected[2]! += predicted.difference(gold).size;
        }
        expect(await verdictCounts(run)).toEqual(expected);
      }),
      { numRuns: 30, seed: 2000 },
    );
  });
});
