import { UsageError } from '../data/problems.ts';
import type { MeasureValue, Slice } from '../measure/results.ts';
import { planRecipe } from '../recipe/plan.ts';
import { suggestion } from '../prepare/setting-error.ts';
import type { LedgerRecord } from './ledger.ts';
import { readLedger, readRun } from './run-file.ts';
import type { Run } from './run.ts';

/** One value or several that a verdict may have, by field; without a field, any. `scheme: null` is the recipe's own pairing. */
export type VerdictFilter = {
  readonly [Field in 'case' | 'verdict' | 'rule' | 'label' | 'kind']?: string | readonly string[];
} & { readonly scheme?: string | null };

/** What can be asked of a run. */
export interface RunQueries {
  /** The number, null where it is undefined; overall, or of a slice: `run.value('f1', { label: 'LOC' })`. */
  value(name: string, slice?: Slice): number | null;
  /** The same with its n, interval, direction and the reason where it is undefined. */
  measure(name: string, slice?: Slice): MeasureValue;
  /** The lines of the ledger, one after another: `run.verdicts({ case: 'D03', verdict: ['missed', 'spurious'] })`. */
  verdicts(filter?: VerdictFilter): AsyncGenerator<LedgerRecord>;
}

/** Reads a run folder with the user code of its recipe, where that is named: a run folder does not hold code. */
export async function readRunWith(folder: string, recipe: string | object | undefined): Promise<Run> {
  const run = await readRun(folder);
  return recipe === undefined ? run : { ...run, definitions: (await planRecipe(recipe)).definitions };
}

/** Reads a run folder. */
export async function openRun(folder: string): Promise<Run & RunQueries> {
  const run = await readRun(folder);
  return { ...run, ...runQueries(run, (cases) => readLedger(folder, cases)) };
}

/** `ledger` may leave other cases out if it is given those that are wanted. */
export function runQueries(
  { measures: { measures } }: Run,
  ledger: (cases?: ReadonlySet<string>) => AsyncIterable<LedgerRecord>,
): RunQueries {
  const measure = (name: string, slice: Slice = {}): MeasureValue => {
    const named = measures.filter((one) => one.name === name);
    const keys = Object.entries(slice);
    const found = named.find(
      ({ slice: own }) =>
        Object.keys(own).length === keys.length && keys.every(([key, value]) => Reflect.get(own, key) === value),
    );
    if (found !== undefined) return found;
    const names = named.length === 0 ? measures.map((one) => one.name) : named.map((one) => JSON.stringify(one.slice));
    throw new UsageError(
      named.length === 0 ? `the run has no measure ${name}` : `${name} has no slice ${JSON.stringify(slice)}`,
      suggestion(named.length === 0 ? name : JSON.stringify(slice), [...new Set(names)], 'there are'),
    );
  };
  return {
    measure,
    value: (name, slice) => measure(name, slice).value,
    async *verdicts(filter = {}) {
      const { scheme, ...wanted } = filter;
      const cases = wanted.case === undefined ? undefined : new Set([wanted.case].flat());
      for await (const record of ledger(cases)) {
        const isWanted =
          (scheme === undefined || (record.scheme ?? null) === scheme) &&
          Object.entries(wanted).every(([field, value]) => [value].flat().includes(String(Reflect.get(record, field))));
        if (isWanted) yield record;
      }
    },
  };
}
