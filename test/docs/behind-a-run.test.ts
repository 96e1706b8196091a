import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { AUDIT_CHECKS } from '../../src/recipe/audit-section.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { acceptancesOf } from '../../src/runs/audit/acceptance.ts';
import { ERROR_TYPES } from '../../src/runs/figures/error-type.ts';
import { ROOT, temporaryFolder } from '../cli/run-assay.ts';

function page(name: string): string {
  return readFileSync(join(ROOT, 'docs', name), 'utf8');
}

test('docs/audit.md lists every check once, in the order of the findings', () => {
  const listed = [...page('audit.md').matchAll(/^\| `([a-z-]+)` \| .+ \| .+ \| .+ \|$/gm)].map(([, name]) => name!);
  expect(listed).toEqual([...AUDIT_CHECKS]);
});

test('docs/figures.md says when an error has which type', () => {
  const listed = [...page('figures.md').matchAll(/^\| \d \| ([a-z, ]+) \| /gm)].flatMap(([, types]) =>
    types!.split(', '),
  );
  expect(new Set(listed)).toEqual(new Set(ERROR_TYPES));
});

test('the acceptance that docs/recipe.md shows is one', async () => {
  const [, yaml] = /^```yaml\n(audit:[\s\S]*?)^```$/m.exec(page('recipe.md'))!;
  const file = join(temporaryFolder(), 'agreed.yaml');
  writeFileSync(file, `extends: pii/piranha\n${yaml!}`);
  const accepted = acceptancesOf((await planRecipe(file)).resolved);
  expect(accepted.get('excused-hits')?.subjects).toEqual(new Set(['ORG', 'DEM']));
  expect(accepted.get('too-few')?.because).toContain('a first look');
});
