import { describe, expect, test } from 'vitest';

import { quoted, span } from '../pair/items.ts';
import { hit, judge, missed, spurious, story } from './verdicts.ts';

/* Its conditions one by one are in test/recipe/piranha-rules.test.ts; here is what it does to verdicts. */

const TEXT = 'Warsaw Court near Cracow Court';
const WARSAW = quoted(TEXT, 'Warsaw Court', 'ORG');
const CRACOW = quoted(TEXT, 'Cracow Court', 'ORG');
const PARAMS = { predicted: ['LOC'], gold: ['ORG'] };

describe('loc-in-org', () => {
  test('makes one line of two: the prediction is a hit, the gold span is used up', () => {
    const out = judge('loc-in-org', PARAMS, [
      missed(WARSAW, { scheme: 'wide' }),
      missed(CRACOW),
      spurious(quoted(TEXT, 'Warsaw', 'LOC'), { scheme: 'wide' }),
    ]);
    expect(story(out)).toEqual(['missed no-match ORG', 'hit loc-in-org ORG']);
    expect(out[1]).toMatchObject({ scheme: 'wide', similarity: 1, credit: 1, weight: 1, gold: WARSAW });
  });

  test('from left to right each prediction takes the first gold span that suits it', () => {
    const whole = span(0, TEXT.length, 'ORG', { text: TEXT });
    const out = judge('loc-in-org', PARAMS, [
      missed(whole),
      missed(WARSAW),
      spurious(quoted(TEXT, 'Warsaw', 'LOC')),
      spurious(quoted(TEXT, 'Court', 'LOC')),
    ]);
    expect(out.map(({ gold, predicted }) => [predicted?.text, gold?.text])).toEqual([
      ['Warsaw', TEXT],
      ['Court', 'Warsaw Court'],
    ]);
  });

  test('only missed gold is free; a hit keeps its own', () => {
    const verdicts = [hit(WARSAW, WARSAW), spurious(quoted(TEXT, 'Warsaw', 'LOC'))];
    expect(judge('loc-in-org', PARAMS, verdicts)).toEqual(verdicts);
  });

  test('where gold is not used up, any will do and keeps its line; the hit does not name it a second time', () => {
    const params = { ...PARAMS, usesGold: false, label: 'LOC→ORG' };
    const out = judge('loc-in-org', params, [hit(WARSAW, WARSAW), spurious(quoted(TEXT, 'Warsaw', 'LOC'))]);
    expect(story(out)).toEqual(['hit pair ORG', 'hit loc-in-org LOC→ORG']);
    expect(out[1]?.gold).toBeNull();
  });

  test.each([
    ['Rome', [], true],
    ['Ufa', [], false],
    ['Ufa', ['Court'], true],
    ['Ry', ['Court'], false],
  ])(
    'four letters stand for themselves, three need a word beside them, two are no name: %s, %j',
    (name, words, found) => {
      const text = `${name} Court`;
      const gold = missed(quoted(text, text, 'ORG'));
      const out = judge('loc-in-org', { ...PARAMS, words }, [gold, spurious(quoted(text, name, 'LOC'))]);
      expect(story(out)).toEqual(found ? ['hit loc-in-org ORG'] : ['missed no-match ORG', 'spurious no-match LOC']);
    },
  );

  test('what has no place is inside nothing', () => {
    const verdicts = [missed(WARSAW), spurious(span(-1, -1, 'LOC', { text: 'Warsaw' }))];
    expect(judge('loc-in-org', PARAMS, verdicts)).toBe(verdicts);
  });
});
