import { isRecord } from '../../data/record-fields.ts';
import { directionOfWords } from '../../formats/direction-of-words.ts';
import type { Direction, Measure } from '../../measure/measure.ts';
import type { MeasureValue } from '../../measure/results.ts';
import { planRecipe } from '../../recipe/plan.ts';
import { presetNamed, presetNames, presetTask } from '../../recipe/presets.ts';
import type { Run } from '../../score/run.ts';
import { figure } from '../../text/figures.ts';
import type { AuditCheck, NewFinding } from '../check.ts';
import { entryOf, formatList } from '../evidence.ts';
import { innermostForm, recordAt, type ResolvedRecipe as Forms } from '../recipe-parts.ts';
import { overallValues } from '../totals.ts';

export const invertedDirection: AuditCheck = {
  name: 'inverted-direction',
  about:
    'measures whose direction contradicts their name, what they count or the presets, and values outside their range',
  severity: 'Error',
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
function contradiction(value: MeasureValue, forms: Forms, said: PresetsSay | undefined): string | null {
  const side = betterSide(value);
  // If the best value is in between, either direction is only a way to sort.
  if (side === null) return null;
  const wanted = directionOfWords(value.name);
  if (wanted !== null && wanted !== side) return `its name implies that ${wanted} is better`;
  const presets = said?.presets ?? [];
  if (said !== undefined && said.side !== side)
    return `the preset${presets.length === 1 ? '' : 's'} ${formatList(presets)} say${presets.length === 1 ? 's' : ''} ${said.side}`;
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
    words: 'turned-direction/outside',
    subjects: [name],
  };
}

/** Which way is better, and what the form counts, as the end of a sentence. */
type FormDirection = Readonly<{ direction: Direction; because: string }>;

/** Forms without a direction to set: more is better. */
const SHARES_OF_RIGHT = new Set(['precision', 'recall', 'f1', 'accuracy', 'evidence-coverage', 'entity-recall']);

/** Which way is better by what a measure counts, whatever its recipe states; null if that is unknown. */
function directionOfForm(given: unknown, forms: Forms): FormDirection | null {
  const form = innermostForm(given, forms);
  const { of, verdict, field, complement, over } = form;
  if (of === 'verdict-share' || of === 'count') {
    if (verdict === 'hit') return { direction: 'higher', because: 'it counts hits, of which more is better' };
    if (verdict !== 'missed' && verdict !== 'spurious') return null;
    return { direction: 'lower', because: `it counts ${verdict} items, of which fewer is better` };
  }
  if (of === 'case-share') return directionOfCases(form, forms);
  if (typeof of === 'string' && SHARES_OF_RIGHT.has(of))
    return { direction: 'higher', because: `it is a ${of}, of which more is better` };
  const inner =
    of === 'ratio' && isRecord(over) ? over['field'] : of === 'field-mean' || of === 'field-total' ? field : null;
  const direction = typeof inner === 'string' ? directionOfWords(inner) : null;
  if (direction === null || complement === true) return null;
  const better = `of which ${direction === 'higher' ? 'more' : 'less'} is better`;
  return { direction, because: `it adds up the field ${String(inner)}, ${better}` };
}

/** Whether a recipe can say which way is better for such a measure. */
function hasDirection(given: unknown, forms: Forms): boolean {
  const { of } = innermostForm(given, forms);
  return typeof of === 'string' && !SHARES_OF_RIGHT.has(of) && of !== 'over-extraction' && of !== 'mean';
}

/** A share of cases on the good side of a bound is better the larger it is; of those on the bad side, the smaller. */
function directionOfCases({ measure, atLeast, atMost }: Forms, forms: Forms): FormDirection | null {
  const limit = atLeast ?? atMost;
  // Between two bounds may be a target or what is neither good nor bad.
  if ((atLeast === undefined) === (atMost === undefined) || typeof limit !== 'number') return null;
  const form = innermostForm(measure, forms);
  // A share of cases by another share of cases has only 0 and 1 to go by, and what is best between has two sides.
  if (form['of'] === 'case-share' || form['best'] !== undefined) return null;
  const { direction: declared } = form;
  const inner = directionOfForm(form, forms)?.direction ?? declared;
  if (inner !== 'higher' && inner !== 'lower') return null;
  const isGood = (inner === 'higher') === (atLeast !== undefined);
  const bound = `at ${atLeast === undefined ? 'most' : 'least'} ${limit}`;
  return {
    direction: isGood ? 'higher' : 'lower',
    because: `it counts cases whose ${nameOf(measure, form)} is ${bound}, of which ${isGood ? 'more' : 'fewer'} is better`,
  };
}

function nameOf(measure: unknown, { of, verdict, field }: Forms): string {
  if (typeof measure === 'string') return measure;
  if (of === 'count') return `number of ${String(verdict)} items`;
  if (of === 'verdict-share') return `share of ${String(verdict)} items`;
  return String(field ?? of);
}

/** Which way a value goes to get better; null where the best lies between the ends of the range. */
function betterSide({ direction, best, range: [low, high] }: Pick<Measure, 'direction' | 'best' | 'range'>) {
  if (best === undefined) return direction;
  if (low !== null && best <= low) return 'lower';
  return high !== null && best >= high ? 'higher' : null;
}

/** What presets say of a measure, all of them the same. */
type PresetsSay = Readonly<{ presets: readonly string[]; side: Direction }>;
type PresetMeasures = ReadonlyMap<string, Readonly<{ side: Direction | null; counts: string }>>;

/** Presets do not change while the program runs. */
const known = new Map<string, Promise<PresetMeasures>>();

/**
 * For measures that a recipe can turn round: what the preset of the recipe states, or, for a custom recipe,
 * all presets of the task that have a measure of that name which counts the same.
 */
async function presetsSay(recipe: string, task: string, forms: Forms): Promise<Map<string, PresetsSay>> {
  const said = new Map<string, PresetsSay>();
  const turnable = Object.entries(forms).filter(([, form]) => saysDirection(form));
  // Many recipes have none, and reading every preset takes a while.
  if (turnable.length === 0) return said;
  const asked = presetNamed(recipe) === null ? presetNames().filter((name) => presetTask(name) === task) : [recipe];
  const measures = await Promise.all(asked.map((preset) => entryOf(known, preset, () => readMeasures(preset))));
  for (const [name, form] of turnable) {
    const presets = asked.filter((_, at) => measures[at]?.get(name)?.counts === countedBy(form));
    const sides = new Set(presets.map((preset) => measures[asked.indexOf(preset)]!.get(name)!.side));
    const [side = null] = sides;
    if (side !== null && sides.size === 1) said.set(name, { presets, side });
  }
  return said;
}

async function readMeasures(preset: string): Promise<PresetMeasures> {
  const { measures, resolved } = await planRecipe(preset);
  const forms = recordAt(resolved, 'measure');
  return new Map(measures.map((one) => [one.name, { side: betterSide(one), counts: countedBy(forms[one.name]) }]));
}

/** Whether a form, or the one in it, states which way is better. */
function saysDirection(form: unknown): boolean {
  if (!isRecord(form)) return false;
  return form['direction'] !== undefined || form['best'] !== undefined || saysDirection(form['measure']);
}

/** What is only about which way is better, or only words. */
const NOT_WHAT_IS_COUNTED = new Set(['direction', 'best', 'range', 'unit', 'about', 'nothing', 'by']);

/** What a measure counts. A bound may be moved and it counts the same; a complement, or other values, are not the same. */
function countedBy(form: unknown): string {
  const shape = (value: unknown): unknown => {
    if (typeof value === 'number') return 'a number';
    if (Array.isArray(value)) return value.map(shape);
    if (!isRecord(value)) return value;
    const entries = Object.entries(value).filter(([key]) => !NOT_WHAT_IS_COUNTED.has(key));
    return entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, one]) => [key, shape(one)]);
  };
  return JSON.stringify(shape(form)) ?? '';
}
