import { describe, expect, test } from 'vitest';

import { planRecipe } from '../../src/recipe/plan.ts';
import { recipeHash } from '../../src/score/signature.ts';
import { DOCUMENT_METRICS } from '../../src/stream/measure/metric-names.ts';
import { scoreWith } from './score-with.ts';
import { THREE } from './stream-cases.ts';

/** Which way is better, by name; percentiles go with their mean. */
const EXPECTED = {
  compression_ratio: 'higher',
  summary_count: 'lower',
  summary_ctu: 'lower',
  redundancy: 'lower',
  'redundancy_at_0.85': 'lower',
  'redundancy_at_0.90': 'lower',
  'redundancy_at_0.95': 'lower',
  trace_coverage: 'higher',
  coverage_at_250: 'higher',
  coverage_at_500: 'higher',
  coverage_at_1000: 'higher',
  coverage_at_2000: 'higher',
  unsupported_global: 'lower',
  unsupported_per_summary: 'lower',
  unsupported_in_window: 'lower',
  unsupported_in_contract: 'lower',
  ...family('summary_latency_ms', 'lower'),
  ...family('decision_latency_ms', 'lower'),
  llm_ctu_total: 'lower',
  decision_count: 'lower',
  decision_ctu: 'lower',
  schema_failure_rate: 'lower',
  schema_failures: 'lower',
  flush_count: 'lower',
  ...family('flush_ctu', 'higher'),
  ...family('flush_interval_ms', 'higher'),
  flushes_boundary_cue: 'lower',
  flushes_max_words: 'lower',
  flushes_silence_timer: 'lower',
  flushes_max_wait_timeout: 'lower',
  flushes_end_of_trace: 'lower',
  trace_ctu_per_s: 'higher',
  summary_ctu_per_s: 'lower',
  decision_latency_share: 'lower',
};

function family(name: string, direction: string): Record<string, string> {
  return Object.fromEntries(['', '_p50', '_p90', '_p95', '_p99'].map((end) => [`${name}${end}`, direction]));
}

test('stream/exaid has the measures of the seed by their names, in its order', async () => {
  const { measures } = await planRecipe('stream/exaid');
  expect(measures.map(({ name, direction }) => [name, direction])).toEqual(Object.entries(EXPECTED));
});

test('measures of stream/exaid carry the numbers of the seed, those of a family the number of their parent', async () => {
  const { measures } = await planRecipe('stream/exaid');
  const symbols = new Map(measures.map(({ name, symbol }) => [name, symbol]));
  for (const { metric, measure } of DOCUMENT_METRICS) expect(symbols.get(measure), measure).toBe(metric);
  for (const name of ['redundancy_at_0.85', 'redundancy_at_0.90', 'redundancy_at_0.95'])
    expect(symbols.get(name), name).toBe('M3');
  expect(symbols.get('coverage_at_500')).toBe('M4');
  expect(symbols.get('decision_latency_ms_p95')).toBe('M7');
  expect(symbols.get('flush_count')).toBeUndefined();
});

test('a symbol is a word for reports: it is carried by the values and changes no signature', async () => {
  const set = 'measure.compression_ratio.symbol=CR';
  const [plain, renamed] = [await planRecipe('stream/exaid'), await planRecipe('stream/exaid', [set])];
  expect(recipeHash(renamed)).toBe(recipeHash(plain));
  expect((await scoreWith('stream/exaid', THREE)).measure('compression_ratio').symbol).toBe('M1');
});

/** Worked out by hand from the three cases. Cases a and b have summaries, only a has flushes. */
const BY_HAND: readonly [string, number, number, string?][] = [
  // 1 - 300/1000, 1 - 500/500, 1 - 0/200.
  ['compression_ratio', (0.7 + 0 + 1) / 3, 3],
  ['summary_count', 4 / 3, 3],
  ['summary_ctu', 800 / 3, 3, 'CTU'],
  // 0.85 of a, 0 of b.
  ['redundancy', 0.425, 2],
  ['redundancy_at_0.85', 1 / 2, 2],
  ['redundancy_at_0.90', 0, 2],
  // 2 of 4, 1 of 2, 0 of 1.
  ['trace_coverage', 1 / 3, 3],
  // C1 of a alone; then C1 and C2 of a, and C1 of b at 500 itself.
  ['coverage_at_250', (1 / 4 + 0 + 0) / 3, 3],
  ['coverage_at_500', 1 / 3, 3],
  // C9 of the three of a; b has one, supported; c has none.
  ['unsupported_global', (1 / 3 + 0) / 2, 2],
  ['unsupported_per_summary', (0.25 + 0) / 2, 2],
  ['unsupported_in_window', (0.5 + 0.25) / 2, 2],
  ['unsupported_in_contract', (0.25 + 0) / 2, 2],
  // (1000 + 2000 + 600 + 400) / 4; the percentiles of each of a and b, then their mean.
  ['summary_latency_ms', 1000, 4, 'ms'],
  ['summary_latency_ms_p50', (1500 + 500) / 2, 2, 'ms'],
  ['summary_latency_ms_p90', (1900 + 580) / 2, 2, 'ms'],
  ['decision_latency_ms', 1000, 2, 'ms'],
  ['decision_latency_ms_p50', 1000, 1, 'ms'],
  // a: 400 + 110 + 500 + 210 + 60 + 70 + 70; b: 600 + 500; c: 0.
  ['llm_ctu_total', (1420 + 1100 + 0) / 3, 3, 'CTU'],
  ['decision_count', 1, 3],
  ['decision_ctu', 200 / 3, 3, 'CTU'],
  ['schema_failure_rate', 1 / 4, 4],
  ['schema_failures', 1, 1],
  ['flush_count', 1, 3],
  ['flush_ctu', 90, 3, 'CTU'],
  ['flush_ctu_p50', 100, 1, 'CTU'],
  ['flush_interval_ms', 4000, 2, 'ms'],
  ['flush_interval_ms_p50', 4000, 1, 'ms'],
  ['flushes_boundary_cue', 2 / 3, 3],
  ['flushes_max_words', 0, 3],
  ['flushes_end_of_trace', 1 / 3, 3],
  // 1000 / 20, 500 / 10, 200 / 5.
  ['trace_ctu_per_s', 140 / 3, 3, 'CTU/s'],
  ['summary_ctu_per_s', (15 + 50 + 0) / 3, 3, 'CTU/s'],
  // 2000 of 6000 ms.
  ['decision_latency_share', 1 / 3, 6],
];

describe('by hand', () => {
  test.each(BY_HAND)('%s is %d, n %i', async (name, value, n, unit) => {
    const found = (await scoreWith('stream/exaid', THREE)).measure(name);
    expect(found.unit).toBe(unit);
    expect(found.n).toBe(n);
    expect(found.value).toBeCloseTo(value, 12);
  });

  test('what was left out is said', async () => {
    const { measure } = await scoreWith('stream/exaid', THREE);
    expect(measure('unsupported_in_window').note).toBe(
      '1 of 3 cases left out: undefined; 1 of 4 summary items without a number in unsupported_in_window',
    );
    expect(measure('decision_latency_ms').note).toBe('1 of 3 decision items without a number in latency_ms');
    expect(measure('summary_count').note).toBeNull();
  });

  test('a variant that makes no decisions and no flushes has no latency of them, and a count of 0', async () => {
    const { measure } = await scoreWith('stream/exaid', THREE.slice(1));
    expect(measure('decision_latency_ms').undefined).toBe('there are no decision items with a number in latency_ms');
    expect(measure('decision_count')).toMatchObject({ value: 0, n: 2 });
    expect(measure('decision_latency_share').value).toBe(0);
    expect(measure('flush_ctu').value).toBeNull();
    expect(measure('flush_count').value).toBe(0);
  });
});

describe('the section stream', () => {
  const names = async (recipe: string | object, ...set: string[]): Promise<string[]> =>
    (await planRecipe(recipe, set)).measures.map(({ name }) => name);

  test('has usual values; budgets and similarities are measures', async () => {
    const plan = await planRecipe({ task: 'stream', measure: { all: { of: 'recall', kind: 'concept' } } });
    expect(plan.stream).toEqual({ join: 'concat', budgets: [250, 500, 1000, 2000], redundancy: [0.85, 0.9, 0.95] });
    expect(plan.resolved).toMatchObject({ stream: plan.stream });
    expect(plan.measures.map(({ name }) => name)).toEqual([
      'all',
      'redundancy_at_0.85',
      'redundancy_at_0.90',
      'redundancy_at_0.95',
      'coverage_at_250',
      'coverage_at_500',
      'coverage_at_1000',
      'coverage_at_2000',
    ]);
  });

  test('other lists are other measures', async () => {
    const found = await names('stream/exaid', 'stream.budgets=[100]', 'stream.redundancy=[0.875]');
    expect(found.filter((name) => /_at_/.test(name))).toEqual(['redundancy_at_0.875', 'coverage_at_100']);
  });

  test('what a recipe says of such a measure itself goes before, also that it is off', async () => {
    const own = { kind: 'concept', of: 'recall' };
    const recipe = {
      task: 'stream',
      stream: { budgets: [1, 2, 3], redundancy: [] },
      measure: { coverage_at_1: own, coverage_at_3: 'off' },
    };
    const { measures, resolved } = await planRecipe(recipe);
    expect(measures.map(({ name }) => name)).toEqual(['coverage_at_1', 'coverage_at_2']);
    expect(resolved).toMatchObject({ measure: { coverage_at_1: own } });
  });

  test('is of stream recipes alone', async () => {
    await expect(planRecipe({ task: 'pii', stream: {} })).rejects.toThrow(
      'stream: a recipe for spans has no such section',
    );
    await expect(planRecipe({ task: 'stream', stream: { join: 'tab' } })).rejects.toThrow(
      'stream.join: expected one of concat, space',
    );
    expect((await planRecipe('pii/strict')).stream).toBeNull();
    expect((await planRecipe('pii/strict')).resolved).not.toHaveProperty('stream');
  });
});

describe('kinds of items', () => {
  test('a measure may name what is logged, and nothing that the task does not have', async () => {
    const recipe = (measure: object) => ({ task: 'stream', measure: { m: measure } });
    const count = (kind: string) => ({ of: 'item-count', kind, direction: 'lower' });
    await expect(planRecipe(recipe(count('flush')))).resolves.toBeDefined();
    await expect(planRecipe(recipe(count('flsh')))).rejects.toThrow('measure.m.kind: there is no kind of item called');
    await expect(planRecipe(recipe({ of: 'case-mean', measure: count('span') }))).rejects.toThrow(
      'measure.m.measure.kind: there is no kind of item called span',
    );
    await expect(
      planRecipe(recipe({ of: 'ratio', over: { kind: 'x', field: 'a' }, under: { field: 'b' }, direction: 'lower' })),
    ).rejects.toThrow('measure.m.over.kind');
    await expect(
      planRecipe(recipe({ of: 'field-mean', kinds: ['summary', 'entity'], field: 'a', direction: 'lower' })),
    ).rejects.toThrow('there is no kind of item called entity');
    await expect(planRecipe({ task: 'pii', measure: { m: count('flush') } })).rejects.toThrow(
      'there is no kind of item',
    );
  });

  test('only kinds that have gold have pair settings', async () => {
    await expect(planRecipe({ task: 'stream', pair: { concept: { normalise: ['lower'] } } })).resolves.toBeDefined();
    await expect(planRecipe({ task: 'stream', pair: { summary: {} } })).rejects.toThrow(
      'pair.summary: there is no setting called summary',
    );
    await expect(planRecipe({ task: 'stream', pair: { span: {} } })).rejects.toThrow(
      'a recipe for stream has no items of this kind',
    );
  });
});

describe('limits and concepts', () => {
  test('limits are words for the report', async () => {
    const plan = await planRecipe('stream/exaid');
    expect(plan.limits).toMatch(/No clinical outcome is claimed/);
    expect(plan.resolved['limits']).toBe(plan.limits);
    expect((await planRecipe('pii/strict')).limits).toBeNull();
  });

  test('a program lays whole sections over a recipe, after the --set lines', async () => {
    const concepts = { name: 'linker', version: '1', settings: { 'C+': null, stoplists: false } };
    const recipe = { extends: 'stream/exaid', concepts: { name: 'other', threshold: 0.7 } };
    const plan = await planRecipe(recipe, ['concepts.version=2'], { concepts });
    // Nothing of what the recipe said of it stays: it was not what ran.
    expect(plan.concepts).toEqual(concepts);
    expect(plan.resolved['concepts']).toEqual(concepts);
    expect((await planRecipe(recipe)).concepts).toEqual({ name: 'other', threshold: 0.7 });
    expect((await planRecipe('stream/exaid')).concepts).toBeNull();
  });
});
