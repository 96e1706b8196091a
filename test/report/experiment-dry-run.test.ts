import { expect, it } from 'vitest';

import { displayWidth } from '../../src/report/display-width.ts';
import { type DryRunPlan, dryRunDocument } from '../../src/report/experiment-dry-run.ts';
import { renderTerminal } from '../../src/report/render-terminal.ts';
import { makeStyle, type Style } from '../../src/report/style.ts';
import { madeUpSummary } from './experiment-made-up.ts';
import { dangerous, HOSTILE } from './made-up-run.ts';

const plan: DryRunPlan = {
  name: 'baseline-v1',
  folder: 'runs/baseline-v1',
  dataset: { name: 'extraction-eval', backend: 'local', version: 'v3', items: 1000 },
  repeats: 1,
  target: madeUpSummary().target,
  identity: '9b1f0c22d4e8',
  items: { answered: 120, failed: 4, cached: 200, toCall: 676, leftOut: 0 },
  preview: { item: 'i1', text: 'Extract.\n\nAda met Charles.' },
  characters: 2_600_002,
  prices: { input: 2, output: 10 },
  longestAnswer: 1000,
  limits: { concurrency: 8, retries: 1, timeoutSeconds: 60 },
  budget: { cost: 10, tokens: 1_000_000, seconds: 7200 },
  recipe: 'graph/openspec',
  publish: null,
};
const dryRunText = (own: DryRunPlan, style: Style): string => renderTerminal(dryRunDocument(own), style);
const lineWith = (part: string, more: Partial<DryRunPlan> = {}): string | undefined =>
  dryRunText({ ...plan, ...more }, makeStyle({ width: 200 }))
    .split('\n')
    .find((line) => line.startsWith(part));

it('says what would be called, and what is there already', () => {
  expect(lineWith('Calls')).toBe('Calls      676 to make; 120 answered before, 4 failed before, 200 from the cache');
  const all = { answered: 0, failed: 0, cached: 0, toCall: 10, leftOut: 990 };
  expect(lineWith('Calls', { items: all })).toBe('Calls      10 to make; 990 left out');
  expect(lineWith('Identity')).toBe('Identity   9b1f0c22d4e8');
  expect(lineWith('Nothing was called')).toBeDefined();
});

it('estimates tokens from characters, and says that this is rough', () => {
  // 2,600,002 / 4, rounded up.
  expect(lineWith('Input')).toBe('Input      about 650,001 tokens, roughly: 2,600,002 characters at 4 a token');
  expect(lineWith('Input', { characters: null })).toContain('not known');
});

it('estimates the cost where prices are known', () => {
  // 0.650001 million at 2; 676 answers of 1,000 tokens are 0.676 million at 10.
  expect(lineWith('Cost')).toBe(
    'Cost       about 1.30 for the input, roughly; answers come on top, at most 6.76 if all are as long as they may be',
  );
  expect(lineWith('Cost', { longestAnswer: null })).toMatch(/answers come on top$/);
  expect(lineWith('Cost', { prices: null })).toBe('Cost       not known: no prices were given');
  expect(lineWith('Cost', { characters: null })).toContain('not known');
  const none = { answered: 1000, failed: 0, cached: 0, toCall: 0, leftOut: 0 };
  expect(lineWith('Cost', { items: none })).toBe('Cost       none: no call is to be made');
});

it('shows that it would be batched, at which price, and estimates by it', () => {
  const batch = { only: false, factor: 0.5 };
  expect(lineWith('Batch')).toBeUndefined();
  expect(lineWith('Batch', { batch })).toBe(
    'Batch      by the batch endpoint of the provider, at 0.5 of the price; what a batch does not answer is asked by single calls',
  );
  expect(lineWith('Batch', { batch: { only: true, factor: 0.4 } })).toMatch(
    /at 0\.4 .* what a batch does not answer fails$/,
  );
  expect(lineWith('Cost', { batch })).toContain(
    'about 0.650 for the input, roughly; answers come on top, at most 3.38',
  );
  expect(lineWith('Limits', { batch })).toBe(
    'Limits     8 items in batches at once; single calls: 1 retry, 1 min for an answer',
  );
});

it('names limits, budget, recipe and place', () => {
  expect(lineWith('Limits')).toBe('Limits     8 calls at once, 1 retry, 1 min for an answer');
  expect(lineWith('Budget')).toBe('Budget     cost 10.00, 1,000,000 tokens, 2 h');
  expect(lineWith('Budget', { budget: { cost: null, tokens: null, seconds: null } })).toBe('Budget     none');
  expect(lineWith('Published')).toBe('Published  nowhere');
  expect(lineWith('Scored by', { recipe: null })).toBe('Scored by  nothing: outputs only');
});

it('shows how the first item would be asked, shortened', () => {
  expect(dryRunText(plan, makeStyle())).toMatch(/How i1 would be asked\n {2}Extract\.\n {2}Ada met Charles\.\n$/);
  const long = dryRunText({ ...plan, preview: { item: 'i1', text: 'word '.repeat(1000) } }, makeStyle());
  expect(long.split('\n').length).toBeLessThan(40);
  expect(long).toContain('… shortened: 5,000 characters in all');
  expect(dryRunText({ ...plan, preview: null }, makeStyle())).not.toContain('would be asked');
});

it('fits the terminal and sends it nothing that it would act on', () => {
  const preview = { item: HOSTILE, text: `${HOSTILE}${'x'.repeat(500)}` };
  const hostile = {
    ...plan,
    name: HOSTILE,
    folder: HOSTILE,
    identity: HOSTILE,
    recipe: HOSTILE,
    publish: HOSTILE,
    preview,
    dataset: { name: HOSTILE, backend: 'local', version: HOSTILE, items: 1 },
  };
  const text = dryRunText(hostile, makeStyle({ terminal: true, colour: true }));
  expect(dangerous(text)).toEqual([]);
  for (const line of dryRunText(hostile, makeStyle({ terminal: true })).split('\n'))
    expect(displayWidth(line), line).toBeLessThanOrEqual(80);
});
