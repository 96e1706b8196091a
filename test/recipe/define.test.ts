import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import {
  type Definition,
  defineCheck,
  defineFormat,
  defineMeasure,
  defineRule,
  defineSimilarity,
  memorySource,
  readRun,
  score,
} from '../../src/index.ts';
import { auditFolder } from '../../src/report/audit-folder.ts';
import { compareRuns } from '../../src/compare/compare-runs.ts';
import { makeItem } from '../../src/data/item.ts';
import { folderWith } from './recipe-files.ts';

const GOLD = `{"id":"a","text":"Ada met Bo in Oslo.","spans":[{"start":0,"end":3,"label":"PERSON"},{"start":8,"end":10,"label":"PERSON"},{"start":14,"end":18,"label":"LOC"}]}
{"id":"b","text":"Cy left.","spans":[{"start":0,"end":2,"label":"PERSON"}]}
`;
const PREDICTED = `{"id":"a","spans":[{"start":0,"end":3,"label":"PERSON"},{"start":14,"end":18,"label":"LOC"},{"start":11,"end":13,"label":"LOC"}]}
{"id":"b","spans":[{"start":0,"end":2,"label":"PERSON"}]}
`;

const longRecall = defineMeasure({
  name: 'long_recall',
  about: 'recall of gold of at least `min` characters',
  params: { min: 3 },
  over: ({ verdict, gold }, { min }) => Number(verdict === 'hit' && gold!.end - gold!.start >= min),
  under: ({ gold }, { min }) => Number(gold !== null && gold.end - gold.start >= min),
});
const excuseShort = defineRule({
  stage: 'judge',
  name: 'excuse-short',
  about: 'spurious predictions below `min` characters are excused',
  params: { min: 3 },
  judge: ({ verdict, predicted }, { min }) =>
    verdict === 'spurious' && predicted!.end - predicted!.start < min
      ? { verdict: 'excused', because: `below ${min}` }
      : null,
});

function scored(over: object = {}, options: Parameters<typeof score>[2] = {}) {
  const recipe = { extends: 'pii/strict', slice: ['label'], interval: 'off', ...over };
  return score(
    recipe,
    { gold: memorySource('gold', GOLD), predictions: memorySource('predicted', PREDICTED) },
    options,
  );
}

describe('definitions in code', () => {
  test('a measure has a value overall, by label and by case, with its n', async () => {
    const run = await scored({
      modules: [longRecall],
      measure: { recall: {}, long_recall: {}, all: { of: 'long_recall', min: 1 } },
    });
    // Ada and Oslo are long, both hit; of all four gold spans three are.
    expect(run.measure('long_recall')).toMatchObject({ value: 1, n: 2, direction: 'higher' });
    expect(run.value('all')).toBe(0.75);
    expect(run.value('all', { label: 'PERSON' })).toBe(2 / 3);
    expect(() => run.value('long_recal')).toThrow('the run has no measure long_recal');
    expect(() => run.value('all', { label: 'DATE' })).toThrow('all has no slice');
  });

  test('a measure may be a mean over cases, which leaves out those without a value', async () => {
    const perCase = defineMeasure({
      name: 'found_locations',
      about: 'share of locations found, case by case',
      ofCase(verdicts) {
        const locations = verdicts.filter(({ gold }) => gold?.label === 'LOC');
        return locations.length === 0
          ? null
          : locations.filter(({ verdict }) => verdict === 'hit').length / locations.length;
      },
    });
    const run = await scored({ modules: [perCase], measure: ['found_locations'] });
    expect(run.measure('found_locations')).toMatchObject({ value: 1, n: 1, note: '1 of 2 cases left out: undefined' });
  });

  test('a rule of judge excuses by its name, with its reason', async () => {
    const run = await scored({ modules: [excuseShort], judge: { 'excuse-short': {} } });
    const excused = await Array.fromAsync(run.verdicts({ verdict: 'excused' }));
    expect(excused).toMatchObject([{ case: 'a', rule: 'excuse-short', because: 'below 3', label: 'LOC' }]);
    expect(run.value('precision')).toBe(1);
    expect((await scored()).value('precision')).toBe(0.75);
  });

  test('a rule can make a hit wrong: its gold is missed and its prediction spurious', async () => {
    const strict = defineRule({
      stage: 'judge',
      name: 'no-locations',
      about: 'a location is never right',
      judge: ({ verdict, label }) =>
        verdict === 'hit' && label === 'LOC' ? { verdict: 'wrong', because: 'never' } : null,
    });
    const run = await scored({ modules: [strict], judge: { 'no-locations': {} } });
    // 2 hits, 2 missed (Bo, Oslo), 2 spurious (in, Oslo).
    expect([run.value('precision'), run.value('recall')]).toEqual([0.5, 0.5]);
    const wrong = await Array.fromAsync(run.verdicts({ rule: 'no-locations' }));
    expect(wrong.map(({ verdict }) => verdict)).toEqual(['missed', 'spurious']);
  });

  test('a rule of prepare changes items or sets them aside; none gets lost', async () => {
    const prepare = defineRule({
      stage: 'prepare',
      name: 'no-two-letters',
      about: 'items of two characters leave, locations are places',
      setAside: ({ start, end }) => (end - start === 2 ? 'two characters' : null),
      change: (item) => (item.label === 'LOC' ? { ...item, label: 'PLACE' } : item),
    });
    const run = await scored({ modules: [prepare], prepare: { 'no-two-letters': {} } });
    expect([run.value('f1'), run.value('f1', { label: 'PLACE' })]).toEqual([1, 1]);
    const aside = await Array.fromAsync(run.verdicts({ rule: 'no-two-letters' }));
    expect(aside.map(({ case: id, verdict }) => `${id} ${verdict}`)).toEqual([
      'a excused',
      'a excused',
      'b excused',
      'b excused',
    ]);
  });

  test('a similarity is named by pair.similarity', async () => {
    const anything = defineSimilarity({ name: 'anything', about: 'every pair goes together', compare: () => 1 });
    const run = await scored({ modules: [anything], pair: { similarity: 'anything', gate: [], assign: 'optimal' } });
    expect(run.value('recall')).toBe(1);
  });

  test('a format is read through a built-in one, with its checks', async () => {
    const tagged = defineFormat({
      name: 'tagged',
      about: 'key, body and tags',
      example: '{"key":"a"}',
      as: 'spans',
      detects: (record) => 'tags' in record,
      convert: ({ key, body, tags }) => ({ id: key, text: body, spans: tags }),
    });
    const file = '{"key":"a","body":"Ada","tags":[{"start":0,"end":3,"label":"PERSON"}]}\n';
    const recipe = { extends: 'pii/strict', modules: [tagged] };
    const input = { gold: memorySource('gold', file), predictions: memorySource('predicted', file) };
    expect((await score(recipe, input)).value('f1')).toBe(1);
    const bad = memorySource('gold', file.replace('"end":3', '"end":"3"'));
    await expect(score(recipe, { ...input, gold: bad })).rejects.toThrow('gold:1');
  });

  test('each definition joins the signature, and another text of it is another signature', async () => {
    const definitions: Definition[] = [
      longRecall,
      excuseShort,
      defineSimilarity({ name: 'anything', about: 'x', compare: () => 1 }),
      defineFormat({ name: 'tagged', about: 'x', example: '', as: 'spans', detects: () => false, convert: () => null }),
      defineCheck({ name: 'my-check', about: 'x', find: () => null }),
      defineSimilarity({ name: 'anything', about: 'x', compare: () => 0.5 }),
    ];
    const signatures = await Array.fromAsync([[], ...definitions.map((one) => [one])], async (modules) => {
      return (await scored({ modules })).signature;
    });
    expect(new Set(signatures).size).toBe(signatures.length);
  });

  test.each<[string, object, string]>([
    [
      'a taken name',
      { modules: [defineSimilarity({ name: 'iou', about: '', compare: () => 1 })] },
      'built-in similarity iou',
    ],
    ['a name twice', { modules: [excuseShort, { ...excuseShort }] }, 'two definitions of the rule excuse-short'],
    [
      'a setting of another type',
      { modules: [excuseShort], judge: { 'excuse-short': { min: 'x' } } },
      'judge.excuse-short.min',
    ],
    ['an unknown setting', { modules: [longRecall], measure: { long_recall: { max: 1 } } }, 'long_recall'],
    [
      'a measure that is not a number',
      {
        modules: [defineMeasure({ name: 'broken', about: '', over: () => Number.NaN, under: () => 1 })],
        measure: ['broken'],
      },
      'the custom measure broken gave NaN in case a',
    ],
    [
      'a rule that throws',
      {
        modules: [
          defineRule({
            stage: 'judge',
            name: 'thrower',
            about: '',
            judge: () => {
              throw new Error('no');
            },
          }),
        ],
        judge: { thrower: {} },
      },
      'the custom rule thrower failed in case a (no)',
    ],
    [
      'a miss that a rule calls wrong',
      {
        modules: [
          defineRule({ stage: 'judge', name: 'odd', about: '', judge: () => ({ verdict: 'wrong', because: 'x' }) }),
        ],
        judge: { odd: {} },
      },
      'the custom rule odd made a verdict missed wrong',
    ],
  ])('refuses %s', async (_, over, message) => {
    await expect(scored(over)).rejects.toThrow(message);
  });

  test('verdicts of cases that can be gone through once only are refused, not empty', async () => {
    const item = makeItem({ kind: 'span', index: 0, label: 'X', text: 'a', start: 0, end: 1 });
    const one = {
      id: '1',
      text: 'a',
      fields: {},
      gold: [item],
      predicted: [item],
      failed: null,
      answered: true,
      setAside: [],
      offsets: null,
    };
    const run = await score(
      'pii/strict',
      (function* () {
        yield one;
      })(),
    );
    await expect(Array.fromAsync(run.verdicts())).rejects.toThrow('once only');
    const again = await score('pii/strict', [one]);
    expect(await Array.fromAsync(again.verdicts({ case: ['1'] }))).toHaveLength(1);
  });
});

describe('a run folder', () => {
  test('does not hold code: comparing and auditing need the recipe for what it defines', async () => {
    const check = defineCheck({
      name: 'few-locations',
      about: 'locations',
      open() {
        let seen = 0;
        return {
          item: ({ label }) => void (seen += Number(label === 'LOC')),
          find: () => ({ severity: 'note', title: `${seen} locations`, why: 'w', todo: 't' }),
        };
      },
    });
    const recipe = {
      extends: 'pii/strict',
      interval: 'off',
      modules: [longRecall, check],
      measure: { recall: {}, long_recall: {} },
    };
    const folder = folderWith({});
    for (const name of ['one', 'two'])
      await score(
        recipe,
        { gold: memorySource('gold', GOLD), predictions: memorySource('p', name === 'one' ? PREDICTED : GOLD) },
        { out: join(folder, name), texts: 'off' },
      );
    const folders = ['one', 'two'].map((name) => join(folder, name));
    const without = await compareRuns(folders);
    expect(without.measures.map(({ name }) => name)).not.toContain('long_recall');
    expect(without.notices.join()).toContain('long_recall is left out: its code is not in the run folder');
    const compared = await compareRuns(folders, { recipe });
    expect(compared.measures.map(({ name }) => name)).toContain('long_recall');
    expect((await auditFolder(folders[0]!)).checks.at(-1)).toMatchObject({
      name: 'few-locations',
      skipped: expect.stringContaining('--recipe'),
    });
    const audit = await auditFolder(folders[0]!, { recipe });
    expect(audit.findings.find(({ name }) => name === 'few-locations')?.title).toBe('3 locations');
    const run = await readRun(folders[0]!);
    expect(run.value('long_recall')).toBe(1);
    expect((await Array.fromAsync(run.verdicts({ case: 'b', verdict: ['hit', 'missed'] }))).length).toBe(1);
  });
});
