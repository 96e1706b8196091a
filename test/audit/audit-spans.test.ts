import { describe, expect, test } from 'vitest';

import type { Case } from '../../src/data/case.ts';
import { readCases } from '../../src/data/read-cases.ts';
import { memorySource } from '../../src/data/source.ts';
import { isSpanCase } from '../../src/data/span-case.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { runsHere } from '../many-runs.ts';
import { auditOf, readerOf } from './audited.ts';
import { FILES, linesOf } from './span-files.ts';

const RECIPES: readonly (readonly [string, ...string[]])[] = [
  ['pii/strict'],
  ['pii/semeval'],
  ['pii/iou'],
  ['pii/partial', 'pair.partial=0.3'],
  ['pii/strict', 'primary=[macro_f1]'],
  ['pii/exact', 'zeroDivision=1'],
];

function fileOf(...given: Parameters<typeof linesOf>): string {
  return `${linesOf(...given).join('\n')}\n`;
}

describe('an audit of plain spans', () => {
  test.each(Object.keys(FILES).flatMap((name) => [false, true].map((isMixed) => [name, isMixed] as const)))(
    'is what it is of items and verdicts: %s, mixed %s',
    async (name, isMixed) => {
      for (const [recipe, ...set] of RECIPES.slice(0, runsHere(RECIPES.length))) {
        const plan = await planRecipe(recipe, ['interval=off', ...set]);
        const file = fileOf(FILES[name]!, 120, isMixed);
        const cases = await Array.fromAsync(readCases({ cases: memorySource('d.jsonl', file) }, plan.data));
        expect(cases.filter(isSpanCase).length).toBeGreaterThan(isMixed ? 40 : 60);
        const audit = (some: readonly Case[]) => auditOf(plan, readerOf(some));
        // A copy is a case like any other.
        expect(await audit(cases), `${recipe} ${set.join(' ')}`).toEqual(await audit(cases.map((one) => ({ ...one }))));
      }
    },
  );

  test('makes no items of an ordinary case', async () => {
    const plan = await planRecipe('pii/strict', ['interval=off']);
    const file = fileOf(
      (draw, at) => {
        const text = `Case ${at}: Ann went to “Łódź” and don't ask ${'why '.repeat(at)} or "when" ${draw(99)}.`;
        const gold = [at, at + 8, at + 8, at + 20].map((start) => ({ start, end: start + 4, label: 'AB'[start % 2]! }));
        return { text, gold, predicted: gold.slice(0, 3).concat({ start: at + 3, end: at + 9, label: 'A' }) };
      },
      50,
      false,
    );
    const cases = await Array.fromAsync(readCases({ cases: memorySource('d.jsonl', file) }, plan.data));
    const made: string[] = [];
    const watched = cases.map((given) => {
      for (const name of ['gold', 'predicted'] as const) {
        const get = Object.getOwnPropertyDescriptor(given, name)!.get!;
        Object.defineProperty(given, name, {
          get: (): unknown => {
            made.push(`${given.id} ${name}`);
            return get.call(given);
          },
        });
      }
      return given;
    });
    await auditOf(plan, readerOf(watched));
    expect(made).toEqual([]);
  });
});
