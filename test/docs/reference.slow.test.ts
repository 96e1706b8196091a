import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { referencePages } from '../../tools/reference.mjs';
import { ROOT } from '../cli/run-assay.ts';

const FOLDER = join(ROOT, 'docs/reference');

it('docs/reference is what npm run reference writes', async () => {
  const pages = await referencePages();
  expect(readdirSync(FOLDER).toSorted()).toEqual([...pages.keys()].toSorted());
  for (const [name, text] of pages) expect(readFileSync(join(FOLDER, name), 'utf8'), name).toBe(text);
});

it('has every rule, measure, check and command', async () => {
  const pages = await referencePages();
  for (const [page, names] of [
    ['recipe.md', ['merge', 'loc-in-org', 'levenshtein', 'missingPrediction', 'groupsAbove', 'reveal']],
    ['measures.md', ['precision', 'case-mean', 'entity-recall']],
    ['audit.md', ['copied-gold', 'different-signatures']],
    ['files.md', ['notWorseThan', 'concurrency', 'allow']],
    ['commands.md', ['score [recipe]', 'create <name>', 'measure']],
  ] as const)
    for (const name of names) expect(pages.get(page)).toContain(`\`${name}\``);
});

it('explains every setting of a rule', async () => {
  const text = (await referencePages()).get('recipe.md')!;
  const rules = text.slice(text.indexOf('## prepare'), text.indexOf('## interval'));
  const unexplained = [...rules.matchAll(/^- `([^`]+)`(?: \([^)]*\))?$/gm)].map(([, name]) => name);
  expect(new Set(unexplained)).toEqual(new Set(['side']));
});
