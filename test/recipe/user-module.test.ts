import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { UsageError } from '../../src/data/problems.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { caseOf, object } from '../pair/items.ts';
import { folderWith } from './recipe-files.ts';
import { type Scored, scoreWith } from './score-with.ts';

const SAME_FIRST_LETTER =
  'export const firstLetter = (gold, predicted) => (gold.text[0] === predicted.text[0] ? 1 : 0.2);\n';

function recipe(similarity: string): string {
  return `extends: journal/ashwam\npair: { similarity: '${similarity}' }\n`;
}

function score(files: Record<string, string>): Promise<Scored> {
  const made = caseOf({
    text: 'apple pear',
    gold: [object('food', 'apple')],
    predicted: [object('food', 'almond'), object('food', 'pear')],
  });
  return scoreWith(join(folderWith(files), 'r.yaml'), made);
}

describe('a similarity of one’s own', () => {
  test('is a function of a module beside the recipe', async () => {
    const scored = await score({ 'r.yaml': recipe('./mine.mjs#firstLetter'), 'mine.mjs': SAME_FIRST_LETTER });
    expect(scored.tally).toBe('1/1/0');
    expect(scored.verdicts()[0]?.predicted?.text).toBe('almond');
  });

  test('may be the default export, TypeScript, or lie in a folder below', async () => {
    const text =
      'export default (gold: { text: string }, predicted: { text: string }): number => Number(gold.text[0] === predicted.text[0]);\n';
    expect((await score({ 'r.yaml': recipe('./lib/mine.ts'), 'lib/mine.ts': text })).tally).toBe('1/1/0');
  });

  test('is part of the signature: another text is another measure', async () => {
    const one = await score({ 'r.yaml': recipe('./mine.mjs#firstLetter'), 'mine.mjs': SAME_FIRST_LETTER });
    const again = await score({ 'r.yaml': recipe('./mine.mjs#firstLetter'), 'mine.mjs': SAME_FIRST_LETTER });
    const other = await score({
      'r.yaml': recipe('./mine.mjs#firstLetter'),
      'mine.mjs': SAME_FIRST_LETTER.replace('0.2', '0.1'),
    });
    expect(again.signature).toBe(one.signature);
    expect(other.signature).not.toBe(one.signature);
  });

  test('is read anew when it changed, also in a process that goes on running', async () => {
    const folder = folderWith({ 'r.yaml': recipe('./mine.mjs'), 'mine.mjs': 'export default () => 1;\n' });
    const made = caseOf({ text: 'x', gold: [object('food', 'a')], predicted: [object('food', 'b')] });
    expect((await scoreWith(join(folder, 'r.yaml'), made)).tally).toBe('1/0/0');
    writeFileSync(join(folder, 'mine.mjs'), 'export default () => 0.1;\n');
    expect((await scoreWith(join(folder, 'r.yaml'), made)).tally).toBe('0/1/1');
  });

  test.each([
    ['export default () => 2;', 'the similarity ./mine.mjs returned 2 for gold "apple" and predicted "almond"'],
    ['export default () => -1;', 'returned -1'],
    ['export default () => NaN;', 'returned NaN'],
    ['export default () => "high";', 'returned high'],
    ['export default async () => 1;', 'returned a promise (it must not be async)'],
    [
      'export default () => { throw new Error("no dictionary"); };',
      'failed for gold "apple" and predicted "almond" (no dictionary)',
    ],
    ['export const other = () => 1;', 'similarity ./mine.mjs: mine.mjs exports no function called default'],
    ['export default 0.5;', 'exports no function called default'],
    ['export default (', 'similarity ./mine.mjs: the module does not load ('],
    ['throw new Error("broken");', 'the module does not load (broken)'],
  ])('%s is a mistake that is named', async (text, message) => {
    const error: unknown = await score({ 'r.yaml': recipe('./mine.mjs'), 'mine.mjs': text }).catch(
      (found: unknown) => found,
    );
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toHaveProperty('message', expect.stringContaining(message));
  });

  test('that is not there is named with where it was looked for', async () => {
    await expect(score({ 'r.yaml': recipe('./mine.mjs') })).rejects.toMatchObject({
      message: 'similarity ./mine.mjs: cannot read mine.mjs (ENOENT)',
      next: 'a module path starts from the folder of the recipe',
    });
  });
});

describe('only code in or below the folder of the recipe is run', () => {
  /** A folder with a recipe, and one beside it whose code must not run. */
  const folders = (similarity: string): { own: string; outside: string } => ({
    own: folderWith({ 'r.yaml': recipe(similarity) }),
    outside: folderWith({ 'evil.mjs': 'globalThis.evil = true;\nexport default () => 1;\n' }),
  });
  const expectRefused = async (folder: string): Promise<void> => {
    await expect(planRecipe(join(folder, 'r.yaml'))).rejects.toThrow('must be in or below the folder of the recipe');
    expect(globalThis).not.toHaveProperty('evil');
  };

  test.each([
    'OUTSIDE/evil.mjs',
    'file://OUTSIDE/evil.mjs',
    '../../../../../../etc/passwd.js',
    '../evil.mjs',
    'data:text/javascript,export default () => 1#default/',
    'https://example.org/evil.js',
    'node:fs/promises',
  ])('not %s', async (similarity) => {
    const { own, outside } = folders('x.js');
    writeFileSync(join(own, 'r.yaml'), recipe(similarity.replace('OUTSIDE', outside)));
    await expectRefused(own);
  });

  test('not through a link either', async () => {
    const one = folders('./link.mjs');
    symlinkSync(join(one.outside, 'evil.mjs'), join(one.own, 'link.mjs'));
    await expectRefused(one.own);
    const other = folders('./sub/evil.mjs');
    symlinkSync(other.outside, join(other.own, 'sub'));
    await expectRefused(other.own);
  });

  test('a name that begins with two full stops is a name', async () => {
    const folder = folderWith({ 'r.yaml': recipe('./..mine.mjs'), '..mine.mjs': 'export default () => 1;\n' });
    expect((await planRecipe(join(folder, 'r.yaml'))).schemes).toHaveLength(1);
  });
});
