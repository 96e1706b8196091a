import type { Verdict } from '../judge/verdict.ts';
import type { Measure } from '../measure/measure.ts';
import type { CaseFacts } from '../measure/results.ts';
import { Tally } from '../measure/tally.ts';
import type { Run } from '../score/run.ts';
import type { AuditMaterial } from './check.ts';
import { primaryNames } from './recipe-parts.ts';

/** The measures that come first: those that the recipe names, else its first F1, else its first measure. */
export function primaryMeasures(
  measures: readonly Measure[],
  recipe: Readonly<Record<string, unknown>>,
): readonly Measure[] {
  const named = primaryNames(recipe).flatMap((name) => measures.find((measure) => measure.name === name) ?? []);
  if (named.length > 0) return named;
  const first =
    measures.find(({ name }) => name === 'f1') ?? measures.find(({ name }) => name.endsWith('_f1')) ?? measures[0];
  return first === undefined ? [] : [first];
}

/** What each unit adds to the primary measures, and to nothing else: a second copy of all sums would be too much. */
export class PrimarySums {
  readonly #measures: readonly Measure[];
  readonly #tally: Tally;

  constructor(measures: readonly Measure[], recipe: Readonly<Record<string, unknown>>) {
    this.#measures = primaryMeasures(measures, recipe);
    this.#tally = new Tally(this.#measures, []);
  }

  add(facts: CaseFacts, verdicts: readonly Verdict[]): void {
    this.#tally.add(facts, null, verdicts);
  }

  /** The first of the measures that has a value in the run. */
  of(run: Run): AuditMaterial['primary'] {
    const valued = new Set(
      run.measures.measures.flatMap(({ name, slice, value }) =>
        value !== null && Object.keys(slice).length === 0 ? [name] : [],
      ),
    );
    const measure = this.#measures.find(({ name }) => valued.has(name));
    const sums = this.#tally.groups()[0]?.table;
    return measure === undefined || sums === undefined ? null : { measure, sums };
  }
}
