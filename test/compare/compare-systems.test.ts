import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { memorySource } from '../../src/data/source.ts';
import { scoreSystems } from '../../src/report/score.ts';

const span = (id: string, ...spans: readonly (readonly [number, number])[]): string =>
  JSON.stringify({
    id,
    text: 'Anna met Boris in Rome.',
    spans: spans.map(([start, end]) => ({ start, end, label: 'PER' })),
  });
const GOLD = [span('1', [0, 4], [9, 14]), span('2', [0, 4])].join('\n');
// One of two found, and nothing: 1 hit, 2 missed. All found: 3 hits.
const HALF = [span('1', [0, 4]), span('2')].join('\n');

const SET = ['interval.resamples=50'];
const input = (): Parameters<typeof scoreSystems>[1] => ({
  gold: memorySource('gold.jsonl', GOLD),
  predictions: { half: memorySource('half.jsonl', HALF), whole: memorySource('whole.jsonl', GOLD) },
});

function recallOf(result: Awaited<ReturnType<typeof scoreSystems>>, system: string): number | null | undefined {
  return result.systems[system]?.measures.find(
    ({ name, slice }) => name === 'recall' && Object.keys(slice).length === 0,
  )?.value;
}

describe('several systems in one call', () => {
  test('are each scored and compared with the first, and nothing is kept without a folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'systems-'));
    vi.stubEnv('TMPDIR', folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    const result = await scoreSystems('pii/strict', input(), { set: SET });
    expect([recallOf(result, 'half'), recallOf(result, 'whole')]).toEqual([1 / 3, 1]);
    const recall = result.comparison?.measures.find(
      ({ name, slice }) => name === 'recall' && Object.keys(slice).length === 0,
    );
    expect(recall).toMatchObject({ baseline: 1 / 3, other: 1, system: 1 });
    expect(recall?.difference).toBeCloseTo(2 / 3);
    expect(result.comparison?.systems.map((system) => [system.name, system.folder])).toEqual([
      ['half', ''],
      ['whole', ''],
    ]);
    expect(JSON.stringify(result.comparison)).not.toContain(tmpdir());
    expect(readdirSync(folder)).toEqual([]);
  });

  test('get a run folder each, and never inside the run of one', async () => {
    const out = join(mkdtempSync(join(tmpdir(), 'systems-')), 'runs');
    const { comparison } = await scoreSystems('pii/strict', input(), { set: SET, out, texts: 'off' });
    expect(comparison?.systems.map(({ folder }) => folder)).toEqual([join(out, 'half'), join(out, 'whole')]);
    const manifest: unknown = JSON.parse(readFileSync(join(out, 'whole/manifest.json'), 'utf8'));
    expect(manifest).toMatchObject({ task: 'pii' });
    expect(existsSync(join(out, 'manifest.json'))).toBe(false);
    writeFileSync(join(out, 'manifest.json'), '{}');
    await expect(scoreSystems('pii/strict', input(), { set: SET, out })).rejects.toThrow('holds the run of one system');
  });

  test('alone, a system is compared with nothing', async () => {
    const { gold, predictions } = input();
    const one = { gold: gold!, predictions: { half: predictions['half']! } };
    const result = await scoreSystems('pii/strict', one, { set: SET });
    expect([recallOf(result, 'half'), result.comparison]).toEqual([1 / 3, null]);
  });
});
