import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { score } from '../../src/index.ts';
import { figure } from '../../src/text/figures.ts';
import { ROOT } from '../cli/run-assay.ts';

const CASES = join(ROOT, 'examples/pii/docs.json');
const page = (name: string): string => readFileSync(join(ROOT, 'docs', name), 'utf8');
const scored = (set: readonly string[], recipe = 'pii/piranha') =>
  score(recipe, { cases: CASES }, { set: ['interval=off', ...set] });
const f1 = async (set: readonly string[], recipe?: string): Promise<string> =>
  figure((await scored(set, recipe)).value('f1') ?? NaN);

it('docs/trust.md has the averages of the bundled example', async () => {
  const run = await scored([]);
  const text = (value: number | null | undefined): string => figure(value ?? NaN);
  const [micro, macro] = [text(run.value('recall')), text(run.value('macro_recall'))];
  const mean = text(run.measure('recall')?.cases?.mean);
  expect(page('trust.md')).toContain(`is ${micro} micro, ${macro} macro and ${mean} as a mean over documents`);
});

it('docs/trust.md has the scores without single rules', async () => {
  const all = await scored(['judge.excuse-missed=off']);
  expect(page('trust.md')).toContain(
    `(\`--set judge.excuse-missed=off\`), recall is ${figure(all.value('recall') ?? NaN)}`,
  );
  expect(page('trust.md')).toContain(`\`loc-in-org\`; without it F1 is ${await f1(['judge.loc-in-org=off'])}`);
});

it('docs/tasks/pii.md has the score without each rule', async () => {
  const rules: readonly (readonly [string, string])[] = [
    ['loc-in-org', 'judge.loc-in-org=off'],
    ['excuse-missed', 'judge.excuse-missed=off'],
    ['excuse-overlap', 'judge.excuse-overlap=off'],
    ['merge', 'prepare.merge=off'],
    ['tolerance', 'pair.tolerance=0'],
    ['relabel', 'prepare.relabel=off'],
  ];
  const without = await Promise.all(rules.map(async ([name, set]) => `\`${name}\` ${await f1([set])}`));
  expect(page('tasks/pii.md')).toContain(`F1 ${await f1([])}): without ${without.join(', ')} (`);
  expect(page('tasks/pii.md')).toContain(
    `\`examples/pii\` ${await f1([], 'pii/piranha-as-coded')} instead of ${await f1([])}.`,
  );
});
