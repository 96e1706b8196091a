import { describe, expect, test } from 'vitest';

import { neverGold } from '../../../../src/runs/audit/checks/never-gold.ts';
import { neverPredicted } from '../../../../src/runs/audit/checks/never-predicted.ts';
import { look } from '../audited.ts';
import { spanCase, STRICT, times } from '../made-items.ts';

const right = times(40, (at) => spanCase(`r${at}`, ['PERSON 0'], ['PERSON 0']));
const missed = (n: number) => times(n, (at) => spanCase(`m${at}`, ['ORG 0'], []));
const stray = (n: number) => times(n, (at) => spanCase(`s${at}`, [], ['COMPANY 0']));

describe('a label that gold has and no prediction', () => {
  test('is a warning with at least five items and a twentieth of gold', async () => {
    const { said, findings } = await look(neverPredicted, STRICT, [...right, ...missed(5)]);
    expect(said).toEqual([
      'warning: 1 label of the kind span is in gold and never predicted: ORG (5 gold items, 11 % of them)',
    ]);
    expect(findings[0]).toMatchObject({ subjects: ['ORG'], cases: { total: 5 }, items: { total: 5 } });
  });

  test('is a note where it is rare, and ordinary where it has four items', async () => {
    const many = times(400, (at) => spanCase(`r${at}`, ['PERSON 0'], ['PERSON 0']));
    expect((await look(neverPredicted, STRICT, [...many, ...missed(5)])).said).toEqual([
      'note: 1 label of the kind span is in gold and never predicted: ORG (5 gold items, 1 % of them)',
    ]);
    expect((await look(neverPredicted, STRICT, [...right, ...missed(4)])).said).toEqual([]);
  });

  test('is nothing where labels are not compared, or where its misses are excused', async () => {
    const anyLabel = { ...STRICT, pair: { gate: [], similarity: 'exact' } };
    expect((await look(neverPredicted, anyLabel, [...right, ...missed(9)])).said).toEqual([]);
    const excusing = { ...STRICT, judge: { 'excuse-missed': { labels: ['ORG'] } } };
    expect((await look(neverPredicted, excusing, [...right, ...missed(9)])).said).toEqual([]);
  });

  test('is looked at by the name that a label map gives it', async () => {
    const mapped = { ...STRICT, prepare: { relabel: { map: { COMPANY: 'ORG' } } } };
    const named = times(9, (at) => spanCase(`n${at}`, ['ORG 0'], ['COMPANY 50']));
    expect((await look(neverPredicted, mapped, [...right, ...named])).said).toEqual([]);
    expect((await look(neverPredicted, STRICT, [...right, ...named])).said).toHaveLength(1);
  });
});

describe('a label that is predicted and never in gold', () => {
  test('is a warning with at least five predictions and a twentieth of them', async () => {
    const { said } = await look(neverGold, STRICT, [...right, ...stray(6)]);
    expect(said).toEqual([
      'warning: 1 label of the kind span is predicted and never in gold: COMPANY (6 predictions, 13 % of them)',
    ]);
  });

  test('says how many labels there are in all, and how many have five items or more', async () => {
    const some = (label: string, n: number) => times(n, (at) => spanCase(`${label}${at}`, [], [`${label} 0`]));
    // 40 + 6 + 5 + 2 + 1 = 54 predictions.
    const many = [...right, ...some('COMPANY', 6), ...some('CITY', 5), ...some('RIVER', 2), ...some('STREET', 1)];
    expect((await look(neverGold, STRICT, many)).said).toEqual([
      'warning: 4 labels of the kind span are predicted and never in gold; 2 of them have 5 items or more: COMPANY (6 predictions, 11 % of them) and CITY (5 predictions, 9 % of them)',
    ]);
    // With 100 more CITY is below a twentieth: 5 of 154.
    const rare = [
      ...many,
      ...times(100, (at) => spanCase(`x${at}`, ['PERSON 0'], ['PERSON 0'])),
      ...some('COMPANY', 4),
    ];
    expect((await look(neverGold, STRICT, rare)).said).toEqual([
      'warning: 4 labels of the kind span are predicted and never in gold; 2 of them have 5 items or more, among them COMPANY (10 predictions, 6 % of them)',
      'note: 4 labels of the kind span are predicted and never in gold; 2 of them have 5 items or more, among them CITY (5 predictions, 3 % of them)',
    ]);
  });

  test('is nothing where there are few, or where they are excused', async () => {
    expect((await look(neverGold, STRICT, [...right, ...stray(4)])).said).toEqual([]);
    const excusing = { ...STRICT, judge: { 'excuse-spurious': { labels: ['COMPANY'] } } };
    expect((await look(neverGold, excusing, [...right, ...stray(9)])).said).toEqual([]);
  });

  test('may be declared in the recipe and occur nowhere, which is a note', async () => {
    const declared = { ...STRICT, data: { labels: ['PERSON', 'ORG'] } };
    expect((await look(neverGold, declared, right)).said).toEqual([
      'note: 1 label of the recipe occurs neither in gold nor in a prediction: ORG',
    ]);
    expect((await look(neverGold, { ...STRICT, data: { labels: ['PERSON'] } }, right)).said).toEqual([]);
  });

  test('may be named by a setting and occur nowhere, which does nothing in silence: a note', async () => {
    const misspelt = {
      ...STRICT,
      pair: { gate: ['label'], similarity: 'iou', threshold: { PERSN: 0.3, default: 0.5 } },
      judge: { 'excuse-missed': { labels: ['ORGANISATION'] } },
      prepare: { relabel: { map: { PERSONN: 'PERSON', ZIPCODE: 'LOC' } } },
    };
    const { said, findings } = await look(neverGold, misspelt, right);
    expect(said).toEqual([
      'note: 3 labels that the recipe has a setting for occur neither in gold nor in a prediction: PERSN in pair.threshold (there is PERSON), ORGANISATION in judge.excuse-missed and PERSONN in prepare.relabel (there is PERSON)',
    ]);
    expect(findings[0]!.subjects).toEqual(['PERSN', 'ORGANISATION', 'PERSONN']);
  });

  test('may be one of several that a setting names, or be there before a map or a drop takes it away', async () => {
    const listing = { ...STRICT, judge: { 'excuse-missed': { labels: ['PERSON', 'COURT', 'CASE'] } } };
    expect((await look(neverGold, listing, right)).said).toEqual([]);
    const away = {
      ...STRICT,
      prepare: { relabel: { map: { COMPANY: 'ORG' } }, drop: { side: 'predicted', labels: ['ORG'] } },
    };
    expect((await look(neverGold, away, [...right, ...stray(1)])).said).toEqual([]);
  });
});
