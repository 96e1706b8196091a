import { appendFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { AddedLines } from '../../../src/server/runs/added-lines.ts';
import { LogCount } from '../../../src/server/runs/live-experiment.ts';
import { temporaryFolder } from '../../cli/run-assay.ts';

const line = (item: string, outcome: string, repeat = 1): string => `${JSON.stringify({ item, repeat, outcome })}\n`;

it('lines are told once, whole, in whatever pieces they come', async () => {
  const file = join(temporaryFolder(), 'log');
  const told: string[] = [];
  const lines = new AddedLines((text) => told.push(text));
  const bytes = Buffer.from('ä ठीक\n\nsecond\nunfinished');
  for (let size = 1; size <= bytes.length; size += 1) {
    writeFileSync(file, bytes.subarray(0, size));
    await lines.upTo(file, size);
  }
  expect(told).toEqual(['ä ठीक', '', 'second']);
});

it('the last word on an item counts, each repeat by itself', async () => {
  const file = join(temporaryFolder(), 'log');
  const count = new LogCount();
  const look = async (): Promise<[number, number]> => {
    await count.upTo(file, statSync(file));
    return [count.done, count.failed];
  };
  writeFileSync(file, line('é', 'failed') + line('é', 'answered', 2) + line('2', 'answered'));
  expect(await look()).toEqual([3, 1]);
  appendFileSync(file, `${line('é', 'answered')}not JSON\n{"item":"3"}\n`);
  expect(await look()).toEqual([3, 0]);
  // Nobody writes any more, and then somebody goes on.
  count.settle();
  expect(await look()).toEqual([3, 0]);
  appendFileSync(file, line('2', 'failed'));
  expect(await look()).toEqual([3, 1]);
});

it('adds up what calls used, and counts those that do not say; answers from the cache cost nothing', async () => {
  const file = join(temporaryFolder(), 'log');
  const count = new LogCount();
  const call = (item: string, more: object): string =>
    `${JSON.stringify({ item, repeat: 1, outcome: 'answered', ...more })}\n`;
  const usage = (inputTokens: number | null, outputTokens: number | null) => ({
    inputTokens,
    outputTokens,
    cost: null,
  });
  writeFileSync(
    file,
    [
      call('1', { usage: usage(100, 20), cost: 0.5 }),
      call('2', { usage: usage(30, null), cost: null }),
      call('3', { cached: true, usage: usage(1000, 1000), cost: 9 }),
      // Nothing came back, then something of no use, then an answer: two of the three were paid for.
      call('4', { outcome: 'failed', kind: 'timeout', usage: null, cost: null }),
      call('4', { outcome: 'failed', kind: 'schema', usage: usage(7, 3), cost: 0.25 }),
      call('4', { usage: usage(7, 3), cost: 0.25 }),
      call('5', { usage: usage(-1, 2), cost: 'much' }),
    ].join(''),
  );
  await count.upTo(file, statSync(file));
  expect(count.spent).toEqual({ tokens: 172, cost: 1, withoutTokens: 2, withoutCost: 2 });
});

it('another file under the same name is counted anew', async () => {
  const file = join(temporaryFolder(), 'log');
  const count = new LogCount();
  writeFileSync(file, line('1', 'answered') + line('2', 'failed'));
  await count.upTo(file, statSync(file));
  writeFileSync(`${file}.new`, line('3', 'answered').repeat(9));
  renameSync(`${file}.new`, file);
  await count.upTo(file, statSync(file));
  expect([count.done, count.failed]).toEqual([1, 0]);
});
