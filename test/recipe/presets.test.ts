import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { loadRecipe } from '../../src/recipe/load.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { presetAliases, presetNamed, presetNames, presetTask } from '../../src/recipe/presets.ts';
import { recipeHash } from '../../src/score/signature.ts';
import { assayHere } from '../cli/assay-here.ts';
import { example, temporaryFolder, words } from '../cli/run-assay.ts';

const ALIASES = presetNames().flatMap((name) => presetAliases(name).map((alias) => [alias, name] as const));

describe('earlier names of presets', () => {
  test('are those that spans had when they were all called pii', () => {
    expect(Object.fromEntries(ALIASES)).toEqual({
      'pii/strict': 'spans/strict',
      'pii/exact': 'spans/exact',
      'pii/partial': 'spans/partial',
      'pii/type': 'spans/type',
      'pii/iou': 'spans/iou',
      'pii/semeval': 'spans/semeval',
      'pii/token': 'spans/token',
      'pii/character': 'spans/character',
      'pii/every-scheme': 'spans/every-scheme',
      'pii/tab': 'redaction/tab',
    });
  });

  test.each(ALIASES)('%s is %s, and keeps the name that was written', async (alias, name) => {
    const [before, now] = [await planRecipe(alias), await planRecipe(name)];
    expect(before.resolved).toEqual(now.resolved);
    expect(recipeHash(before)).toBe(recipeHash(now));
    expect([before.name, now.name]).toEqual([alias, name]);
    expect([presetNamed(alias), presetNamed(name)]).toEqual([name, name]);
    // What is listed has one name.
    expect(presetNames()).not.toContain(alias);
  });

  test('can be extended', () => {
    const { recipe } = loadRecipe({ extends: 'pii/iou', pair: { threshold: 0.3 } });
    expect(recipe).toEqual(loadRecipe({ extends: 'spans/iou', pair: { threshold: 0.3 } }).recipe);
  });

  test('what is no preset has no name', () => {
    for (const name of ['pii', 'pii/none', 'constructor', '']) expect(presetNamed(name)).toBeNull();
  });

  test('a run under the old name is compared with one under the new, without --force, and is scored again', async () => {
    const folder = temporaryFolder();
    const call = (args: readonly string[]) => assayHere(args, { cwd: folder });
    const score = (recipe: string, out: string) =>
      call(
        words`score ${recipe} --cases ${example('pii/docs.json')} --no-report --quiet --out ${out} --set interval.resamples=50`,
      );
    expect((await score('pii/iou', 'old')).code).toBe(0);
    expect((await score('spans/iou', 'new')).code).toBe(0);
    const read = (run: string, file: string): unknown => JSON.parse(readFileSync(join(folder, run, file), 'utf8'));
    const [old, now] = ['old', 'new'].map((run) => {
      const { measures } = read(run, 'measures.json') as { measures: unknown };
      const { comparable, recipe, task } = read(run, 'manifest.json') as Record<string, unknown>;
      return { measures, comparable, recipe: { ...(recipe as object), name: null }, task };
    });
    expect(now).toEqual(old);
    const { code, stdout } = await call(['compare', 'old', 'new']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('hold the same predictions')]);
    for (const run of ['old', 'new']) expect((await call(['waterfall', run])).code).toBe(0);
  });
});

describe('the task of a preset', () => {
  test('is its own or that of what it extends', () => {
    expect(presetTask('spans/every-scheme')).toBe('pii');
    expect(presetTask('pii/every-scheme')).toBe('pii');
    expect(presetTask('graph/as-coded')).toBe('graph');
  });

  test('spans is another word for pii', async () => {
    const [spans, pii] = [await planRecipe({ task: 'spans' }), await planRecipe({ task: 'pii' })];
    expect(spans.task).toBe('pii');
    expect(spans.resolved).toEqual(pii.resolved);
  });
});
