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

test('the reference gives the limits that the audit uses', () => {
  const at = (share: number): string => `${Math.round(100 * share)} %`;
  const dropped = severityOf('dropped-data').toLowerCase();
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
  expect(severityOf('empty-answers')).toBe(
    `Texts: warning at ${at(texts.warning.share)} (${texts.warning.fewest} or more), ` +
      `error at ${at(texts.error.share)} (${texts.error.fewest} or more); lists (${lists.fewest} or more): ` +
      `note at ${at(lists.note)}, warning at ${at(lists.warning)}, error at ${at(lists.error)}`,
  );
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
