import { describe, expect, test } from 'vitest';

import { readCases } from '../../src/data/read-cases.ts';
import { memorySource } from '../../src/data/source.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import type { Finding } from '../../src/audit/finding.ts';
import { auditOf } from './audited.ts';

type Files = Readonly<Record<'cases' | 'gold' | 'predictions', readonly object[]>>;

/** What the audit finds in files that are scored with these settings. */
async function findingsOf(files: Files, set: readonly string[]): Promise<readonly Finding[]> {
  const plan = await planRecipe('spans/strict', ['interval=off', ...set]);
  const source = (name: keyof Files) =>
    memorySource(`${name}.jsonl`, `${files[name].map((line) => JSON.stringify(line)).join('\n')}\n`);
  const sources = { cases: source('cases'), gold: source('gold'), predictions: source('predictions') };
  return (await auditOf(plan, readCases(sources, plan.data))).findings;
}

async function findingOf(name: string, ...given: Parameters<typeof findingsOf>): Promise<Finding | undefined> {
  return (await findingsOf(...given)).find((one) => one.name === name);
}

/** The settings that a finding prints, as they would be typed. */
function printedSettings(finding: Finding | undefined): string[] {
  return [...(finding?.todo ?? '').matchAll(/--set (\S+?)[.,:]?(?=\s|$)/g)].map(([, setting]) => setting!);
}

const TEXT = 'Ann met Bo and Cy in Oslo on Monday';
const SPANS = [
  { start: 0, end: 3, label: 'PER' },
  { start: 8, end: 10, label: 'PER' },
  { start: 21, end: 25, label: 'LOC' },
];
const ids = Array.from({ length: 30 }, (_, at) => `d${at}`);
/** The system misses the first span in one of four documents, and invents one in one of five. */
const predicted = (at: number) => [
  ...SPANS.slice(at % 4 === 0 ? 1 : 0),
  ...(at % 5 === 0 ? [{ start: 29, end: 35, label: 'LOC' }] : []),
];

describe('the setting that a finding prints takes it away', () => {
  const cases = ids.map((id, at) => ({ id, text: `${TEXT}, number ${at}` }));
  const predictions = ids.map((id, at) => ({ id, spans: predicted(at) }));
  const isAnnotated = (at: number): boolean => at % 2 === 0;

  test('cases without a gold record, counted as empty', async () => {
    const gold = ids.flatMap((id, at) => (isAnnotated(at) ? [{ id, spans: SPANS }] : []));
    const files = { cases, gold, predictions };
    const finding = await findingOf('unannotated-cases', files, ['data.missingGold=empty']);
    expect(finding).toMatchObject({ severity: 'warning', cases: { total: 15 } });
    expect(finding?.cases.shown).toContain('d1');
    const cure = printedSettings(finding);
    expect(cure).toEqual(['data.missingGold=leave-out']);
    expect(await findingOf('unannotated-cases', files, cure)).toBeUndefined();
  });

  test('cases with an empty list of gold, once their records are taken out', async () => {
    const gold = ids.map((id, at) => ({ id, spans: isAnnotated(at) ? SPANS : [] }));
    const finding = await findingOf('unannotated-cases', { cases, gold, predictions }, []);
    expect(finding?.todo).toContain('take `gold` out of the records that nobody annotated');
    const cure = printedSettings(finding);
    const rest = gold.filter((_, at) => isAnnotated(at));
    expect(await findingOf('unannotated-cases', { cases, gold: rest, predictions }, cure)).toBeUndefined();
  });

  const gold = ids.map((id) => ({ id, spans: SPANS }));
  const sure = (value: (at: number) => unknown, field = 'confidence'): Files => ({
    cases,
    gold,
    predictions: ids.map((id, at) => ({ id, spans: predicted(at).map((span) => ({ ...span, [field]: value(at) })) })),
  });

  test.each([
    ['confidence', []],
    ['score', []],
    ['confidence', ['prepare.min-confidence.min=0.5']],
    ['probability', ['prepare.min-confidence.field=probability']],
  ] as const)('a %s that is no number, with %j', async (field, set) => {
    const files = sure((at) => (at % 3 === 0 ? 'NaN' : 0.9), field);
    const finding = await findingOf('unreadable-confidence', files, set);
    expect(finding).toMatchObject({ severity: 'warning', subjects: [field], cases: { total: 10 } });
    expect(finding?.items.shown[0]?.note).toBe(`${field} is "NaN"`);
    expect(await findingOf('unreadable-confidence', files, [...set, ...printedSettings(finding)])).toBeUndefined();
  });

  test('a score that is no confidence is none of them: of a match, or in gold, too', async () => {
    expect(
      await findingOf(
        'unreadable-confidence',
        sure(() => '3-2', 'score'),
        [],
      ),
    ).toBeUndefined();
    const both = sure(() => 'high');
    const inGold = both.gold.map((record) => ({
      ...record,
      spans: SPANS.map((span) => ({ ...span, confidence: 'high' })),
    }));
    expect(await findingOf('unreadable-confidence', { ...both, gold: inGold }, [])).toBeUndefined();
  });

  test('one of many is a note, and a warning if the recipe asks for a minimum', async () => {
    const files = sure((at) => (at === 7 ? 'high' : 0.9));
    expect((await findingOf('unreadable-confidence', files, []))?.severity).toBe('note');
    const minimum = await findingOf('unreadable-confidence', files, ['prepare.min-confidence.min=0.5']);
    expect(minimum?.severity).toBe('warning');
  });
});
