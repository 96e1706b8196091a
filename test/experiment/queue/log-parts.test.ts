import { appendFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { Budget } from '../../../src/experiment/limits/budget.ts';
import {
  attemptKey,
  logPartReader,
  logParts,
  logPartWriter,
  removeLogParts,
} from '../../../src/experiment/queue/log-parts.ts';
import { absorbEntries, absorbLogParts } from '../../../src/experiment/run/absorb-parts.ts';
import { type LogEntry, openAnswerLog } from '../../../src/experiment/run/answer-log.ts';

function entryOf(item: string, second: number, output: unknown = 'yes'): LogEntry {
  const at = (offset: number): string => new Date(1_700_000_000_000 + 1000 * (second + offset)).toISOString();
  return {
    item,
    repeat: 1,
    outcome: 'answered',
    output,
    passages: null,
    usage: { inputTokens: 10, outputTokens: 5, cost: null },
    cost: 0.5,
    latencyMs: 10,
    raw: null,
    attempts: 1,
    cached: false,
    startedAt: at(0),
    endedAt: at(1),
  };
}

function runFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-parts-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'dataset.jsonl'), ['a', 'b', 'c'].map((id) => `{"id":"${id}","input":"?"}\n`).join(''));
  return folder;
}

async function opened(folder: string) {
  const budget = new Budget({});
  const known = new Set<string>();
  const log = await openAnswerLog(folder, (entry) => known.add(attemptKey(entry)));
  onTestFinished(() => log.close());
  return { absorbing: { prepared: { folder, plan: null }, log, budget }, log, budget, known };
}

test('whole lines of all parts are read once, in the middle of a line and after a kill too', async () => {
  const folder = runFolder();
  const [one, two] = [logPartWriter(folder, 'host-1'), logPartWriter(folder, 'host-2')];
  const reader = logPartReader(folder);
  await one.append(entryOf('a', 1));
  await two.append(entryOf('b', 2));
  expect((await reader.read()).map(({ item }) => item)).toEqual(['a', 'b']);
  expect(await reader.read()).toEqual([]);
  const line = `${JSON.stringify(entryOf('c', 3))}\n`;
  appendFileSync(join(folder, 'log-host-2.jsonl'), line.slice(0, 20));
  expect(await reader.read()).toEqual([]);
  appendFileSync(join(folder, 'log-host-2.jsonl'), line.slice(20));
  expect((await reader.read()).map(({ item }) => item)).toEqual(['c']);
  await one.close();
  await two.close();
});

test('an answer that comes after its part was taken away gets a new part', async () => {
  const folder = runFolder();
  const writer = logPartWriter(folder, 'host-1');
  await writer.append(entryOf('a', 1));
  removeLogParts(folder);
  await writer.append(entryOf('b', 2));
  expect((await logPartReader(folder).read()).map(({ item }) => item)).toEqual(['b']);
  await writer.close();
});

test('of two answers to one question the first stands; the second is in the log for what it cost', async () => {
  const folder = runFolder();
  const { absorbing, log, budget } = await opened(folder);
  await absorbEntries(absorbing, [entryOf('a', 1, 'first'), entryOf('a', 5, 'second')]);
  expect(await log.get('a', 1)).toMatchObject({ output: 'first' });
  expect(await Array.fromAsync(log.replaced())).toMatchObject([{ output: 'second', duplicate: true }]);
  expect(budget.spent).toMatchObject({ cost: 1, calls: 2 });
  // Also when the run is opened again.
  const again = await openAnswerLog(folder);
  expect(await again.get('a', 1)).toMatchObject({ output: 'first' });
  await again.close();
});

test('parts that a killed coordinator left are taken once, whatever it had taken before', async () => {
  const folder = runFolder();
  const before = await opened(folder);
  await before.log.append(entryOf('a', 1));
  const writer = logPartWriter(folder, 'host-1');
  for (const [at, item] of ['a', 'b'].entries()) await writer.append(entryOf(item, at + 1));
  await writer.close();
  const { absorbing, log, known } = await opened(folder);
  await absorbLogParts(absorbing, known, false);
  expect([log.size, await Array.fromAsync(log.replaced())]).toEqual([2, []]);
  expect(logParts(folder)).toEqual([]);
  expect(existsSync(join(folder, 'queue.json'))).toBe(false);
});
