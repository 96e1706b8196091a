import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import type { Case } from '../../src/data/case.ts';
import type { DataOptions } from '../../src/data/data-options.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { readCases } from '../../src/data/read-cases.ts';
import { fileSource } from '../../src/data/source.ts';

const file = (path: string) => fileSource(fileURLToPath(new URL(`../../examples/${path}`, import.meta.url)));

async function read(files: Readonly<Record<string, string>>, options: Partial<DataOptions> = {}): Promise<Case[]> {
  const sources = Object.fromEntries(Object.entries(files).map(([role, path]) => [role, file(path)]));
  return Array.fromAsync(readCases(sources, options));
}

/** Every span of every case, without what only one of the forms says of it. */
function spans(cases: readonly Case[], side: 'gold' | 'predicted', annotator?: (given: Case) => string): string[] {
  return cases.flatMap((given) =>
    given[side]
      .filter((item) => annotator === undefined || item.annotator === annotator(given))
      .map(({ label, text, start, end }) => `${given.id} ${label} ${start}..${end} ${text}`),
  );
}

describe('the journal example', () => {
  it('reads without problems under its preset', async () => {
    const { data } = await planRecipe('journal/ashwam');
    const cases = await read(
      { cases: 'journal/journals.jsonl', gold: 'journal/gold.jsonl', predictions: 'journal/predictions.jsonl' },
      data,
    );
    expect(cases).toHaveLength(8);
    expect(cases.flatMap(({ gold }) => gold)).toHaveLength(32);
    expect(cases.flatMap(({ predicted }) => predicted)).toHaveLength(28);
    expect(cases.filter(({ answered }) => !answered).map(({ id }) => id)).toEqual(['D08']);
  });
});

describe('the graph example', () => {
  it('reads without problems under its preset', async () => {
    const { data } = await planRecipe('graph/openspec');
    const cases = await read({ gold: 'graph/items.jsonl', predictions: 'graph/outputs.jsonl' }, data);
    const count = (side: 'gold' | 'predicted', kind: string): number =>
      cases
        .filter(({ id }) => id !== 'G06')
        .flatMap((given) => given[side])
        .filter((item) => item.kind === kind).length;
    expect(cases.map(({ id }) => id)).toEqual(['G01', 'G02', 'G03', 'G04', 'G05', 'G06']);
    expect([count('gold', 'entity'), count('predicted', 'entity')]).toEqual([20, 19]);
    expect([count('gold', 'relationship'), count('predicted', 'relationship')]).toEqual([17, 19]);
    expect(cases[5]!.answered).toBe(false);
  });
});

describe('the pii example', () => {
  const jsonl = { gold: 'pii/gold.jsonl', predictions: 'pii/predictions.jsonl' };
  const csv = { cases: 'pii/gold.jsonl', gold: 'pii/gold.csv', predictions: 'pii/predictions.csv' };
  const columns = { id: 'document', start: 'from', end: 'to', label: 'category', text: 'surface' };
  const sorted = (list: readonly string[]): string[] => [...list].sort();

  it('gives the same spans as JSONL, as CSV and as documents of the first annotator', async () => {
    const plain = await read(jsonl);
    const tables = await read(csv, { columns });
    const documents = await read({ cases: 'pii/docs.json' });
    // Two documents have two annotators, of whom annotator2 comes before annotator10.
    const first = ({ gold }: Case): string => {
      const names = [...new Set(gold.map((item) => item.annotator ?? ''))];
      return names.find((name) => name === 'annotator2') ?? names[0] ?? '';
    };
    expect(plain.map(({ id }) => id)).toEqual(['EX-001', 'EX-002', 'EX-003', 'EX-004', 'EX-005']);
    expect(spans(plain, 'gold')).toHaveLength(77);
    expect(spans(plain, 'predicted')).toHaveLength(70);
    expect(spans(tables, 'gold')).toEqual(spans(plain, 'gold'));
    expect(spans(tables, 'predicted')).toEqual(spans(plain, 'predicted'));
    expect(sorted(spans(documents, 'gold', first))).toEqual(sorted(spans(plain, 'gold')));
    expect(sorted(spans(documents, 'predicted'))).toEqual(sorted(spans(plain, 'predicted')));
    expect(documents.map(({ text }) => text)).toEqual(plain.map(({ text }) => text));
  });

  it('is refused when its offsets are read in another unit', async () => {
    await expect(read(jsonl, { offsets: 'utf16' })).rejects.toThrow(/EX-002 .*offsets are read as utf16/);
  });

  it('has tagged tokens that read without problems', async () => {
    const cases = await read({ gold: 'pii/gold.bio', predictions: 'pii/predictions.bio' });
    expect(cases.map(({ id, gold, predicted }) => [id, gold.length, predicted.length])).toEqual([
      ['s1', 3, 3],
      ['s2', 2, 2],
      ['s3', 2, 2],
      ['s4', 0, 0],
      ['s5', 2, 2],
      ['s6', 3, 3],
    ]);
  });
});
