import type { Item } from '../../../src/data/item.ts';
import { makeVerdict, type Verdict } from '../../../src/judge/verdict.ts';
import { planRecipe } from '../../../src/recipe/plan.ts';
import type { Repeated, RepeatedRun } from '../../../src/compare/repeats/read-runs.ts';
import { numbered } from '../../pair/items.ts';

type RepeatedQuestion = Pick<Repeated, 'plan' | 'hasGold'>;

/** What a recipe asks of its runs. */
export async function questionOf(
  recipe: string | object,
  set: readonly string[] = [],
  hasGold = false,
): Promise<RepeatedQuestion> {
  return { plan: await planRecipe(recipe, set), hasGold };
}

/** A run that predicted these items in these cases; without gold every one of them stands for itself. */
export function runOf(name: string, cases: Readonly<Record<string, readonly Item[]>>): RepeatedRun {
  return {
    name,
    predicted: name,
    cases: new Map(
      Object.entries(cases).map(([id, items]) => [
        id,
        { failed: null, answered: true, verdicts: numbered(items).map((item) => spurious(id, item)) },
      ]),
    ),
  };
}

export function spurious(id: string, item: Item): Verdict {
  return makeVerdict({
    case: id,
    scheme: null,
    kind: item.kind,
    verdict: 'spurious',
    rule: 'no-match',
    label: item.label,
    predicted: item,
  });
}

/** Runs of one case each, ready to be compared. */
export function repeatedCase(question: RepeatedQuestion, runs: readonly (readonly Item[])[]): Repeated {
  return { ...question, runs: runs.map((items, at) => runOf(`run ${at + 1}`, { c1: items })), notices: [] };
}
