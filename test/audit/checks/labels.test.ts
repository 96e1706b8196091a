import { describe, expect, test } from 'vitest';

import { makeCase } from '../../../src/data/case.ts';
import { makeItem } from '../../../src/data/item.ts';
import { misnamedLabels } from '../../../src/audit/checks/misnamed-labels.ts';
import { labelsNeverInGold, labelsNeverPredicted } from '../../../src/audit/checks/one-sided-labels.ts';
import { look } from '../audited.ts';
import { spanCase, STRICT, times } from '../made-items.ts';

const right = times(40, (at) => spanCase(`r${at}`, ['PERSON 0'], ['PERSON 0']));
const missed = (n: number) => times(n, (at) => spanCase(`m${at}`, ['ORG 0'], []));
const stray = (n: number) => times(n, (at) => spanCase(`s${at}`, [], ['COMPANY 0']));

describe('a label that gold has and no prediction', () => {
  test('is a warning with at least five items and a twentieth of gold', async () => {
    const { said, findings } = await look(labelsNeverPredicted, STRICT, [...right, ...missed(5)]);
    expect(said).toEqual([
      'warning: 1 label of the kind span is in gold and never predicted: ORG (5 gold items, 11 % of them)',
    ]);
    expect(findings[0]).toMatchObject({ subjects: ['ORG'], cases: { total: 5 }, items: { total: 5 } });
  });

  test('is a note where it is rare, and ordinary where it has four items', async () => {
    const many = times(400, (at) => spanCase(`r${at}`, ['PERSON 0'], ['PERSON 0']));
    expect((await look(labelsNeverPredicted, STRICT, [...many, ...missed(5)])).said).toEqual([
      'note: 1 label of the kind span is in gold and never predicted: ORG (5 gold items, 1 % of them)',
    ]);
    expect((await look(labelsNeverPredicted, STRICT, [...right, ...missed(4)])).said).toEqual([]);
  });

  test('is nothing where labels are not compared, or where its misses are excused', async () => {
    const anyLabel = { ...STRICT, pair: { gate: [], similarity: 'exact' } };
    expect((await look(labelsNeverPredicted, anyLabel, [...right, ...missed(9)])).said).toEqual([]);
    const excusing = { ...STRICT, judge: { 'excuse-missed': { labels: ['ORG'] } } };
    expect((await look(labelsNeverPredicted, excusing, [...right, ...missed(9)])).said).toEqual([]);
  });

  test('is looked at by the name that a label map gives it', async () => {
    const mapped = { ...STRICT, prepare: { relabel: { map: { COMPANY: 'ORG' } } } };
    const named = times(9, (at) => spanCase(`n${at}`, ['ORG 0'], ['COMPANY 50']));
    expect((await look(labelsNeverPredicted, mapped, [...right, ...named])).said).toEqual([]);
    expect((await look(labelsNeverPredicted, STRICT, [...right, ...named])).said).toHaveLength(1);
  });
});

describe('labels that the two sides call differently', () => {
  const named = (gold: string, predicted: string, n: number) =>
    times(n, (at) => spanCase(`${predicted}${at}`, [`${gold} 0`], [`${predicted} 0`]));
  const todos = async (check: typeof labelsNeverInGold, cases: Parameters<typeof look>[2]) =>
    (await look(check, STRICT, cases)).findings.map(({ todo }) => /--set .*?(?=\))/.exec(todo)?.[0] ?? null);

  test('come with the flags that rename the predictions, from both sides of the difference', async () => {
    const cases = [...named('Person', 'PER', 12), ...named('Place', 'LOC', 11)];
    const flags = '--set prepare.relabel.map.PER=Person --set prepare.relabel.map.LOC=Place';
    expect(await todos(labelsNeverPredicted, cases)).toEqual([flags]);
    expect(await todos(labelsNeverInGold, cases)).toEqual([flags]);
  });

  test('have no flag if most of them meet nothing, if the model uses the label of gold, or if it would need quotes', async () => {
    expect(await todos(labelsNeverPredicted, [...named('ORG', 'COMPANY', 5), ...missed(6)])).toEqual([null]);
    expect(await todos(labelsNeverInGold, [...right, ...named('PERSON', 'SURNAME', 12)])).toEqual([null]);
    expect(await todos(labelsNeverPredicted, named('a.person', 'PER', 12))).toEqual([null]);
  });

  test('have one flag for each label of the model', async () => {
    const cases = [...named('City', 'LOC', 12), ...named('Land', 'LOC', 11)];
    expect(await todos(labelsNeverPredicted, cases)).toEqual(['--set prepare.relabel.map.LOC=City']);
  });
});

test('a label that a setting misspells is named with the one that occurs', () => {
  const titles = (map: object) => misnamedLabels({ prepare: { relabel: { map } } }, new Set(['PERSON'])).length;
  expect([titles({ PERSONN: 'P' }), titles({ PERSON: 'P' }), titles({ ZIPCODE: 'P' })]).toEqual([1, 0, 0]);
});

describe('a label that is predicted and never in gold', () => {
  test('is a warning with at least ten predictions and a twentieth of them, and a note below', async () => {
    expect((await look(labelsNeverInGold, STRICT, [...right, ...stray(10)])).said).toEqual([
      'warning: 1 label of the kind span is predicted and never in gold: COMPANY (10 predictions, 20 % of them)',
    ]);
    // Nine may be what a weak system makes of a label that is rare in the world.
    expect((await look(labelsNeverInGold, STRICT, [...right, ...stray(9)])).said).toEqual([
      'note: 1 label of the kind span is predicted and never in gold: COMPANY (9 predictions, 18 % of them)',
    ]);
    const many = times(200, (at) => spanCase(`x${at}`, ['PERSON 0'], ['PERSON 0']));
    expect((await look(labelsNeverInGold, STRICT, [...many, ...stray(10)])).said).toEqual([
      'note: 1 label of the kind span is predicted and never in gold: COMPANY (10 predictions, 5 % of them)',
    ]);
  });

  test('may have been taken out of gold by a rule: then gold had it, and it is a note', async () => {
    const dropping = { ...STRICT, prepare: { drop: { side: 'gold', labels: ['COMPANY'] } } };
    const named = times(12, (at) => spanCase(`n${at}`, ['COMPANY 0'], ['COMPANY 0']));
    const { said, findings } = await look(labelsNeverInGold, dropping, [...right, ...named]);
    expect(said).toEqual([
      'note: 1 label of the kind span is predicted and taken out of gold by drop: COMPANY (12 predictions, 23 % of them)',
    ]);
    expect(findings[0]).toMatchObject({ subjects: ['COMPANY'], cases: { total: 12 }, items: { total: 12 } });
    // The same rule where gold never had it takes nothing out.
    expect((await look(labelsNeverInGold, dropping, [...right, ...stray(12)])).said).toEqual([
      'warning: 1 label of the kind span is predicted and never in gold: COMPANY (12 predictions, 23 % of them)',
    ]);
    const failing = times(2, (at) => spanCase(`f${at}`, ['COMPANY 0'], [], { failed: 'time-out' }));
    expect((await look(labelsNeverInGold, STRICT, [...right, ...stray(12), ...failing])).said).toEqual([
      'note: 1 label of the kind span is predicted and taken out of gold by the failing of cases: COMPANY (12 predictions, 23 % of them)',
    ]);
  });

  test('may be a class that the recipe names, which these cases just do not have: a note', async () => {
    const classItem = (label: string) => makeItem({ kind: 'class', index: 0, label, text: label });
    const classCase = (id: string, gold: string, predicted: string) =>
      makeCase({ id, gold: [classItem(gold)], predicted: [classItem(predicted)] });
    const known = times(28, (at) => classCase(`k${at}`, 'vata', 'vata'));
    const asked = (predicted: string) => times(12, (at) => classCase(`t${at}`, 'kapha', predicted));
    const named = await look(labelsNeverInGold, 'consult/ayurmind', [...known, ...asked('tridosha')]);
    expect(named.said).toEqual([
      'note: 1 label of the kind class is predicted and never in gold: tridosha (12 predictions, 30 % of them)',
    ]);
    expect(named.findings[0]!.why).toMatch(/^The recipe names them as classes/);
    // One that nobody has heard of is another matter.
    expect((await look(labelsNeverInGold, 'consult/ayurmind', [...known, ...asked('choleric')])).said).toEqual([
      'warning: 1 label of the kind class is predicted and never in gold: choleric (12 predictions, 30 % of them)',
    ]);
  });

  test('says how many labels there are in all, and how many have five items or more', async () => {
    const some = (label: string, n: number) => times(n, (at) => spanCase(`${label}${at}`, [], [`${label} 0`]));
    // 40 + 12 + 10 + 2 + 1 = 65 predictions.
    const many = [...right, ...some('COMPANY', 12), ...some('CITY', 10), ...some('RIVER', 2), ...some('STREET', 1)];
    expect((await look(labelsNeverInGold, STRICT, many)).said).toEqual([
      'warning: 4 labels of the kind span are predicted and never in gold; 2 of them have 5 items or more: COMPANY (12 predictions, 18 % of them) and CITY (10 predictions, 15 % of them)',
    ]);
    // With 150 more CITY is below a twentieth: 10 of 215.
    const rare = [...many, ...times(150, (at) => spanCase(`x${at}`, ['PERSON 0'], ['PERSON 0']))];
    expect((await look(labelsNeverInGold, STRICT, rare)).said).toEqual([
      'warning: 4 labels of the kind span are predicted and never in gold; 2 of them have 5 items or more, among them COMPANY (12 predictions, 6 % of them)',
      'note: 4 labels of the kind span are predicted and never in gold; 2 of them have 5 items or more, among them CITY (10 predictions, 5 % of them)',
    ]);
  });

  test('is nothing where there are few, or where they are excused', async () => {
    expect((await look(labelsNeverInGold, STRICT, [...right, ...stray(4)])).said).toEqual([]);
    const excusing = { ...STRICT, judge: { 'excuse-spurious': { labels: ['COMPANY'] } } };
    expect((await look(labelsNeverInGold, excusing, [...right, ...stray(9)])).said).toEqual([]);
  });

  test('may be declared in the recipe and occur nowhere, which is a note', async () => {
    const declared = { ...STRICT, data: { labels: ['PERSON', 'ORG'] } };
    expect((await look(labelsNeverInGold, declared, right)).said).toEqual([
      'note: 1 label of the recipe occurs neither in gold nor in a prediction: ORG',
    ]);
    expect((await look(labelsNeverInGold, { ...STRICT, data: { labels: ['PERSON'] } }, right)).said).toEqual([]);
    // Gold that a rule takes out has occurred.
    const dropping = { ...declared, prepare: { drop: { side: 'gold', labels: ['ORG'] } } };
    expect((await look(labelsNeverInGold, dropping, [...right, ...missed(1)])).said).toEqual([]);
  });

  test('may be named by a setting and occur nowhere, which does nothing in silence: a note', async () => {
    const misspelt = {
      ...STRICT,
      pair: { gate: ['label'], similarity: 'iou', threshold: { PERSN: 0.3, default: 0.5 } },
      judge: { 'excuse-missed': { labels: ['ORGANISATION'] } },
      prepare: { relabel: { map: { PERSONN: 'PERSON', ZIPCODE: 'LOC' } } },
    };
    const { said, findings } = await look(labelsNeverInGold, misspelt, right);
    expect(said).toEqual([
      'note: 3 labels that the recipe has a setting for occur neither in gold nor in a prediction: PERSN in pair.threshold (there is PERSON), ORGANISATION in judge.excuse-missed and PERSONN in prepare.relabel (there is PERSON)',
    ]);
    expect(findings[0]!.subjects).toEqual(['PERSN', 'ORGANISATION', 'PERSONN']);
  });

  test('may be one of several that a setting names, or be there before a map or a drop takes it away', async () => {
    const listing = { ...STRICT, judge: { 'excuse-missed': { labels: ['PERSON', 'COURT', 'CASE'] } } };
    expect((await look(labelsNeverInGold, listing, right)).said).toEqual([]);
    const away = {
      ...STRICT,
      prepare: { relabel: { map: { COMPANY: 'ORG' } }, drop: { side: 'predicted', labels: ['ORG'] } },
    };
    expect((await look(labelsNeverInGold, away, [...right, ...stray(1)])).said).toEqual([]);
  });
});
