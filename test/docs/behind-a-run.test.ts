import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { AUDIT_CHECKS } from '../../src/recipe/audit-section.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { CHECKS } from '../../src/audit/checks.ts';
import { acceptancesOf } from '../../src/audit/acceptance.ts';
import { ERROR_TYPES } from '../../src/judge/error-type.ts';
import { ROOT, temporaryFolder } from '../cli/run-assay.ts';

function page(name: string): string {
  return readFileSync(join(ROOT, 'docs', name), 'utf8');
}

/** What the reference shows of a check. */
function severityOf(check: string): string {
  return CHECKS.find(({ name }) => name === check)?.severity ?? '';
}

test('every check has its severities for the reference', () => {
  expect(AUDIT_CHECKS.filter((name) => severityOf(name) === '')).toEqual([]);
});

test('docs/figures.md has every type of error', () => {
  const listed = [...page('figures.md').matchAll(/^\| \d \| ([a-z, ]+) \| /gm)].flatMap(([, types]) =>
    types!.split(', '),
  );
  expect(new Set(listed)).toEqual(new Set(ERROR_TYPES));
});

test('the acceptance that docs/audit.md shows is one', async () => {
  const [, yaml] = /^```yaml\n([\s\S]*?)^```$/m.exec(page('audit.md'))!;
  const file = join(temporaryFolder(), 'agreed.yaml');
  writeFileSync(file, yaml!);
  const accepted = acceptancesOf((await planRecipe(file)).resolved);
  expect(accepted.get('excused-hits')?.subjects).toEqual(new Set(['ORG', 'DEM']));
  expect(accepted.get('too-few-cases')?.because).toContain('a first look');
});
