import { isRecord } from '../../data/record-fields.ts';
import { type Threshold, thresholdFor } from '../../pair/criterion.ts';
import { loadRecipe } from '../../recipe/load.ts';
import type { Plan } from '../../recipe/plan.ts';
import { parseAssignment } from '../../recipe/set-value.ts';
import { canonicalJson } from '../../score/canonical-json.ts';

/** What the recipe says at a path, or falls back to where it says nothing; undefined where that is not one value. */
export function ownSetting(recipe: string | object, set: readonly string[], plan: Plan, path: string): unknown {
  const loaded: unknown = loadRecipe(recipe, set).recipe;
  const { path: steps } = parseAssignment(loaded, `${path}=`);
  const of = (own: readonly string[]): unknown =>
    valueAt(loaded, own) ?? (own[0] === 'pair' ? pairDefault(plan, own.slice(1)) : valueAt(plan.resolved, own));
  const said = of(steps);
  if (said !== undefined || steps.at(-2) !== 'threshold') return said;
  // A label without a threshold of its own has that of the others.
  const threshold = of(steps.slice(0, -1));
  return isThreshold(threshold) ? thresholdFor(threshold, steps.at(-1)!) : undefined;
}

function isThreshold(value: unknown): value is Threshold {
  return typeof value === 'number' || (isRecord(value) && Object.values(value).every((one) => typeof one === 'number'));
}

function valueAt(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return value;
  return isRecord(value) && Object.hasOwn(value, step) ? valueAt(value[step], rest) : undefined;
}

/** Pairing is resolved kind by kind, with its criteria in a list: one value where all of them agree. */
function pairDefault({ schemes }: Plan, steps: readonly string[]): unknown {
  const found = [...(schemes[0]?.pair ?? [])].flatMap(([kind, settings]) => {
    const own = steps[0] === kind ? steps.slice(1) : steps;
    return [settings, ...settings.accept].map((part) => valueAt(part, own)).filter((value) => value !== undefined);
  });
  return new Set(found.map(canonicalJson)).size === 1 ? found[0] : undefined;
}
