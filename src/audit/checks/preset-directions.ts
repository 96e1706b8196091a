import { isRecord } from '../../data/record-fields.ts';
import type { Direction, Measure } from '../../measure/measure.ts';
import { planRecipe } from '../../recipe/plan.ts';
import { presetNames } from '../../recipe/presets.ts';
import type { Forms } from './direction-of-form.ts';

interface PresetMeasure {
  readonly side: Direction | null;
  readonly form: unknown;
}

/** What presets say of a measure, all of them the same. */
export interface PresetsSay {
  readonly presets: readonly string[];
  readonly side: Direction;
}

/** Presets do not change while the program runs. */
const known = new Map<string, Promise<ReadonlyMap<string, PresetMeasure>>>();

/** Which way a value goes to get better; null where the best lies between the ends of the range. */
export function betterSide({
  direction,
  best,
  range,
}: Pick<Measure, 'direction' | 'best' | 'range'>): Direction | null {
  if (best === undefined) return direction;
  const [low, high] = range;
  if (low !== null && best <= low) return 'lower';
  return high !== null && best >= high ? 'higher' : null;
}

/**
 * For measures that a recipe can turn round: what the preset says that the recipe is, or, of a recipe of somebody's own,
 * all presets of the task that have a measure of that name which counts the same.
 */
export async function presetsSay(recipe: string, task: string, forms: Forms): Promise<Map<string, PresetsSay>> {
  const said = new Map<string, PresetsSay>();
  const turnable = Object.entries(forms).filter(([, form]) => saysDirection(form));
  // Many recipes have none, and reading every preset takes a while.
  if (turnable.length === 0) return said;
  const names = presetNames();
  const asked = names.includes(recipe) ? [recipe] : names.filter((name) => name.startsWith(`${task}/`));
  const measures = await Promise.all(asked.map(measuresOf));
  for (const [name, form] of turnable) {
    const mine = shapeOf(form);
    const alike = asked.flatMap((preset, at) => {
      const theirs = measures[at]?.get(name);
      return theirs !== undefined && shapeOf(theirs.form) === mine ? [{ preset, side: theirs.side }] : [];
    });
    const side = alike[0]?.side ?? null;
    if (side !== null && alike.every((one) => one.side === side))
      said.set(name, { presets: alike.map(({ preset }) => preset), side });
  }
  return said;
}

function measuresOf(preset: string): Promise<ReadonlyMap<string, PresetMeasure>> {
  const read = known.get(preset) ?? readMeasures(preset);
  known.set(preset, read);
  return read;
}

async function readMeasures(preset: string): Promise<ReadonlyMap<string, PresetMeasure>> {
  const { measures, resolved } = await planRecipe(preset);
  const forms = isRecord(resolved['measure']) ? resolved['measure'] : {};
  return new Map(measures.map((one) => [one.name, { side: betterSide(one), form: forms[one.name] }]));
}

/** Whether a form, or the one in it, says which way is better. */
function saysDirection(form: unknown): boolean {
  if (!isRecord(form)) return false;
  return form['direction'] !== undefined || form['best'] !== undefined || saysDirection(form['measure']);
}

/** What is only about which way is better, or only words. */
const NOT_WHAT_IS_COUNTED = new Set(['direction', 'best', 'range', 'unit', 'about', 'nothing', 'by']);

/** What a measure counts. A bound may be moved and it counts the same; a complement, or other values, are not the same. */
function shapeOf(form: unknown): string {
  return JSON.stringify(shape(form));
}

function shape(value: unknown): unknown {
  if (typeof value === 'number') return 'a number';
  if (Array.isArray(value)) return value.map(shape);
  if (!isRecord(value)) return value;
  return Object.entries(value)
    .filter(([key]) => !NOT_WHAT_IS_COUNTED.has(key))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, one]) => [key, shape(one)]);
}
