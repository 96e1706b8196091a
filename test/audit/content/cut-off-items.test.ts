import { describe, expect, test } from 'vitest';

import { cutOffItems } from '../../../src/audit/checks/content/cut-off-items.ts';
import type { AuditCheck } from '../../../src/audit/check.ts';
import type { Case } from '../../../src/data/case.ts';
import type { Item } from '../../../src/data/item.ts';
import { look } from '../audited.ts';
import { cleanDocuments, cleanGraphs, cleanJournals } from '../clean-sets.ts';
import { spanCase, STRICT, times } from '../made-items.ts';
import { Chance } from './made-texts.ts';

const CHECK: AuditCheck = { name: 'cut-off-predictions', about: 'numbers', scoredOnly: true, open: cutOffItems };

async function said(cases: readonly Case[], recipe: string | object = STRICT): Promise<readonly string[]> {
  return (await look(CHECK, recipe, cases)).said;
}

const first = (n: number, items: readonly Item[]): Item[] => items.filter(({ index }) => index < n);
const limited = (n: number, cases: readonly Case[]): Case[] =>
  cases.map((one): Case => ({
    ...one,
    predicted: first(
      n,
      one.predicted.filter(({ kind }) => kind !== 'relationship'),
    ),
  }));

/** Cases of up to `most` gold items, each of which is found with one chance. */
function found(n: number, most: number, share: number, seed = 1): Case[] {
  const chance = new Chance(seed);
  return times(n, (at) => {
    const gold = Array.from({ length: chance.below(most + 1) }, (_, index) => `A ${index * 10}`);
    return spanCase(
      `c${at}`,
      gold,
      gold.filter(() => chance.happens(share)),
    );
  });
}

describe('a number of predictions that no case exceeds', () => {
  test('is an error with what gold has more of', async () => {
    const items = Array.from({ length: 8 }, (_, at) => `A ${at * 10}`);
    const cases = times(20, (at) =>
      spanCase(`c${at}`, items.slice(0, 2 + (at % 7)), items.slice(0, Math.min(3, 2 + (at % 7)))),
    );
    const { findings } = await look(CHECK, STRICT, cases);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({
      severity: 'error',
      title:
        '17 of 20 cases (85 %) have exactly 3 predictions of the kind span, none has more, and in 14 of them gold has more',
      cases: { total: 14 },
    });
    expect(findings[0]?.items.shown[0]?.note).toBe('3 of 4 items predicted');
    expect(findings[0]?.todo).toContain('maxOutputTokens');
  });

  test.each([
    ['documents', 'pii/strict', cleanDocuments(80, 2)],
    ['journals', 'journal/ashwam', cleanJournals(80, 2)],
    ['graphs', 'graph/openspec', cleanGraphs(80, 2)],
  ] as const)('is found in %s with two and three of them', async (_, recipe, cases) => {
    for (const n of [2, 3]) expect(await said(limited(n, cases), recipe)).toEqual([expect.stringMatching(/^error/)]);
    expect(await said(cases, recipe)).toEqual([]);
  });
});

test.each([0.2, 0.5, 0.8, 1])('a system that finds %d of gold has no such number', async (share) => {
  for (const most of [1, 2, 3, 8, 30])
    for (const seed of [1, 2, 3]) expect(await said(found(150, most, share, seed)), `${most}`).toEqual([]);
});

test('texts with as many items each are none, nor is a form in which some are never found', async () => {
  const five = ['A 0', 'A 10', 'A 20', 'A 30', 'A 40'];
  expect(await said(times(60, (at) => spanCase(`c${at}`, five, five)))).toEqual([]);
  const some = times(60, (at) => spanCase(`c${at}`, at < 4 ? [...five, 'A 50'] : five, five));
  expect(await said(some)).toEqual([]);
  const form = times(60, (at) => spanCase(`c${at}`, [...five, 'TAX 50'], five));
  expect(await said(form)).toEqual([]);
});
