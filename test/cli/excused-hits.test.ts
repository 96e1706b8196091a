import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { noReference, referencePath } from '../reference/reference-data.ts';
import { assayHere } from './assay-here.ts';
import { temporaryFolder } from './run-assay.ts';

const DOCS = join(import.meta.dirname, '../../examples/pii/docs.json');
const WITHOUT = ['--set', 'judge.excuse-missed=off'];

/** The sentences on hits whose misses are excused that the ways to score, audit and report print. */
async function sentences(cases: string, set: readonly string[]): Promise<string[]> {
  const cwd = temporaryFolder();
  const score = ['score', 'pii/piranha', '--cases', cases, '--set', 'interval.resamples=50', ...set];
  const outputs: string[] = [];
  for (const args of [score, [...score, '--audit'], [...score, '--out', 'run'], ['report', 'run'], ['audit', 'run']]) {
    const { code, stdout, stderr } = await assayHere(args, { cwd });
    expect(code, stderr).toBe(0);
    outputs.push(stdout);
  }
  outputs.push(readFileSync(join(cwd, 'run/report.md'), 'utf8'));
  return outputs.map((text) => {
    const words = text.replaceAll(/\s+/g, ' ');
    return /[\d,]+ of [\d,]+ hits? [^;]*misses are excused [^)]*\)(; .*? instead of \d\.\d{3})?/.exec(words)?.[0] ?? '';
  });
}

const sentence = (hits: string, labels: string, counted: string, scored: string): string =>
  `${hits} are on labels whose misses are excused (${labels}); with those misses counted, recall would be ${counted} instead of ${scored}`;

// Recall is hits / (hits + missed), and hits / (hits + missed + excused misses of the labels that have hits).
describe('hits on labels whose misses are excused', () => {
  test.each([
    // 38 / (38 + 8 + 18) and 38 / 46: the other 13 excused misses are on labels without a hit.
    [[], sentence('10 of 38 hits (26 %)', 'ORG, DATETIME and DEM', '0.594', '0.826')],
    // 32 / (32 + 8 + 7) and 32 / 40: without the rule, ORG and DEM have no hit.
    [['--set', 'judge.loc-in-org=off'], sentence('4 of 32 hits (13 %)', 'DATETIME', '0.681', '0.800')],
  ])('are one sentence for every command, %j', async (set, expected) => {
    expect(new Set(await sentences(DOCS, set))).toEqual(new Set([expected]));
  });

  test('are in no sentence if nothing is excused', async () => {
    expect(new Set(await sentences(DOCS, WITHOUT))).toEqual(new Set(['']));
  });

  test.skipIf(noReference).each([
    // 81 / (81 + 118), none missed.
    ['tab_piranha_10', sentence('36 of 81 hits (44 %)', 'ORG and DEM', '0.407', '1.000')],
    // 1780 / (1780 + 54 + 931) and 1780 / 1834.
    ['tab_relabelled_64', sentence('1,315 of 1,780 hits (74 %)', 'DATETIME and ORG', '0.644', '0.971')],
    // No label that is excused has a hit.
    ['tab_presidio_64', ''],
  ])('are one sentence for every command on %s', async (file, expected) => {
    expect(new Set(await sentences(referencePath(`pii/${file}.json`), []))).toEqual(new Set([expected]));
  });
});
