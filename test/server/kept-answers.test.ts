import { describe, expect, it } from 'vitest';

import { KeptAnswers } from '../../src/server/kept-answers.ts';

describe('kept answers', () => {
  it('are worked out once in two seconds, for each key by itself', async () => {
    let [at, made] = [0, 0];
    const kept = new KeptAnswers<number>(undefined, () => at);
    const ask = (key: string) => kept.get(key, () => Promise.resolve((made += 1)));
    expect([await ask('a'), await ask('a'), await ask('b')]).toEqual([1, 1, 2]);
    at = 1999;
    expect(await ask('a')).toBe(1);
    at = 2000;
    expect(await ask('a')).toBe(3);
  });

  it('that take long are worked out once for all who wait, and kept for ten times as long', async () => {
    let at = 0;
    const kept = new KeptAnswers<string>(undefined, () => at);
    const { promise, resolve } = Promise.withResolvers<string>();
    const waiting = [kept.get('a', () => promise), kept.get('a', () => Promise.resolve('twice'))];
    at = 500;
    resolve('first');
    expect(await Promise.all(waiting)).toEqual(['first', 'first']);
    at = 500 + 4999;
    expect(await kept.get('a', () => Promise.resolve('second'))).toBe('first');
    at = 500 + 5000;
    expect(await kept.get('a', () => Promise.resolve('second'))).toBe('second');
  });

  it('that failed are tried again by whoever asks next, and so are those that were forgotten', async () => {
    const kept = new KeptAnswers<number>(undefined, () => 0);
    await expect(kept.get('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await kept.get('a', () => Promise.resolve(1))).toBe(1);
    kept.forget('a');
    expect(await kept.get('a', () => Promise.resolve(2))).toBe(2);
  });

  it('that have to be fresh are worked out again, unless that is under way', async () => {
    const kept = new KeptAnswers<string>({ leastMs: 500, timesItsCost: 0 }, () => 0);
    expect(await kept.get('a', () => Promise.resolve('first'))).toBe('first');
    const { promise, resolve } = Promise.withResolvers<string>();
    const waiting = [kept.get('a', () => promise, true), kept.get('a', () => Promise.resolve('twice'), true)];
    resolve('second');
    expect(await Promise.all(waiting)).toEqual(['second', 'second']);
  });
});
