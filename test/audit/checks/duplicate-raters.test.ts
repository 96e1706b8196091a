import { describe, expect, test } from 'vitest';

import { duplicateRaters } from '../../../src/audit/checks/duplicate-raters.ts';
import { look } from '../audited.ts';
import { spanCase, STRICT, times } from '../made-items.ts';
import { RATED, ratedCase } from './rated-cases.ts';

/** One rating by each person of every answer, from a list of values. */
const rated = (people: Readonly<Record<string, readonly number[]>>) =>
  times(Math.max(...Object.values(people).map(({ length }) => length)), (at) =>
    ratedCase(
      `c${at}`,
      Object.entries(people).flatMap(([name, values]) => {
        const value = values[at];
        return value === undefined ? [] : [`relevance/safety ${name} ${value}` as const];
      }),
    ),
  );
/** 3, 4 and 5 in turn. */
const turns = (n: number): number[] => Array.from({ length: n }, (_, at) => 3 + (at % 3));

describe('raters who are the same', () => {
  test('gave the same value everywhere, to 20 things or more', async () => {
    const { said, findings } = await look(duplicateRaters, RATED, rated({ asha: turns(20), bela: turns(20) }));
    expect(said).toEqual(['warning: asha and bela gave the same value in all 20 ratings of relevance that they share']);
    expect(findings[0]).toMatchObject({ subjects: ['asha', 'bela'], cases: { total: 20 } });
    expect((await look(duplicateRaters, RATED, rated({ asha: turns(19), bela: turns(19) }))).said).toEqual([]);
    expect((await look(duplicateRaters, RATED, rated({ asha: turns(40), bela: [...turns(39), 1] }))).said).toEqual([]);
  });

  test('are told together, with how much each two of them share', async () => {
    expect((await look(duplicateRaters, RATED, rated({ a: turns(30), b: turns(30), c: turns(30) }))).said).toEqual([
      'warning: a, b and c gave the same value in all 30 ratings of relevance that any two of them share',
    ]);
    expect((await look(duplicateRaters, RATED, rated({ a: turns(30), b: turns(30), c: turns(21) }))).said).toEqual([
      'warning: a, b and c gave the same value in all 21 to 30 ratings of relevance that any two of them share',
    ]);
  });

  test('are told by two where two of them differ', async () => {
    // a rates things 0 to 24, c 25 to 49 and one of a's otherwise; b rates all.
    const b = turns(50);
    const a = b.slice(0, 25);
    const cases = b.map((value, at) =>
      ratedCase(`c${at}`, [
        `relevance/safety b ${value}`,
        ...(at < 25 ? ([`relevance/safety a ${a[at]!}`] as const) : ([`relevance/safety c ${value}`] as const)),
        ...(at === 0 ? (['relevance/use a 1', 'relevance/use c 5'] as const) : []),
      ]),
    );
    expect((await look(duplicateRaters, RATED, cases)).said).toEqual([
      'warning: a and b gave the same value in all 25 ratings of relevance that they share',
      'warning: b and c gave the same value in all 25 ratings of relevance that they share',
    ]);
  });

  test('use a scale: where nearly all values are one, people agree', async () => {
    const fives = Array.from({ length: 40 }, () => 5);
    expect((await look(duplicateRaters, RATED, rated({ asha: fives, bela: fives }))).said).toEqual([]);
    const two = fives.map((value, at) => (at % 2 === 0 ? 4 : value));
    expect((await look(duplicateRaters, RATED, rated({ asha: two, bela: two }))).said).toEqual([]);
    const nearly = (others: number) => fives.map((value, at) => (at < others ? 3 + (at % 2) : value));
    expect((await look(duplicateRaters, RATED, rated({ asha: nearly(9), bela: nearly(9) }))).said).toEqual([]);
    expect((await look(duplicateRaters, RATED, rated({ asha: nearly(10), bela: nearly(10) }))).said).toHaveLength(1);
  });

  test('are looked for question by question, and not where nobody shares anything', async () => {
    expect((await look(duplicateRaters, STRICT, [spanCase('a', ['A 0'], ['A 0'])])).skipped).toBe(
      'nobody has rated anything',
    );
    expect((await look(duplicateRaters, RATED, rated({ asha: turns(30) }))).skipped).toBe(
      'no two people rated the same thing',
    );
    const cases = times(24, (at) =>
      ratedCase(`c${at}`, at < 12 ? ['one/x a 3', 'one/x b 3'] : ['two/x a 5', 'two/x b 5']),
    );
    expect((await look(duplicateRaters, RATED, cases)).said).toEqual([]);
  });
});

describe('raters who rate the other way round', () => {
  const up = Array.from({ length: 15 }, (_, at) => 1 + (at % 5));
  const down = up.map((value) => 6 - value);

  test('run against all others', async () => {
    // A third who is one off in every fifth thing, 5 for 4: ranks 2, 5, 8, and twice 12.5 instead of 11 and 14. Less 8:
    // up has −6 −3 0 3 6, the third −6 −3 0 4.5 4.5, three times each: 3 · 85.5 of √(3 · 90 · 3 · 85.5) is 0.975.
    const near = up.map((value) => (value === 4 ? 5 : value));
    const { said, findings } = await look(duplicateRaters, RATED, rated({ asha: up, bela: near, chand: down }));
    expect(said).toEqual([
      'warning: chand rates relevance against the others: rank correlation -1.000 with asha (15 ratings) and -0.975 with bela (15 ratings)',
    ]);
    expect(findings[0]).toMatchObject({ subjects: ['chand'], cases: { total: 15 } });
    expect(findings[0]?.todo).toContain('turn the values round (6 - value)');
  });

  test('may be either of two', async () => {
    const { said, findings } = await look(duplicateRaters, RATED, rated({ asha: up, bela: down }));
    expect(said).toEqual([
      'warning: asha and bela rate relevance in opposite directions: rank correlation -1.000 for asha and bela (15 ratings)',
    ]);
    expect(findings[0]?.subjects).toEqual(['asha', 'bela']);
  });

  test('are not those of 14 ratings, nor of a correlation that chance gives', async () => {
    expect(
      (await look(duplicateRaters, RATED, rated({ asha: up.slice(0, 14), bela: down.slice(0, 14) }))).said,
    ).toEqual([]);
    // Over 1 to 15 with the middle five in the same order: less 8, squares sum to 280; 270 against and 10 for: −260 / 280.
    // With the middle nine (squares 60) −220 / 280 + 60 / 280 = −0.571, which is 2.1 standard errors of 14.
    const places = Array.from({ length: 15 }, (_, at) => at + 1);
    const middle = (width: number) => places.map((place) => (Math.abs(place - 8) <= width ? place : 16 - place));
    expect((await look(duplicateRaters, RATED, rated({ asha: places, bela: middle(2) }))).said).toEqual([
      'warning: asha and bela rate relevance in opposite directions: rank correlation -0.929 for asha and bela (15 ratings)',
    ]);
    expect((await look(duplicateRaters, RATED, rated({ asha: places, bela: middle(4) }))).said).toEqual([]);
    const constant = up.map(() => 3);
    expect((await look(duplicateRaters, RATED, rated({ asha: up, bela: constant }))).said).toEqual([]);
  });
});
