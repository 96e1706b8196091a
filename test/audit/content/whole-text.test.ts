import { describe, expect, test } from 'vitest';

import { type Case, makeCase } from '../../../src/data/case.ts';
import { type Item, makeItem } from '../../../src/data/item.ts';
import { wholeText } from '../../../src/audit/checks/content/answer-sizes.ts';
import { look } from '../audited.ts';
import { STRICT, times } from '../made-items.ts';

/** 250 characters: 25 words of nine letters and a space. */
const TEXT = 'lanterns. '.repeat(25);

const spans = (places: readonly (readonly [number, number])[], text = TEXT): Item[] =>
  places.map(([start, end], index) =>
    makeItem({ kind: 'span', index, label: 'A', start, end, text: text.slice(start, end) }),
  );
/** So many cases, of which the first have the places marked and the rest a hit; gold marks 50 of 250 characters. */
const marked = (n: number, all: number, places: readonly (readonly [number, number])[], text = TEXT): Case[] =>
  times(all, (at) =>
    makeCase({
      id: `c${at}`,
      text,
      gold: spans([[0, 50]], text),
      predicted: spans(at < n ? places : [[0, 50]], text),
    }),
  );
const said = async (cases: readonly Case[], recipe: string | object = STRICT): Promise<readonly string[]> =>
  (await look(wholeText, recipe, cases)).said;

describe('predictions over the whole text', () => {
  test('are told with what they and gold cover', async () => {
    const { said: told, findings } = await look(wholeText, STRICT, marked(6, 20, [[0, 250]]));
    expect(told).toEqual([
      'warning: In 6 of 20 cases with a text of 200 characters or more (30 %) predictions cover 80 % or more of it: 100 % of all these texts, where gold covers 20 %',
    ]);
    expect(findings[0]).toMatchObject({ cases: { total: 6 }, items: { total: 6 } });
    expect(findings[0]?.items.shown[0]?.note).toBe('predictions cover 100 % of the text, gold 20 %');
  });

  test('also word by word, and where all that is asked is whether gold is covered', async () => {
    const words = Array.from({ length: 25 }, (_, at) => [10 * at, 10 * at + 9] as const);
    expect(await said(marked(5, 5, words))).toHaveLength(1);
    expect(await said(marked(5, 5, [[0, 250]]), 'pii/tab')).toHaveLength(1);
    expect(await said(marked(5, 5, [[0, 250]]), 'pii/token')).toHaveLength(1);
  });

  test('also as a quote that says no place', async () => {
    const quote = (text: string): Item[] => [makeItem({ kind: 'object', index: 0, label: 'food', text })];
    const cases = times(5, (at) =>
      makeCase({ id: `c${at}`, text: TEXT, gold: quote('lanterns. lanterns.'), predicted: quote(TEXT) }),
    );
    expect(await said(cases, 'journal/ashwam')).toHaveLength(1);
  });
});

describe('it is silent', () => {
  test('for fewer than five, or fewer than 30 % of the cases', async () => {
    expect(await said(marked(4, 8, [[0, 250]]))).toEqual([]);
    expect(await said(marked(5, 17, [[0, 250]]))).toEqual([]);
  });

  test('where less is covered, however often it is marked', async () => {
    expect(await said(marked(6, 6, [[0, 199]]))).toEqual([]);
    expect(
      await said(
        marked(6, 6, [
          [0, 150],
          [1, 150],
          [2, 150],
        ]),
      ),
    ).toEqual([]);
  });

  test('where gold covers half of that', async () => {
    const cases = marked(6, 6, [[0, 250]]).map((one) => ({ ...one, gold: spans([[0, 125]]) }));
    expect(await said(cases)).toEqual([]);
  });

  test('where what covers the text was set aside', async () => {
    const recipe = { ...STRICT, prepare: { drop: { side: 'predicted', labels: ['A'], because: 'not asked for' } } };
    expect(await said(marked(6, 6, [[0, 250]]), recipe)).toEqual([]);
  });
});

describe('it says why it cannot look', () => {
  test('texts are short, nothing is marked, there are no texts', async () => {
    const short = TEXT.slice(0, 199);
    expect((await look(wholeText, STRICT, marked(6, 6, [[0, 199]], short))).skipped).toBe('no text has 200 characters');
    const classes = times(6, (at) =>
      makeCase({ id: `c${at}`, text: TEXT, predicted: [makeItem({ kind: 'class', index: 0, label: 'vata' })] }),
    );
    expect((await look(wholeText, 'consult/ayurmind', classes)).skipped).toBe(
      'no prediction marks or quotes a piece of a text',
    );
    const without = marked(6, 6, [[0, 250]]).map((one) => ({ ...one, text: null }));
    expect((await look(wholeText, STRICT, without)).skipped).toBe('no case has a text');
  });
});
