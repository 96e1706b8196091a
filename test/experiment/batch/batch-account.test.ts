import { expect, it } from 'vitest';

import { accountFor, unreadText } from '../../../src/experiment/batch/batch-account.ts';

const state = { isEnded: true, word: 'expired', done: 121, paid: 8 };
const ids = Array.from({ length: 121 }, (_, at) => `r${at}`);

// As a provider prints it: 8 of 121 completed, expired, and no file.
it('8 answers of 121 requests may have been paid for if the batch has no results', () => {
  expect(accountFor({ ids }, 'b', state, [])).toEqual({
    word: 'expired',
    results: [],
    answers: [],
    unread: { answers: 8, text: unreadText('batch b (expired)', 8) },
  });
});

it('all requests are accounted for if as many answers are read as the provider counts', () => {
  const results = ids.slice(0, 8).map((id) => ({ id, status: 200, body: '{}' }));
  expect(accountFor({ ids }, 'b', state, results)).toMatchObject({ unread: null, answers: results });
});

it('a refusal is not paid for: it does not stand for an answer', () => {
  const results = ids.slice(0, 8).map((id) => ({ id, status: 400, body: '{}' }));
  expect(accountFor({ ids }, 'b', state, results).unread?.answers).toBe(8);
});
