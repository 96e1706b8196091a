import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { z } from 'zod';

import { type LinePlace, openLineLog } from '../../../src/experiment/run/line-log.ts';

function freshFile(): string {
  return join(mkdtempSync(join(tmpdir(), 'assay-log-')), 'log.jsonl');
}

const KIND = { schema: z.unknown(), message: 'no JSON', next: 'remove it' };

async function reopened(path: string) {
  const lines: string[] = [];
  const places: LinePlace[] = [];
  const log = await openLineLog(path, KIND, (value, place) => {
    lines.push(JSON.stringify(value));
    places.push(place);
  });
  return { log, lines, places };
}

test('a line is in the file when append has resolved, and can be read back by its place', async () => {
  const path = freshFile();
  const { log } = await reopened(path);
  const first = await log.append({ a: 'é' });
  const second = await log.append({ b: 2 });
  expect(readFileSync(path, 'utf8')).toBe('{"a":"é"}\n{"b":2}\n');
  // The letter é has two bytes: {"a":"é"} has ten.
  expect([first, second]).toEqual([
    { offset: 0, bytes: 10 },
    { offset: 11, bytes: 7 },
  ]);
  expect(await log.readAt(second)).toEqual({ b: 2 });
  await log.close();
});

test('a hundred lines at once keep their order and their places', async () => {
  const path = freshFile();
  const { log } = await reopened(path);
  const places = await Promise.all(Array.from({ length: 100 }, (_, n) => log.append({ n })));
  for (const [n, place] of places.entries()) expect(await log.readAt(place)).toEqual({ n });
  await log.close();
});

test('half a line at the end is cancelled by the next line and never read; whole lines stay', async () => {
  const path = freshFile();
  writeFileSync(path, '{"n":1}\n{"n":2}\n{"n":3');
  const { log, lines } = await reopened(path);
  expect(lines).toEqual(['{"n":1}', '{"n":2}']);
  await log.append({ n: 4 });
  await log.close();
  expect(readFileSync(path, 'utf8')).toBe('{"n":1}\n{"n":2}\n{"n":3\x18\n{"n":4}\n');
  const again = await reopened(path);
  expect(again.lines).toEqual(['{"n":1}', '{"n":2}', '{"n":4}']);
  expect(await again.log.readAt(again.places[2]!)).toEqual({ n: 4 });
  await again.log.close();
});

test('opening a log cuts off nothing that another handle is in the middle of writing', async () => {
  const path = freshFile();
  writeFileSync(path, '{"n":1}\n{"n":');
  const { log } = await reopened(path);
  appendFileSync(path, '2}\n');
  await log.append({ n: 3 });
  await log.close();
  const { log: again, lines } = await reopened(path);
  expect(lines).toEqual(['{"n":1}', '{"n":2}', '{"n":3}']);
  await again.close();
});

test('lines longer than what is read at once are read whole', async () => {
  const path = freshFile();
  const long = JSON.stringify({ text: 'x'.repeat(700_000) });
  appendFileSync(path, `${long}\n{"n":1}\n${long}\n`);
  const { log, lines, places } = await reopened(path);
  expect(lines.map((line) => line.length)).toEqual([long.length, 7, long.length]);
  expect(await log.readAt(places[2]!)).toEqual(JSON.parse(long));
  await log.close();
});
