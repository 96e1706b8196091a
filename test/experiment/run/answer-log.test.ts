import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openAnswerLog } from '../../../src/experiment/run/answer-log.ts';
import type { LogEntry } from '../../../src/experiment/run/answer-log.ts';
import { answered, failed } from './entries.ts';

function freshFolder(): string {
  return mkdtempSync(join(tmpdir(), 'assay-run-'));
}

test('what was logged is there when the log is opened again; the last line of an item counts', async () => {
  const folder = freshFolder();
  const log = await openAnswerLog(folder);
  await log.append(failed('a', 'server', 'HTTP 500'));
  await log.append(answered('b', { n: 1 }));
  await log.append(answered('a', { n: 2 }));
  await log.close();

  const read: LogEntry[] = [];
  const again = await openAnswerLog(folder, (entry) => read.push(entry));
  expect(read.map(({ item, outcome }) => [item, outcome])).toEqual([
    ['a', 'failed'],
    ['b', 'answered'],
    ['a', 'answered'],
  ]);
  expect(again.size).toBe(2);
  expect(again.hasFailed('a', 1)).toBe(false);
  expect(await again.get('a', 1)).toMatchObject({ outcome: 'answered', output: { n: 2 } });
  const replaced: string[] = [];
  for await (const entry of again.replaced()) replaced.push(`${entry.item} ${entry.outcome}`);
  expect(replaced).toEqual(['a failed']);
  await again.close();
});

test('repeats of one item are apart', async () => {
  const log = await openAnswerLog(freshFolder());
  await log.append({ ...answered('a', 1), repeat: 2 });
  expect([log.has('a', 1), log.has('a', 2)]).toEqual([false, true]);
  expect(await log.get('a', 1)).toBeNull();
  await log.close();
});

test('calls that were begun and never answered are counted over all sessions, and answered ones are not', async () => {
  const folder = freshFolder();
  const begin = (item: string) => ({ begun: item, repeat: 1, at: '2026-11-15T10:00:00.000Z' });
  const killed = await openAnswerLog(folder);
  for (const item of ['a', 'b', 'c']) await killed.begin(begin(item));
  await killed.append(answered('b', 1));
  expect([killed.calls.total, killed.calls.lost]).toEqual([2, 0]);
  await killed.close();

  const resumed = await openAnswerLog(folder);
  expect([resumed.calls.total, resumed.calls.lost]).toEqual([2, 2]);
  for (const item of ['a', 'a']) await resumed.begin(begin(item));
  await resumed.append({ ...answered('a', 1), attempts: 2 });
  await resumed.begin(begin('c'));
  // One call of `a` was lost with the first session; of `c`, one was lost and one is out.
  expect([resumed.calls.total, resumed.calls.lost]).toEqual([3, 2]);
  await resumed.close();
  const last = await openAnswerLog(folder);
  expect([last.size, last.calls.lost]).toEqual([2, 3]);
  await last.close();
});

test('a line that is no outcome is refused with its number, never skipped', async () => {
  const folder = freshFolder();
  writeFileSync(join(folder, 'log.jsonl'), `${JSON.stringify(answered('a', 1))}\n{"item":"b"}\n`);
  await expect(openAnswerLog(folder)).rejects.toThrow(/log\.jsonl:2: this line is no outcome/);
});
