import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, onTestFinished, test } from 'vitest';

const PROCESSES = 4;
const ROUNDS = 125;

test('a log that four processes open 500 times while they write keeps every line that was confirmed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'log.jsonl');
  const writer = join(import.meta.dirname, 'line-log-writer.ts');
  const writers = Array.from({ length: PROCESSES }, () =>
    promisify(execFile)(process.execPath, [...process.execArgv, writer, path, String(ROUNDS)]),
  );
  const confirmed = (await Promise.all(writers)).flatMap(({ stdout }) => stdout.trim().split('\n'));
  expect(confirmed).toHaveLength(PROCESSES * ROUNDS);
  const counts = new Map<string, number>();
  for (const line of readFileSync(path, 'latin1').split('\n')) {
    if (line === '' || line.endsWith('\x18')) continue;
    const { pid, round } = JSON.parse(line) as { readonly pid: number; readonly round: number };
    counts.set(`${pid} ${round}`, (counts.get(`${pid} ${round}`) ?? 0) + 1);
  }
  expect(confirmed.filter((name) => counts.get(name) !== 3)).toEqual([]);
});
