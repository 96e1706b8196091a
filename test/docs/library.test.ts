import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import * as assay from 'assay';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ROOT } from '../cli/run-assay.ts';

const example = (file: string): string => join(ROOT, 'examples', file);
const JOURNAL = {
  cases: example('journal/journals.jsonl'),
  gold: example('journal/gold.jsonl'),
};
const PII = { cases: example('pii/docs.json') };
const RULES = { rules: [{ measure: 'f1', atLeast: 0.1 }] };

it('assay has few values; the rest is behind its subpaths', () => {
  const results = ['score', 'compare', 'gate', 'audit', 'waterfall', 'sweep', 'repeats', 'agree', 'readRun', 'render'];
  expect(Object.keys(assay)).toEqual(expect.arrayContaining(results));
  expect(Object.keys(assay).length).toBeLessThanOrEqual(29);
});

describe('the results of assay', () => {
  let folder: string;
  const run = (name: string): string => join(folder, name);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'assay-library-'));
    for (const [name, file] of [
      ['a', 'predictions'],
      ['b', 'predictions-b'],
    ] as const)
      await assay.score(
        'journal/ashwam',
        { ...JOURNAL, predictions: example(`journal/${file}.jsonl`) },
        { out: run(name), set: ['interval=off'], texts: 'off' },
      );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const predictions = [1, 2].map((at) => example(`journal/repeats/run${at}.jsonl`));
  const sources = { cases: assay.fileSource(PII.cases) };
  it.each<[string, string, () => Promise<assay.Rendered>]>([
    ['a run', '# journal/ashwam: 8 cases', () => assay.readRun(run('a'))],
    ['a comparison', '# b against a', () => assay.compare([run('a'), run('b')])],
    ['a gate', 'Gate passed: 1 check passed', () => assay.gate(run('b'), RULES)],
    ['an audit', '# ', () => assay.audit(run('a'))],
    ['a waterfall', '# pii/piranha: from strict matching', () => assay.waterfall('pii/piranha', PII)],
    [
      'a sweep',
      '# pii/piranha over pair.threshold.LOC',
      () =>
        assay.sweep({
          recipe: 'pii/piranha',
          over: ['pair.threshold.LOC=0.3,0.5'],
          systems: [{ name: 'piranha', sources }],
        }),
    ],
    ['repeats of folders', '# ', () => assay.repeats([run('a'), run('b')])],
    ['repeats of files', '# ', () => assay.repeats({ recipe: 'journal/ashwam', ...JOURNAL, predictions })],
    ['a check of files', '# ', () => assay.validate('pii/piranha', PII)],
  ])('render: %s', async (_, title, make) => {
    const result = await make();
    const page = await assay.render(result);
    expect(page.split('\n')[0]).toContain(title);
    expect(await assay.render(result, 'html')).toMatch(/^<!doctype html>/i);
    const shown = await assay.render(result, 'terminal', { width: 100 });
    expect(shown).not.toContain('# ');
    expect(shown.length).toBeGreaterThan(20);
  });

  it('a gate is judged by a file of rules or by what it holds', async () => {
    const { verdict, checks } = await assay.gate(run('b'), RULES);
    expect([verdict, checks.length]).toEqual(['passed', 1]);
    await expect(assay.gate(run('b'), run('none.yaml'))).rejects.toThrow('rules file not found');
    await expect(assay.gate(run('b'), { rules: [{ measure: 'f1' }] })).rejects.toThrow(assay.InputError);
  });

  it('agreement of ratings has every coefficient that fits', async () => {
    const { coefficients } = await assay.agree([
      ['vata', 'vata'],
      ['pitta', 'vata'],
      ['pitta', 'pitta'],
    ]);
    expect(coefficients[0]).toMatchObject({ name: 'raw_agreement', agreement: { value: 2 / 3 } });
  });
});
