import { describe, expect, test } from 'vitest';

import { incompleteRatings } from '../../../src/audit/checks/incomplete-ratings.ts';
import { look } from '../audited.ts';
import { spanCase, STRICT, times } from '../made-items.ts';
import { RATED, ratedCase, type Word } from './rated-cases.ts';

const by = (...people: readonly string[]): Word[] =>
  people.flatMap((name): Word[] => [`relevance/safety ${name} 4`, `relevance/use ${name} 3`]);
const ALL = ['asha', 'bela', 'chand'];

describe('few ratings', () => {
  test('are a warning below a quarter of the answers, a note below half, and nothing from there on', async () => {
    const rated = (n: number) => times(20, (at) => ratedCase(`c${at}`, at < n ? by(...ALL) : []));
    // 4 answers by 3 people in 2 dimensions: 24 of 20 x 6.
    const { said, findings } = await look(incompleteRatings, RATED, rated(4));
    expect(said).toEqual([
      'warning: relevance rests on ratings of 4 of 20 answers (20 %): 24 of the 120 ratings that the form asks for (20 %)',
    ]);
    expect(findings[0]).toMatchObject({
      subjects: ['relevance'],
      cases: { total: 4, shown: ['c0', 'c1', 'c2', 'c3'] },
    });
    expect((await look(incompleteRatings, RATED, rated(5))).said).toEqual([
      'note: relevance rests on ratings of 5 of 20 answers (25 %): 30 of the 120 ratings that the form asks for (25 %)',
    ]);
    expect((await look(incompleteRatings, RATED, rated(9))).findings[0]?.severity).toBe('note');
    expect((await look(incompleteRatings, RATED, rated(10))).said).toEqual([]);
  });

  test('may be spread over all answers', async () => {
    // Two people rate one dimension of ten answers: 20 of 60; of every answer, by three, 30 of 60.
    const spread = (people: readonly string[]) =>
      times(10, (at) =>
        ratedCase(
          `c${at}`,
          people.map((name): Word => `relevance/use ${name} 3`),
        ),
      );
    expect((await look(incompleteRatings, RATED, spread(['asha', 'bela']))).said).toEqual([
      'note: relevance rests on 20 of the 60 ratings that the form asks for (33 %)',
    ]);
    expect((await look(incompleteRatings, RATED, spread(ALL))).said).toEqual([]);
  });

  test('by one person where several are asked for are a warning: nobody knows how far others would agree', async () => {
    const { said } = await look(
      incompleteRatings,
      RATED,
      times(10, (at) => ratedCase(`c${at}`, by('asha'))),
    );
    expect(said).toEqual([
      'warning: relevance rests on 20 of the 60 ratings that the form asks for (33 %), all by asha, instead of by 3 people',
    ]);
    const shared = times(10, (at) => ratedCase(`c${at}`, by('asha', ...(at === 0 ? ['bela'] : []))));
    // 20 of asha's and 2 of bela's: two things that two people rated.
    expect((await look(incompleteRatings, RATED, shared)).said).toEqual([
      'note: relevance rests on 22 of the 60 ratings that the form asks for (37 %)',
    ]);
    const divided = times(10, (at) => ratedCase(`c${at}`, by(at < 5 ? 'asha' : 'bela')));
    expect((await look(incompleteRatings, RATED, divided)).said).toEqual([
      'warning: relevance rests on 20 of the 60 ratings that the form asks for (33 %), by asha and bela, no two of whom rated the same thing, instead of by 3 people',
    ]);
    const plain = times(10, (at) => ratedCase(`c${at}`, ['plainness/ asha 3']));
    expect((await look(incompleteRatings, RATED, plain)).said).toEqual([]);
  });

  test('of questions that lack the same are told together, and can be accepted one by one', async () => {
    const cases = times(8, (at) =>
      ratedCase(`c${at}`, at > 0 ? [] : ['one/x asha 4', 'one/x bela 4', 'two/x asha 3', 'two/x bela 4'], {
        one: 2,
        two: 2,
      }),
    );
    const title = 'each rest on ratings of 1 of 8 answers (13 %): 2 of the 16 ratings that the form asks for (13 %)';
    expect((await look(incompleteRatings, RATED, cases)).said).toEqual([`warning: one and two ${title}`]);
    const accepting = {
      ...RATED,
      audit: { accept: { 'incomplete-ratings': { because: 'a pilot', subjects: ['one'] } } },
    };
    const { findings } = await look(incompleteRatings, accepting, cases);
    expect(findings.map(({ subjects, accepted }) => [subjects, accepted])).toEqual([
      [['two'], null],
      [['one'], 'a pilot'],
    ]);
  });

  test('are of those that the form asks for: another language has questions of its own', async () => {
    const cases = times(20, (at) =>
      at < 4
        ? ratedCase(`c${at}`, ['hindi/x asha 4', 'hindi/x bela 3'], { hindi: 2 })
        : ratedCase(`c${at}`, [], { other: 2 }),
    );
    expect((await look(incompleteRatings, RATED, cases)).said).toEqual([]);
  });

  test('are counted by answers where no form says what is expected', async () => {
    const cases = times(20, (at) => ratedCase(`c${at}`, at === 19 ? by(...ALL) : [], {}));
    expect((await look(incompleteRatings, { ...RATED, review: undefined }, cases)).said).toEqual([
      'warning: relevance rests on ratings of 1 of 20 answers (5 %)',
    ]);
  });

  test('are not looked for where there are none', async () => {
    expect((await look(incompleteRatings, STRICT, [spanCase('a', ['A 0'], ['A 0'])])).skipped).toBe(
      'nobody has rated anything',
    );
    expect((await look(incompleteRatings, RATED, [ratedCase('a', [])])).skipped).toBe('nobody has rated anything');
  });
});
