import { expect, test } from 'vitest';

import { Cleanup } from '../../src/data/cleanup.ts';

test('what was deferred is done in reverse order when the block ends, also by an error', async () => {
  const done: string[] = [];
  const block = async (): Promise<void> => {
    await using cleanup = new Cleanup();
    cleanup.defer(async () => {
      await Promise.resolve();
      done.push('first');
    });
    cleanup.defer(() => done.push('second'));
    throw new Error('the block failed');
  };
  await expect(block()).rejects.toThrow('the block failed');
  expect(done).toEqual(['second', 'first']);
});

test('one that fails does not keep the others from being done, and its error is thrown', async () => {
  const done: string[] = [];
  const block = async (): Promise<void> => {
    await using cleanup = new Cleanup();
    cleanup.defer(() => done.push('log closed'));
    cleanup.defer(() => Promise.reject(new Error('disk full')));
    cleanup.defer(() => {
      throw new Error('no connection');
    });
  };
  await expect(block()).rejects.toThrow('no connection');
  expect(done).toEqual(['log closed']);
});
