import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { planRecipe } from '../../src/recipe/plan.ts';
import { ROOT, temporaryFolder } from '../cli/run-assay.ts';
import { README_BLOCKS, readmeProblems } from './readme.ts';
import { Shell } from './transcript.ts';

const of = (language: string): readonly string[] =>
  README_BLOCKS.filter((block) => block.language === language).map(({ content }) => content);

it('has blocks of the kinds that are tested below', () => {
  expect(README_BLOCKS.map(({ language }) => language)).toEqual(['sh', 'console', 'console', 'yaml']);
});

it('names the two commands, which are scripts of the package', () => {
  expect(of('sh')).toEqual(['npm ci && npm run demo\nnpm ci && npm test\n']);
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['demo', 'test']));
});

it('leads from two files to a report, with a command for each kind of data', { timeout: 300_000 }, () => {
  expect(readmeProblems(new Shell(temporaryFolder()))).toEqual([]);
});

it('shows a recipe that can be used', async () => {
  const file = join(temporaryFolder(), 'recipe.yaml');
  writeFileSync(file, of('yaml').join(''));
  const { resolved } = await planRecipe(file);
  expect(resolved.pair).toMatchObject({ span: { accept: [{ tolerance: 1 }] } });
});
