import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { estimateCalls, estimateScoring } from '../../bench/scale-model.ts';
import { ROOT } from '../cli/run-assay.ts';

const PAGE = readFileSync(join(ROOT, 'docs/scale.md'), 'utf8');

/** The rows of the table that begins with a heading, as cells. */
function table(heading: string): string[][] {
  const [, after = ''] = PAGE.split(`| ${heading} |`);
  const lines = after.split('\n').slice(2);
  const end = lines.findIndex((line) => !line.startsWith('|'));
  return lines.slice(0, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const numberIn = (text: string): number => Number(/[\d,.]+/.exec(text)![0].replaceAll(',', ''));

/** The number of the row that begins so. */
function cost(rows: readonly string[][], name: string): number {
  return numberIn(rows.find(([cell]) => cell === name)![1]!);
}

it('docs/scale.md: 10 million documents follow from what was measured', () => {
  const measured = table('measured on one core | by `bench/scale.ts`');
  const costs = {
    startSeconds: cost(measured, 'start of a command'),
    documentBytes: cost(measured, 'a document'),
    hashBytesPerSecond: 1e6 * cost(measured, 'reading and hashing'),
    scoreMicroseconds: cost(measured, 'scoring a document'),
    mergeMicroseconds: cost(measured, 'merging a document'),
    mergePagesSeconds: cost(measured, 'merging the pages of report.html, at most'),
    mergeBytes: cost(measured, 'memory of the merge, for each document'),
    mergeFixedBytes: 2 ** 20 * cost(measured, 'memory of the merge, fixed'),
  };
  const rows = table('10 million documents | a shard | of that, hashing | merge | both | times faster');
  expect(rows.length).toBe(3);
  for (const [name = '', ...cells] of rows) {
    const estimate = estimateScoring(costs, 1e7, name === 'one process' ? 1 : numberIn(name));
    const { oneRunSeconds, shardSeconds, hashSeconds, mergeSeconds, totalSeconds, speedUp } = estimate;
    const seconds = (value: number): string => `${Math.round(value)} s`;
    expect(cells).toEqual(
      name === 'one process'
        ? [seconds(oneRunSeconds), seconds(hashSeconds), '', seconds(oneRunSeconds), '1']
        : [shardSeconds, hashSeconds, mergeSeconds, totalSeconds].map(seconds).concat(speedUp.toFixed(1)),
    );
  }
  const { mergeGibibytes } = estimateScoring(costs, 1e7, 64);
  expect(PAGE).toContain(`the merge needs ${mergeGibibytes.toFixed(0)} GiB`);
});

it('docs/scale.md: where 1,000 workers are held up follows from what was measured', () => {
  const rows = table('calls a second | at most | why');
  const { limits, enoughWorkers, wanted } = estimateCalls(
    {
      queueMilliseconds: numberIn(rows.find(([by]) => by === 'queue server')![2]!),
      coordinatorMilliseconds: numberIn(rows.find(([by]) => by === 'coordinator')![2]!),
    },
    { workers: 1000, concurrency: 8, callSeconds: 2, requestsPerMinute: 30_000 },
  );
  expect(rows.map(([by, most]) => [by, numberIn(most!)])).toEqual(
    limits.map(({ by, callsPerSecond }) => [by, Math.round(callsPerSecond)]),
  );
  expect(wanted).toBe(4000);
  expect(PAGE).toContain(`${enoughWorkers} workers`);
});
