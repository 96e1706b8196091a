import { describe, expect, test } from 'vitest';

import { AUDIT_CHECKS } from '../../src/recipe/audit-section.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { auditFile } from '../../src/report/html/run-parts.ts';
import { CHECKS } from '../../src/audit/checks.ts';
import { auditOf } from './audited.ts';
import { spanCase, STRICT, times } from './made-items.ts';

const cases = [
  ...times(3, (at) => spanCase(`f${at}`, ['A 0'], [], { failed: 'no answer' })),
  ...times(7, (at) => spanCase(`g${at}`, ['A 0', 'ORG 20'], at === 0 ? [] : ['A 0', 'ORG 20'])),
];
const RECIPE = { ...STRICT, judge: { 'excuse-missed': { labels: ['ORG'] } } };

describe('an audit', () => {
  test('has every check that recipes can name, once, in their order', async () => {
    expect(CHECKS.map(({ name }) => name).toSorted()).toEqual([...AUDIT_CHECKS].toSorted());
    const { checks } = await auditOf(await planRecipe(RECIPE, ['interval=off']), cases);
    const ofEveryRun = CHECKS.filter(({ appliesTo }) => appliesTo === undefined).map(({ name }) => name);
    expect(checks.map(({ name }) => name)).toEqual(AUDIT_CHECKS.filter((name) => ofEveryRun.includes(name)));
    expect(checks.every(({ about }) => about.length > 0)).toBe(true);
  });

  test('puts the worst first, and what is accepted last', async () => {
    const accepting = { ...RECIPE, audit: { accept: { 'excused-hits': 'agreed with the client' } } };
    const { findings, signature } = await auditOf(await planRecipe(accepting, ['interval=off']), cases);
    expect(findings.map(({ severity, name, accepted }) => [severity, name, accepted])).toEqual([
      ['error', 'dropped-data', null],
      ['note', 'too-few-cases', null],
      ['note', 'missing-intervals', null],
      ['error', 'excused-hits', 'agreed with the client'],
    ]);
    expect(signature).toContain('task:pii');
  });

  test('is what audit.json holds', async () => {
    // Of the training cases nobody knows: that check did not look.
    const accepting = {
      ...RECIPE,
      audit: { accept: { 'placeholder-answers': 'none', 'training-data-in-test': 'known' } },
    };
    const audit = await auditOf(await planRecipe(accepting, ['interval=off']), cases);
    expect(audit.unused).toEqual([{ name: 'placeholder-answers', subjects: [], because: 'none' }]);
    expect(auditFile.parse(JSON.parse(JSON.stringify(audit)))).toEqual(audit);
  });

  test('does not change with what the recipe accepts, nor does the signature', async () => {
    const plain = await auditOf(await planRecipe(RECIPE, ['interval=off']), cases);
    const other = await auditOf(
      await planRecipe({ ...RECIPE, audit: { accept: { 'dropped-data': 'known' } } }, ['interval=off']),
      cases,
    );
    expect(other.signature).toBe(plain.signature);
    expect(other.findings).toHaveLength(plain.findings.length);
  });
});
