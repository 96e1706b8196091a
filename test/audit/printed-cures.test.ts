import { describe, expect, test } from 'vitest';

import { readCases } from '../../src/data/read-cases.ts';
import { memorySource } from '../../src/data/source.ts';
import { AuditWatch } from '../../src/audit/audit-watch.ts';
import { scoreToRun } from '../../src/score/score-to-folder.ts';
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

describe('relations, whose ends have the place and the type of their entities', () => {
  const entities = [
    { id: 'e1', type: 'PER', start: 0, end: 3 },
    { id: 'e2', type: 'ORG', start: 8, end: 12 },
  ];
  const relationships = [{ source_ref: 'e1', type: 'works_for', target_ref: 'e2' }];
  const records = (change: (entity: (typeof entities)[number]) => object) =>
    Array.from({ length: 20 }, (_, at) => ({
      id: `d${at}`,
      text: `Ann met Acme, number ${at}`,
      entities: entities.map((entity) => ({ ...entity, ...change(entity) })),
      relationships,
    }));

  test.each<[string, string, Parameters<typeof records>[0]]>([
    ['swapped-labels', 'types exchanged', ({ type }) => ({ type: type === 'PER' ? 'ORG' : 'PER' })],
    ['untrimmed-spans', 'a blank behind the name', ({ id, end }) => (id === 'e1' ? { end: end + 1 } : {})],
  ])('%s: %s', async (name, _, change) => {
    const score = async (set: readonly string[]) => {
      const plan = await planRecipe('relations/strict', ['interval=off', ...set]);
      const source = (role: string, lines: readonly object[]) =>
        memorySource(`${role}.jsonl`, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      const gold = source(
        'gold',
        records(() => ({})),
      );
      const cases = readCases({ cases: gold, gold, predictions: source('predictions', records(change)) }, plan.data);
      const watch = new AuditWatch(plan);
      const run = await scoreToRun(plan, cases, { sink: watch.sink });
      return { run, finding: (await watch.finish(run)).findings.find((one) => one.name === name) };
    };
    const f1 = ({ run }: Awaited<ReturnType<typeof score>>) =>
      run.measures.measures.find(({ name: own, slice }) => own === 'relationship_f1' && !('scheme' in slice))?.value;
    const planted = await score([]);
    expect(f1(planted)).toBe(0);
    const cured = await score(printedSettings(planted.finding));
    expect(cured.finding).toBeUndefined();
    expect(f1(cured)).toBe(1);
  });
});

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
