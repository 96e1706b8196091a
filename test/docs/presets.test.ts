import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { fileSource } from '../../src/data/source.ts';
import { score } from '../../src/report/score.ts';
import { presetNames } from '../../src/recipe/presets.ts';
import { example, ROOT } from '../cli/run-assay.ts';

const PAGE = readFileSync(join(ROOT, 'docs/presets.md'), 'utf8');

it('names every preset, or the family that it belongs to', () => {
  const missing = presetNames().filter((name) => !PAGE.includes(`\`${name}\``) && !/(?:as-coded|review)$/.test(name));
  expect(missing).toEqual([]);
});

describe('the table of the same sentences under each preset', () => {
  const rows = [...PAGE.matchAll(/^\| `(spans\/\w+)` \| [^|]+ \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$/gm)];

  it('has seven rows', () => {
    expect(rows.length).toBe(7);
  });

  it.each(rows.map(([, preset, ...values]) => [preset!, values] as const))('%s', async (preset, values) => {
    const input = {
      gold: fileSource(example('spans/doccano.jsonl')),
      predictions: fileSource(example('spans/hf.json')),
    };
    const run = await score(preset, input, { set: ['interval=off'] });
    expect(['precision', 'recall', 'f1'].map((name) => run.value(name)?.toFixed(3))).toEqual(values);
  });
});
