import { describe, expect, test } from 'vitest';

import { fileSource } from '../../src/data/source.ts';
import type { MeasureValue } from '../../src/measure/results.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import type { SystemRun } from '../../src/compare/compare-systems.ts';
import { evaluateSystems } from '../../src/review/evaluation.ts';
import { noReference, referencePath } from './reference-data.ts';

const SYSTEMS = ['vanilla_llm', 'single_agent_rag', 'ayurmind'];

async function scored(preset: string, ...set: string[]): Promise<readonly SystemRun[]> {
  const plan = await planRecipe(preset, [...set, 'interval=off']);
  const files = {
    cases: fileSource(referencePath('consult/evaluation_cases.csv')),
    systems: SYSTEMS.map((system) => ({
      system,
      source: fileSource(referencePath(`consult/results_${system}.jsonl`)),
    })),
  };
  return (await evaluateSystems(plan, files, null, { out: null, keepCases: true })).systems;
}

function overall({ run }: SystemRun, name: string): MeasureValue {
  return run.measures.measures.find((value) => value.name === name && Object.keys(value.slice).length === 0)!;
}

/** A percentage as the original program prints it. */
const percent = (value: MeasureValue): string => ((value.value ?? Number.NaN) * 100).toFixed(2);

describe.skipIf(noReference)('consultations, against the figures of the original program', () => {
  test('accuracy over all rows', async () => {
    const systems = await scored('consult/as-coded');
    const accuracy = systems.map((system) => overall(system, 'accuracy'));
    expect(accuracy.map(percent)).toEqual(['15.00', '42.50', '10.00']);
    expect(accuracy.map(({ n }) => n)).toEqual([40, 40, 40]);
  });

  test('completeness by its substrings', async () => {
    const systems = await scored('consult/as-coded');
    // 25.94, 47.50 and 45.62 as the original prints them, with half to even.
    expect(systems.map((system) => overall(system, 'completeness').value)).toEqual([83 / 320, 0.475, 0.45625]);
    const complete = systems.map((system) => overall(system, 'complete_share'));
    expect(complete.map(({ value, n }) => [Math.round((value ?? 0) * n), n])).toEqual([
      [0, 40],
      [4, 40],
      [4, 40],
    ]);
  });

  test('completeness by words, that are not denied and have what they need; without both rules as it was', async () => {
    const counts = async (...off: string[]): Promise<unknown> =>
      (await scored('consult/ayurmind', ...off.map((name) => `prepare.find-components.${name}=off`))).map((system) =>
        Math.round((overall(system, 'completeness').value ?? 0) * 320),
      );
    // Of 320 components: 0.256, 0.375 and 0.356, where words alone give 0.388, 0.588 and 0.534.
    expect(await counts()).toEqual([82, 120, 114]);
    expect(await counts('denials', 'needs')).toEqual([124, 188, 171]);
  });

  test('without Unknown and Multiple: 0, 14 and 1 of 33', async () => {
    const systems = await scored('consult/ayurmind');
    const accuracy = systems.map((system) => overall(system, 'accuracy'));
    expect(accuracy.map(({ value, n }) => [Math.round((value ?? 0) * n), n])).toEqual([
      [0, 33],
      [14, 33],
      [1, 33],
    ]);
  });
});
