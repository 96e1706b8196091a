import { describe, expect, test } from 'vitest';

import { makeCase } from '../../../src/data/case.ts';
import { makeItem } from '../../../src/data/item.ts';
import { excusedHits } from '../../../src/audit/checks/rule-credit.ts';
import { look } from '../audited.ts';
import { spanCase, STRICT, times } from '../made-items.ts';

const EXCUSING = { ...STRICT, judge: { 'excuse-missed': { labels: ['ORG', 'DEM'] } } };

// 1 hit, 1 miss and 1 false alarm on PERSON; 1 hit and 3 excused misses on ORG.
const MIXED = spanCase(
  'a',
  ['PERSON 0', 'PERSON 10', 'ORG 20', 'ORG 30', 'ORG 40', 'ORG 50'],
  ['PERSON 0', 'PERSON 90', 'ORG 20'],
);

describe('hits on labels whose misses are excused', () => {
  test('are an error from one of a hundred hits on, with what the score would be otherwise', async () => {
    const { findings, said } = await look(excusedHits, EXCUSING, [MIXED]);
    expect(said).toEqual([
      'error: 1 of 2 hits (50 %) is on labels whose misses are excused (ORG); with those misses counted, recall would be 0.333 instead of 0.667',
    ]);
    // As scored 2 hits, 1 missed, 1 spurious: 4/6. Without ORG 1, 1, 1. With the 3 misses recall 2/6 and F1 4/9.
    expect(findings[0]!.why).toContain('precision is 0.667, recall 0.667 and F1 0.667');
    expect(findings[0]!.why).toContain('precision would be 0.500, recall 0.500 and F1 0.500');
    expect(findings[0]!.why).toContain('with their 3 excused misses counted, recall would be 0.333 and F1 0.444');
    expect(findings[0]).toMatchObject({ subjects: ['ORG'], cases: { total: 1, shown: ['a'] }, items: { total: 1 } });
    expect(findings[0]!.items.shown[0]).toMatchObject({ case: 'a', side: 'gold', label: 'ORG', text: 'ORG 20' });
  });

  test('are a note where they are fewer than that', async () => {
    const many = times(100, (at) => spanCase(`p${at}`, ['PERSON 0'], ['PERSON 0']));
    const { said } = await look(excusedHits, EXCUSING, [...many, spanCase('o', ['ORG 0'], ['ORG 0'])]);
    expect(said).toEqual(['note: 1 of 101 hits (1 %) is on labels whose misses are excused (ORG)']);
  });

  test('that a rule credits on such gold count, whatever label they go by', async () => {
    const recipe = {
      ...EXCUSING,
      judge: {
        ...EXCUSING.judge,
        'loc-in-org': { predicted: ['LOC'], gold: ['ORG'], words: ['court'], usesGold: false, label: 'LOC in ORG' },
      },
    };
    const text = 'The Warsaw Regional Court sat.';
    const span = (label: string, start: number, own: string) =>
      makeItem({ kind: 'span', index: 0, label, text: own, start, end: start + own.length });
    const given = makeCase({
      id: 'w',
      text,
      gold: [span('ORG', 4, 'Warsaw Regional Court')],
      predicted: [span('LOC', 4, 'Warsaw')],
    });
    const { said } = await look(excusedHits, recipe, [given]);
    expect(said).toEqual(['error: 1 of 1 hit (100 %) is on labels whose misses are excused (LOC in ORG)']);
  });

  test('of which some labels are accepted are told apart', async () => {
    const both = spanCase('b', ['ORG 0', 'ORG 10', 'DEM 20'], ['ORG 0', 'ORG 10', 'DEM 20']);
    const accept = new Map([['excused-hits', { because: 'agreed', subjects: new Set(['ORG']) }]]);
    const { findings } = await look(excusedHits, EXCUSING, [both], { accept });
    expect(findings.map(({ title, accepted }) => [title, accepted])).toEqual([
      ['1 of 3 hits (33 %) is on labels whose misses are excused (DEM)', null],
      ['2 of 3 hits (67 %) are on labels whose misses are excused (ORG)', 'agreed'],
    ]);
    expect(findings.map(({ items }) => items.total)).toEqual([1, 2]);
  });

  test('there are none where nothing is excused, or where such labels have no hits', async () => {
    expect((await look(excusedHits, STRICT, [MIXED])).said).toEqual([]);
    expect((await look(excusedHits, EXCUSING, [spanCase('n', ['PERSON 0', 'ORG 9'], ['PERSON 0'])])).said).toEqual([]);
  });
});
