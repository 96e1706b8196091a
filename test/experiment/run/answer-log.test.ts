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

test('a line that is no outcome is refused with its number, never skipped', async () => {
  const folder = freshFolder();
  writeFileSync(join(folder, 'log.jsonl'), `${JSON.stringify(answered('a', 1))}\n{"item":"b"}\n`);
  await expect(openAnswerLog(folder)).rejects.toThrow(/log\.jsonl:2: this line is no outcome/);
});
