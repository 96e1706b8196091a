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
});
