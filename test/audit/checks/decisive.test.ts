import { describe, expect, test } from 'vitest';

import { type Case, makeCase } from '../../../src/data/case.ts';
import { makeItem } from '../../../src/data/item.ts';
import { singleAnnotatorDependence, singleCaseDependence } from '../../../src/audit/checks/decisive.ts';
import { look } from '../audited.ts';
import { spanCase, spans, STRICT, times } from '../made-items.ts';

const INTERVALS = { set: ['interval.resamples=500'] };
const places = (n: number) => Array.from({ length: n }, (_, at) => `A ${10 * at}`);
const good = times(9, (at) => spanCase(`g${at}`, places(2), places(2)));

describe('one case that decides', () => {
  test('is one without which the value moves by more than its interval', async () => {
    const huge = spanCase('huge', places(60), []);
    const { said, findings } = await look(singleCaseDependence, STRICT, [...good, huge], INTERVALS);
    // 18 hits and 60 missed: 36 / 96. Without it all is right.
    expect(said).toEqual(['warning: Without the case huge, f1 is 1.000 instead of 0.375']);
    expect(findings[0]).toMatchObject({ subjects: ['huge'], cases: { total: 1, shown: ['huge'] } });
  });

  test('is not one wrong case among others of its size, nor one of four', async () => {
    const wrong = spanCase('wrong', places(2), []);
    expect((await look(singleCaseDependence, STRICT, [...good, wrong], INTERVALS)).said).toEqual([]);
    expect(
      (await look(singleCaseDependence, STRICT, [...good.slice(0, 3), spanCase('huge', places(60), [])], INTERVALS))
        .said,
    ).toEqual([]);
  });

  test('is told without intervals from twice its share on', async () => {
    expect((await look(singleCaseDependence, STRICT, [...good, spanCase('huge', places(60), [])])).said).toHaveLength(
      1,
    );
    expect((await look(singleCaseDependence, STRICT, [...good, spanCase('wrong', places(2), [])])).said).toEqual([]);
  });

  test('may be a group of cases that belong together', async () => {
    const clustered = times(12, (at) => {
      const group = at < 3 ? 'ward' : `p${at}`;
      return spanCase(`c${at}`, places(at < 3 ? 30 : 2), at < 3 ? [] : places(2), { fields: { group } });
    });
    const { said } = await look(singleCaseDependence, STRICT, clustered, {
      set: ['interval.cluster=group', 'interval.resamples=500'],
    });
    // 18 hits and 90 missed: 36 / 126.
    expect(said).toEqual(['warning: Without the group of cases ward, f1 is 1.000 instead of 0.286']);
  });
});

describe('one person who decides', () => {
  /** Each document is annotated by three people; the system finds the first item, and `extra` marks more of them. */
  const annotated = (extra: string): Case[] =>
    times(20, (at) => {
      const of = (name: string) =>
        spans(...places(name === extra ? 12 : 1)).map((item) => ({ ...item, annotator: name }));
      return makeCase({ id: `d${at}`, gold: ['ann', 'bo', 'cy'].flatMap(of), predicted: spans('A 0') });
    });
  const EACH = { ...STRICT, prepare: { annotator: 'each' } };

  test('is an annotator who sees what nobody else sees', async () => {
    const { said, findings } = await look(singleAnnotatorDependence, EACH, annotated('cy'), INTERVALS);
    // 60 hits, 220 missed: 120 / 340. There is no interval where every case is the same.
    expect(findings).toEqual([]);
    expect(said).toEqual([]);
    const uneven = annotated('cy').map((one, at) => (at % 4 === 0 ? { ...one, predicted: [] } : one));
    // Of 20 documents 15 are answered: 45 hits, 15 + 220 missed and none spurious: 90 / (45 + 280) = 0.277.
    // Without cy 30 hits and 10 missed: 60 / 70 = 0.857.
    expect((await look(singleAnnotatorDependence, EACH, uneven, INTERVALS)).said).toEqual([
      'warning: Without cy, f1 is 0.857 instead of 0.277',
    ]);
  });

  test('is nobody where all judge alike, and is not looked for where nobody is named', async () => {
    const uneven = annotated('').map((one, at) => (at % 4 === 0 ? { ...one, predicted: [] } : one));
    expect((await look(singleAnnotatorDependence, EACH, uneven, INTERVALS)).said).toEqual([]);
    expect((await look(singleAnnotatorDependence, STRICT, good)).skipped).toBe('the run does not say who judged what');
  });

  const RATED = {
    task: 'consult',
    measure: { relevance: { of: 'field-mean', kind: 'rating', field: 'value', direction: 'higher', range: [1, 5] } },
  };
  const rated = (values: readonly (readonly [string, number])[]): Case[] =>
    times(30, (at) =>
      makeCase({
        id: `c${at}`,
        logged: values.map(([name, value], index) => ({
          item: makeItem({
            kind: 'rating',
            index,
            label: 'safety',
            annotator: name,
            fields: { value: at % 2 === 0 ? value : Math.max(1, value - 1) },
          }),
          verdict: 'excused' as const,
          rule: 'logged',
        })),
      }),
    );

  test('is a reviewer far from the others; one who is a little stricter is a note at most', async () => {
    const far = rated([
      ['asha', 5],
      ['bela', 5],
      ['chand', 2],
    ]);
    // Means 4.5, 4.5 and 1.5: 3.5 over all, 4.5 without chand.
    expect((await look(singleAnnotatorDependence, RATED, far, INTERVALS)).said).toEqual([
      'warning: Without chand, relevance is 4.500 instead of 3.500',
    ]);
    const near = rated([
      ['asha', 4],
      ['bela', 4],
      ['chand', 3],
    ]);
    // 3.5, 3.5 and 2.5: 3.167 over all, 3.5 without chand: a third of a point of four.
    expect((await look(singleAnnotatorDependence, RATED, near, INTERVALS)).said).toEqual([
      'note: Without chand, relevance is 3.500 instead of 3.167',
    ]);
    expect(
      (
        await look(
          singleAnnotatorDependence,
          RATED,
          rated([
            ['asha', 5],
            ['chand', 2],
          ]),
          INTERVALS,
        )
      ).said,
    ).toEqual([]);
  });
});
