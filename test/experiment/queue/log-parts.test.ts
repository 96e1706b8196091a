import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
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
import { type LogEntry, type LogLine, openAnswerLog } from '../../../src/experiment/run/answer-log.ts';

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

const nameOf = (line: LogLine): string => ('begun' in line ? `begun ${line.begun}` : line.item);

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
  expect((await reader.read()).map(nameOf)).toEqual(['a', 'b']);
  expect(await reader.read()).toEqual([]);
  const line = `${JSON.stringify(entryOf('c', 3))}\n`;
  appendFileSync(join(folder, 'log-host-2.jsonl'), line.slice(0, 20));
  expect(await reader.read()).toEqual([]);
  appendFileSync(join(folder, 'log-host-2.jsonl'), line.slice(20));
  expect((await reader.read()).map(nameOf)).toEqual(['c']);
  await one.close();
  await two.close();
});

test('an answer that comes after its part was taken away gets a new part', async () => {
  const folder = runFolder();
  const writer = logPartWriter(folder, 'host-1');
  await writer.append(entryOf('a', 1));
  removeLogParts(folder);
  await writer.append(entryOf('b', 2));
  expect((await logPartReader(folder).read()).map(nameOf)).toEqual(['b']);
  await writer.close();
});

test('answers of several tasks that find their part taken away are all in the new part, with one handle', async () => {
  const folder = runFolder();
  const handles = (): number => readdirSync('/proc/self/fd').filter(isPart).length;
  const isPart = (fd: string): boolean => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(join(folder, 'log-host-1.jsonl'));
    } catch {
      return false;
    }
  };
  const writer = logPartWriter(folder, 'host-1');
  for (let round = 0; round < 20; round += 1) {
    const late = Array.from({ length: 8 }, (_, at) => writer.append(entryOf(`${round} ${at}`, at)));
    if (round % 2 === 0) removeLogParts(folder);
    await Promise.all(late);
    const names = (await logPartReader(folder).read()).map(nameOf);
    expect(names).toEqual(expect.arrayContaining(Array.from({ length: 8 }, (_, at) => `${round} ${at}`)));
  }
  expect(handles()).toBe(process.platform === 'linux' ? 1 : 0);
  await writer.close();
  expect(handles()).toBe(0);
});

const begun = (item: string, at: string, worker: string): LogLine => ({ begun: item, repeat: 1, at, worker });

test('calls that killed workers began stay counted when their parts are removed, once, also after a kill', async () => {
  const folder = runFolder();
  const [killed, sound] = [logPartWriter(folder, 'host-1'), logPartWriter(folder, 'host-2')];
  await killed.append(begun('a', 't1', 'host-1'));
  await killed.append(begun('b', 't2', 'host-1'));
  await sound.append(begun('a', 't3', 'host-2'));
  await sound.append(entryOf('a', 1));
  for (const part of [killed, sound]) await part.close();
  const copies = logParts(folder).map((file) => [file, readFileSync(file)] as const);
  const first = await opened(folder);
  await absorbLogParts(first.absorbing, first.known, false);
  expect([first.log.calls.total, first.log.calls.lost]).toEqual([2, 2]);
  // As if it had been killed before the parts were gone.
  for (const [file, bytes] of copies) writeFileSync(file, bytes);
  const second = await opened(folder);
  await absorbLogParts(second.absorbing, second.known, false);
  expect([second.log.size, second.log.calls.total]).toEqual([1, 2]);
  const third = await opened(folder);
  expect([...third.log.calls]).toEqual([begun('a', 't1', 'host-1'), begun('b', 't2', 'host-1')]);
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
