import type { MeasureValue } from '../../measure/results.ts';
import type { Run } from '../../score/run.ts';
import { figure } from '../../text/figures.ts';
import type { Check, NewFinding } from '../check.ts';
import { listed } from '../evidence.ts';
import { recordAt, type ResolvedRecipe } from '../recipe-parts.ts';
import { overallValues } from '../scores.ts';
import {
  betterSide,
  directionOfForm,
  directionOfWords,
  hasDirection,
  type PresetsSay,
  presetsSay,
} from './measured-direction.ts';

/** A number that is better when it looks worse is read the wrong way round. */
export const turnedDirection: Check = {
  name: 'turned-direction',
  about:
    'measures whose direction contradicts their name, what they count or the presets, and values outside their range',
  async find({ task, recipe, run }) {
    const forms = recordAt(recipe, 'measure');
    const presets = await presetsSay(run.manifest.recipe.name, task, forms);
    return overallValues(run).flatMap((value) => {
      const because = contradiction(value, forms, presets.get(value.name));
      const canTurn = hasDirection(forms[value.name], forms);
      return [because === null ? null : finding(run, value, because, canTurn), outside(value)];
    });
  },
};

/** Why the direction cannot be meant, as the end of a sentence. */
function contradiction(value: MeasureValue, forms: ResolvedRecipe, said: PresetsSay | undefined): string | null {
  const side = betterSide(value);
  // Where the best value lies between, either direction is only a way to sort.
  if (side === null) return null;
  const wanted = directionOfWords(value.name);
  if (wanted !== null && wanted !== side) return `its name says that ${wanted} is better`;
  if (said !== undefined && said.side !== side)
    return `the preset${said.presets.length === 1 ? '' : 's'} ${listed(said.presets)} say${said.presets.length === 1 ? 's' : ''} ${said.side}`;
  const counted = directionOfForm(forms[value.name], forms);
  return counted !== null && counted.direction !== side ? counted.because : null;
}

function finding(run: Run, value: MeasureValue, because: string, canTurn: boolean): NewFinding {
  const { name, direction, best } = value;
  const better = best === undefined ? `${direction} is better` : `nearer to ${best} is better`;
  return {
    severity: 'error',
    title: `The measure ${name} is set up so that ${better}, but ${because}`,
    why: `A comparison or a gate takes a change for the better where it is one for the worse${value.value === null ? '' : `; its value is ${figure(value.value)}`}.`,
    todo: todo(run, value, canTurn),
    subjects: [name],
  };
}

/** How to turn it back: without the `--set` line that turned it, where there is one. */
function todo({ manifest }: Run, { name, direction, best }: MeasureValue, canTurn: boolean): string {
  const line = manifest.recipe.set.find(
    (one) => one.startsWith(`measure.${name}.`) && /\.(?:direction|best)\s*=/.test(one),
  );
  const rename = 'give it the name of what it counts.';
  if (line !== undefined) return `Score without --set ${line}, or ${rename}`;
  if (best !== undefined) return `Take best out of it in the recipe, or ${rename}`;
  // A recall has no direction to set: only its name can be wrong.
  if (!canTurn) return 'Give it the name of what it counts.';
  return `Say direction: ${direction === 'higher' ? 'lower' : 'higher'} for it in the recipe, or ${rename}`;
}

function outside({ name, value, range: [low, high] }: MeasureValue): NewFinding | null {
  if (value === null || ((low === null || value >= low) && (high === null || value <= high))) return null;
  return {
    severity: 'error',
    title: `The value of ${name} is ${figure(value)}, which is outside the range that the recipe gives it (${low ?? 'any number'} to ${high ?? 'any number'})`,
    why: 'Either the field holds something else than the recipe says, such as per cent instead of shares, or the range is wrong. Gates and comparisons rely on it.',
    todo: 'Look at the field in the predictions, then correct the data or the range.',
    subjects: [name],
  };
}
