import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { AUDIT_CHECKS } from '../../src/recipe/audit-section.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { EMPTY_LISTS, EMPTY_TEXTS } from '../../src/audit/checks/content/answer-sizes.ts';
import {
  FAILED_CASES,
  SET_ASIDE_GOLD,
  SET_ASIDE_ON_PURPOSE,
  SET_ASIDE_PREDICTIONS,
  UNANSWERED_CASES,
} from '../../src/audit/checks/dropped-data.ts';
import { acceptancesOf } from '../../src/audit/acceptance.ts';
import { ERROR_TYPES } from '../../src/judge/error-type.ts';
import { ROOT, temporaryFolder } from '../cli/run-assay.ts';

function page(name: string): string {
  return readFileSync(join(ROOT, 'docs', name), 'utf8');
}

test('docs/audit.md lists every check once, in the order of the findings', () => {
  const listed = [...page('audit.md').matchAll(/^\| `([a-z-]+)` \| .+ \| .+ \| .+ \|$/gm)].map(([, name]) => name!);
  expect(listed).toEqual([...AUDIT_CHECKS]);
});

test('docs give the number of checks that there are', () => {
  const [pages, n] = [['audit.md', 'decisions/0029-the-audit.md'], AUDIT_CHECKS.length];
  const numbers = pages.flatMap((name) => [...page(name).matchAll(/(\d+) (?:checks|known ways)/g)]);
  // The run that audit.md shows was scored here: a check of imported runs is not among its own.
  expect(numbers.map(([, number]) => Number(number))).toEqual([n - 1, n, n]);
});

test('docs/audit.md gives the limits that the audit uses', () => {
  const rowOf = (check: string): string => new RegExp(`^\\| \`${check}\` .*$`, 'm').exec(page('audit.md'))![0];
  const at = (share: number): string => `${Math.round(100 * share)} %`;
  const dropped = rowOf('dropped-data');
  for (const [what, { fewest, warning, error }] of [
    ['failed', FAILED_CASES],
    ['unanswered', UNANSWERED_CASES],
  ] as const)
    expect(dropped).toContain(`${what} (${fewest} or more): warning at ${at(warning)}, error at ${at(error)}`);
  const { fewest, warning } = SET_ASIDE_PREDICTIONS;
  expect([SET_ASIDE_GOLD.fewest, SET_ASIDE_ON_PURPOSE.fewest]).toEqual([fewest, fewest]);
  expect(dropped).toContain(`set aside (${fewest} or more): warning at ${at(warning)} of the predictions`);
  expect(dropped).toContain(`${at(SET_ASIDE_GOLD.warning)} of its gold`);
  expect(dropped).toContain(`\`min-confidence\` at ${at(SET_ASIDE_ON_PURPOSE.warning)}`);
  const [texts, lists] = [EMPTY_TEXTS, EMPTY_LISTS];
  expect(rowOf('empty-answers')).toContain(
    `texts: warning at ${at(texts.warning.share)} (${texts.warning.fewest} or more), ` +
      `error at ${at(texts.error.share)} (${texts.error.fewest} or more); lists (${lists.fewest} or more): ` +
      `note at ${at(lists.note)}, warning at ${at(lists.warning)}, error at ${at(lists.error)}`,
  );
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
  expect(accepted.get('too-few-cases')?.because).toContain('a first look');
});
