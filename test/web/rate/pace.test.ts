import { expect, test } from 'vitest';

import { NO_DURATIONS, paceWords, withDuration } from '../../../web/src/rate/pace.ts';

const MINUTE = 60_000;

function answers(count: number): readonly 'answer'[] {
  return Array.from({ length: count }, () => 'answer');
}

test('nothing is said before five items of a kind are done', () => {
  expect(paceWords({ case: [], answer: [MINUTE, MINUTE, MINUTE, MINUTE] }, answers(9))).toBeNull();
  expect(paceWords({ case: Array.from({ length: 9 }, () => MINUTE), answer: [] }, answers(9))).toBeNull();
});

test('nothing is said when nothing is left', () => {
  expect(paceWords({ case: [], answer: Array.from({ length: 9 }, () => MINUTE) }, [])).toBeNull();
});

test.each([
  [1, 'about a minute'],
  [7, 'about 7 minutes'],
  [23, 'about 25 minutes'],
  [60, 'about an hour'],
  [95, 'about 1½ hours'],
  [241, 'about 4 hours'],
])('%i items of a minute each: %s', (count, words) => {
  const durations = { case: [], answer: [MINUTE, MINUTE, MINUTE, MINUTE, MINUTE] };
  expect(paceWords(durations, answers(count))).toBe(`${words} left at your pace`);
});

test('one long item does not frighten: the median counts', () => {
  const durations = { case: [], answer: [MINUTE, MINUTE, 9 * MINUTE, MINUTE, MINUTE, 2 * MINUTE] };
  expect(paceWords(durations, answers(5))).toBe('about 5 minutes left at your pace');
});

test('cases and answers are each counted at their own pace', () => {
  const durations = {
    case: Array.from({ length: 5 }, () => MINUTE / 2),
    answer: Array.from({ length: 5 }, () => 3 * MINUTE),
  };
  expect(paceWords(durations, ['case', 'case', 'answer', 'answer'])).toBe('about 7 minutes left at your pace');
});

test('a lunch break does not count, and only the last twenty do', () => {
  expect(withDuration(NO_DURATIONS, 'answer', 90 * MINUTE).answer).toEqual([10 * MINUTE]);
  const many = Array.from({ length: 30 }, (_, index) => index).reduce(
    (durations, ms) => withDuration(durations, 'case', ms),
    NO_DURATIONS,
  );
  expect(many.case).toEqual(Array.from({ length: 20 }, (_, index) => index + 10));
});
