import { describe, expect, test } from 'vitest';

import { noReference } from '../reference/reference-data.ts';
import { offsetMap } from '../../src/text/offsets.ts';
import type { Finding } from '../../src/audit/finding.ts';
import {
  auditRecords,
  courtRecords,
  type DocumentRecord,
  madeRecords,
  settingsIn,
  type SpanRecord,
} from './span-records.ts';

const FAULTS = ['untrimmed-spans', 'shifted-spans', 'repeated-items', 'cut-off-predictions', 'swapped-labels'];
const ORDINARY = { missed: 0.15, bounds: 0.15, confused: 0.15, invented: 0.1 };

const COURT = await courtRecords();
const SETS: Readonly<Record<string, readonly DocumentRecord[]>> = {
  ...(noReference ? {} : { 'court cases': COURT, 'ten court cases': COURT.slice(10, 20) }),
  'long texts': madeRecords(40, 1, { ...ORDINARY, sentences: 30 }),
  'single sentences with emoji': madeRecords(400, 2, { ...ORDINARY, sentences: 1, emoji: 0.3, missed: 0.4 }),
};

/** What is found of these faults, by the name of the check. */
function of(findings: readonly Finding[], name?: string): Finding[] {
  return findings.filter((finding) => (name === undefined ? FAULTS.includes(finding.name) : finding.name === name));
}

type Plant = (record: DocumentRecord, at: number) => DocumentRecord;
const moved =
  (by: (span: SpanRecord, text: readonly string[]) => Partial<SpanRecord>): Plant =>
  (record) => {
    const text = [...record.text];
    return {
      ...record,
      predicted: record.predicted.map((span) => {
        const { start, end, label } = { ...span, ...by(span, text) };
        return { start: Math.max(0, start), end: Math.min(text.length, end), label };
      }),
    };
  };
const inCases =
  (isIn: (at: number) => boolean, plant: Plant): Plant =>
  (record, at) =>
    isIn(at) ? plant(record, at) : record;
const blankBefore = moved(({ start }, text) => (/\s/u.test(text[start - 1] ?? '') ? { start: start - 1 } : {}));
const blankAfter = moved(({ end }, text) => (/\s/u.test(text[end] ?? '') ? { end: end + 1 } : {}));
const off = (by: number) => moved(({ start, end }) => ({ start: start + by, end: end + by }));
const lastCharacter = moved(({ start, end }) => (end - start > 1 ? { end: end - 1 } : {}));
const twice: Plant = (record) => ({ ...record, predicted: [...record.predicted, ...record.predicted] });
const each: Plant = (record) => ({ ...record, predicted: record.predicted.flatMap((span) => [span, { ...span }]) });
const cutAfter =
  (n: number): Plant =>
  (record) => ({ ...record, predicted: record.predicted.filter(({ end }) => end <= n) });
const renamed = (map: Readonly<Record<string, string>>): Plant =>
  moved(({ label }) => ({ label: map[label] ?? label }));

describe.each(Object.keys(SETS))('in %s', (name) => {
  const clean = SETS[name]!;
  const planted = (plant: Plant): DocumentRecord[] => clean.map(plant);

  test('nothing of these faults is found as they are', async () => {
    for (const recipe of [
      'spans/strict',
      'spans/iou',
      'spans/partial',
      'spans/semeval',
      'spans/token',
      'spans/character',
    ])
      expect(
        of((await auditRecords(clean, recipe)).audit.findings).map(({ title }) => title),
        recipe,
      ).toEqual([]);
  });

  test.each<[string, string, Plant]>([
    ['a blank before', 'error', blankBefore],
    ['a blank before, in every third', 'error', inCases((at) => at % 3 === 0, blankBefore)],
    ['a blank after', 'error', blankAfter],
    ['blanks at both ends', 'error', (record, at) => blankAfter(blankBefore(record, at), at)],
  ])('%s each prediction is an error that prepare.trim cures', async (_, severity, plant) => {
    const before = await auditRecords(clean, 'spans/strict');
    const { audit, f1 } = await auditRecords(planted(plant), 'spans/strict');
    expect(f1).toBeLessThan(before.f1);
    const [finding, ...others] = of(audit.findings, 'untrimmed-spans');
    expect(others).toEqual([]);
    expect(finding?.severity).toBe(severity);
    expect(finding?.items.shown[0]?.case).toBeTruthy();
    const cured = await auditRecords(planted(plant), 'spans/strict', settingsIn(finding!.todo));
    expect(cured.f1).toBeCloseTo(before.f1, 10);
    expect(of(cured.audit.findings, 'untrimmed-spans')).toEqual([]);
  });

  test.each<[string, Plant]>([
    ['by one, scattered', inCases((at) => at % 5 === 0, off(1))],
    ['by one, side by side', inCases((at) => at < clean.length / 5, off(1))],
    ['by one to the left', inCases((at) => at % 5 === 2, off(-1))],
    ['by two', inCases((at) => at % 5 === 3, off(2))],
  ])('offsets that are off %s, in a fifth of the cases, are an error', async (_, plant) => {
    const before = await auditRecords(clean, 'spans/strict');
    const { audit, f1 } = await auditRecords(planted(plant), 'spans/strict');
    const [finding, ...others] = of(audit.findings, 'shifted-spans');
    expect(others).toEqual([]);
    expect(finding?.severity).toBe('error');
    expect(finding?.items.shown[0]?.note).toMatch(/ in gold$/);
    const cured = await auditRecords(planted(plant), 'spans/strict', settingsIn(finding!.todo));
    expect(cured.f1).toBeGreaterThan(f1);
    // Boundaries that were off by a sign before count, too.
    expect(cured.f1).toBeGreaterThan(before.f1 - 0.03);
  });

  test('an end that is the last character, in a fifth of the cases', async () => {
    const { audit } = await auditRecords(planted(inCases((at) => at % 5 === 0, lastCharacter)), 'spans/strict');
    const found = of(audit.findings, 'shifted-spans').map(({ severity }) => severity);
    expect(found).toEqual(['error']);
  });

  test('offsets that are all off are cured by a flag', async () => {
    const { audit } = await auditRecords(planted(off(1)), 'spans/strict');
    const [finding] = of(audit.findings, 'shifted-spans');
    expect(finding?.todo).toContain('--offsets predicted=codepoint+one-based');
    const cured = await auditRecords(planted(off(1)), 'spans/strict', ['data.offsets.predicted=codepoint one-based']);
    expect(of(cured.audit.findings)).toEqual([]);
  });

  test.each<[string, string, Plant]>([
    ['twice', 'error', twice],
    ['twice, one after the other', 'error', each],
    [
      'three times',
      'error',
      (record, at) => ({ ...twice(record, at), predicted: [...twice(record, at).predicted, ...record.predicted] }),
    ],
    ['twice in a fifth of the cases', 'warning', inCases((at) => at % 5 === 0, twice)],
  ])('predictions that are there %s', async (how, severity, plant) => {
    const before = await auditRecords(clean, 'spans/strict');
    const { audit, f1 } = await auditRecords(planted(plant), 'spans/strict');
    expect(f1).toBeLessThan(before.f1);
    const [finding, ...others] = of(audit.findings, 'repeated-items');
    expect(others).toEqual([]);
    if (how.includes('fifth') && clean.length < 15) return;
    expect(finding?.severity).toBe(severity);
    const settings = settingsIn(finding!.todo);
    const cured = await auditRecords(planted(plant), 'spans/strict', settings);
    expect(cured.f1).toBeCloseTo((await auditRecords(clean, 'spans/strict', settings)).f1, 10);
    expect(of(cured.audit.findings)).toEqual([]);
  });

  test('two labels that are exchanged', async () => {
    const [one, other] = name.includes('court') ? (['PERSON', 'DATETIME'] as const) : (['PER', 'LOC'] as const);
    const plant = renamed({ [one]: other, [other]: one });
    const before = await auditRecords(clean, 'spans/strict');
    const { audit } = await auditRecords(planted(plant), 'spans/strict');
    const [finding, ...others] = of(audit.findings, 'swapped-labels');
    expect(others).toEqual([]);
    expect(finding?.severity).toBe('error');
    expect(finding?.items.total).toBeGreaterThan(5);
    const cured = await auditRecords(planted(plant), 'spans/strict', settingsIn(finding!.todo));
    expect(cured.f1).toBeCloseTo(before.f1, 10);
    // Where the recipe has a label map already, it stays.
    const map = ['prepare.relabel.map.PHONE_NUMBER=CODE'];
    const mapped = await auditRecords(planted(plant), 'spans/strict', map);
    const again = settingsIn(of(mapped.audit.findings, 'swapped-labels')[0]!.todo);
    const both = await auditRecords(planted(plant), 'spans/strict', [...map, ...again]);
    expect(both.f1).toBeCloseTo((await auditRecords(clean, 'spans/strict', map)).f1, 10);
  });

  test.each([500, 1000])('nothing predicted behind character %i', async (n) => {
    const { audit } = await auditRecords(planted(cutAfter(n)), 'spans/strict');
    const found = of(audit.findings, 'cut-off-predictions').map(({ severity, title }) => [severity, title]);
    expect(found.map(([severity]) => severity)).toEqual(name.startsWith('single') ? [] : ['error']);
    expect(found.every(([, title]) => title?.startsWith('No prediction is behind character '))).toBe(true);
  });
});

test('places in UTF-16 units are found in the texts with emoji', async () => {
  const clean = SETS['single sentences with emoji']!;
  const planted = clean.map((record): DocumentRecord => {
    const { toUtf16 } = offsetMap(record.text, 'codepoint');
    return {
      ...record,
      predicted: record.predicted.map(({ start, end, label }) => ({ start: toUtf16(start), end: toUtf16(end), label })),
    };
  });
  const { audit } = await auditRecords(planted, 'spans/strict');
  const [finding] = of(audit.findings, 'shifted-spans');
  expect(finding?.severity).toBe('error');
  expect(finding?.todo).toContain('--offsets predicted=utf16');
  const cured = await auditRecords(planted, 'spans/strict', ['data.offsets.predicted=utf16']);
  expect(of(cured.audit.findings)).toEqual([]);
});
