import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll } from 'vitest';

import type { Case } from '../../src/data/case.ts';
import { noNotices } from '../../src/data/item-check.ts';
import type { Fields, Item } from '../../src/data/item.ts';
import type { CaseReader } from '../../src/data/read-cases.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import type { Run } from '../../src/score/run.ts';
import { scoreToFolder } from '../../src/score/score-to-folder.ts';
import { caseOf, span } from '../pair/items.ts';
import type { Counts } from '../stats/made-up-counts.ts';

const TEXT = 'abc '.repeat(60);

export interface MadeCase {
  readonly fields?: Fields;
  readonly failed?: string;
}

/** A case with so many hits, spurious and missed spans of each label; gold is found first to last. */
export function spansCase(id: string, counts: Counts | Readonly<Record<string, Counts>>, made: MadeCase = {}): Case {
  const gold: Item[] = [];
  const predicted: Item[] = [];
  let next = 0;
  const byLabel = isCounts(counts) ? { X: counts } : counts;
  for (const [label, [hit, spurious, missed]] of Object.entries(byLabel)) {
    const place = (): Item => span(4 * next, 4 * next++ + 3, label);
    // Gold takes its places whatever was found: two systems' cases then have the same gold.
    const right = Array.from({ length: hit + missed }, place);
    gold.push(...right);
    predicted.push(...right.slice(0, hit));
    next = Math.ceil((next + 1) / 10) * 10;
    predicted.push(...Array.from({ length: spurious }, place));
    next = Math.ceil((next + 1) / 10) * 10;
  }
  return caseOf({ id, text: TEXT, gold, predicted, ...made });
}

function isCounts(counts: Counts | Readonly<Record<string, Counts>>): counts is Counts {
  return Array.isArray(counts);
}

/** Cases c01, c02, … of one label. */
export function spansCases(rows: readonly Counts[], made: (at: number) => MadeCase = () => ({})): Case[] {
  return rows.map((row, at) => spansCase(`c${String(at + 1).padStart(2, '0')}`, row, made(at)));
}

export const SPANS = {
  task: 'pii',
  pair: { gate: ['label'], similarity: 'exact' },
  measure: ['precision', 'recall', 'f1'],
  slice: ['label'],
} as const;

export interface ScoredOptions {
  readonly recipe?: string | object;
  readonly set?: readonly string[];
}

/** Scores cases into a folder of that name; all folders are gone when the file's tests end. */
export function folders(): (name: string, cases: readonly Case[], options?: ScoredOptions) => Promise<Run> {
  const parent = mkdtempSync(join(tmpdir(), 'assay-test-'));
  afterAll(() => rmSync(parent, { recursive: true, force: true }));
  return async (name, cases, { recipe = SPANS, set = [] } = {}) => {
    const plan = await planRecipe(recipe, ['interval.resamples=500', ...set]);
    return scoreToFolder(plan, readerOf(cases), { out: join(parent, name), set });
  };
}

function readerOf(cases: readonly Case[]): CaseReader {
  return {
    async *[Symbol.asyncIterator]() {
      yield* cases;
    },
    files: () => [],
    notices: noNotices(),
  };
}

/** Scores several sets of cases alike; the folders of the runs, in their order. */
export function eachOf(scored: ReturnType<typeof folders>) {
  return async (
    name: string,
    sets: readonly (readonly Case[])[],
    options?: ScoredOptions,
  ): Promise<[string, string, ...string[]]> => {
    const runs = await Promise.all(sets.map((cases, at) => scored(`${name}-${'abcdef'[at]!}`, cases, options)));
    const [first = '', second = '', ...rest] = runs.map(({ folder }) => folder);
    return [first, second, ...rest];
  };
}
