import type { MeasureValue, Slice, Sureness } from '../measure/results.ts';
import { NOT_ASKED_FOR } from '../measure/measure.ts';
import type { Evaluation } from '../review/evaluation.ts';
import type { SystemRun } from '../compare/compare-systems.ts';
import { cell, type Footnotes, type IntervalPicture, type PageCell } from './evaluation-page.ts';
import type { EvaluationRecipe } from './evaluation-recipe.ts';
import { count, figure, quantities } from '../text/figures.ts';
import type { Ends } from './svg/scale.ts';
import { drawable, ticksOver } from './svg/ticks.ts';

/** The values of a run by name and slice. */
export type ValueOf = (system: SystemRun, name: string, slice?: Slice) => MeasureValue | null;

/** Where people have said nothing yet, the reason why there is no value says from whom it is to come. */
export function valuesOf({ systems, missing }: Evaluation, { measures }: EvaluationRecipe): ValueOf {
  const byKey = new Map(
    systems.map((system) => [
      system,
      new Map(system.run.measures.measures.map((value) => [keyOf(value.name, value.slice), value])),
    ]),
  );
  return (system, name, slice = {}) => {
    const value = byKey.get(system)?.get(keyOf(name, slice)) ?? null;
    if (value === null || value.undefined === null) return value;
    const question = measures.get(name)?.question ?? null;
    const open = missing.find((one) => one.question === question && one.system === system.system && one.given === 0);
    if (open === undefined) return value;
    const who = open.people.length === 0 ? '' : ` from ${open.people.join(', ')}`;
    return { ...value, undefined: `0 of ${count(open.expected)} answers have come${who}: ${value.undefined}` };
  };
}

function keyOf(name: string, slice: Slice): string {
  return JSON.stringify([name, Object.entries(slice)]);
}

/** Names of the measures with an overall value, in the order of the recipe. */
export function measureNames(systems: readonly SystemRun[]): string[] {
  return [...new Set(systems.flatMap(({ run }) => run.measures.measures.filter(isWhole).map(({ name }) => name)))];
}

export function isWhole({ slice }: Pick<MeasureValue, 'slice'>): boolean {
  return Object.keys(slice).length === 0;
}

/**
 * A value in words: with its interval, and what it was computed over. What it lacks is marked, and the reason goes to the
 * footnotes.
 *
 * @example valueText(value, notes) // '0.424 (0.273 to 0.606), n 33'
 */
export function valueText(value: MeasureValue | null, notes: Footnotes): string {
  if (value === null) return `none ${notes.mark('nothing of this kind occurs in this run')}`;
  if (value.value === null) return `undefined ${notes.mark(value.undefined ?? 'no reason was given')}`;
  const marks = [sureMark(value, notes), ...(value.note === null ? [] : [` ${notes.mark(value.note)}`])].join('');
  return `${figure(value.value, value)}${betweenText(value)}, n ${count(value.n)}${marks}`;
}

/** The interval in brackets; nothing where there is none. */
export function betweenText({ interval, range }: Pick<MeasureValue, 'interval' | 'range'>): string {
  return interval === null ? '' : ` (${quantities(interval.low, interval.high, { range }).join(' to ')})`;
}

/** A mark that says why there is no interval; none where the recipe wanted none. */
function sureMark({ interval, noInterval }: Sureness, notes: Footnotes): string {
  if (interval !== null || noInterval === NOT_ASKED_FOR) return '';
  return ` ${notes.mark(`no interval: ${noInterval ?? 'no reason was given'}`)}`;
}

/** One cell a system, each with its picture on the same stretch. */
export function valueCells(values: readonly (MeasureValue | null)[], notes: Footnotes): PageCell[] {
  const ends = endsOf(values);
  return values.map((value) => {
    const hasNone = value === null || value.value === null;
    return cell(valueText(value, notes), { tone: hasNone ? 'quiet' : null, bar: pictureOf(value, ends) });
  });
}

function pictureOf(value: MeasureValue | null, ends: Ends | null): IntervalPicture | null {
  if (value === null || ends === null || !drawable(value.value)) return null;
  const { interval, best } = value;
  return {
    value: value.value,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    ends,
    aim: best ?? null,
  };
}

/** The measure's own range; where that is open, a stretch that holds all that is shown. */
function endsOf(values: readonly (MeasureValue | null)[]): Ends | null {
  const known = values.filter((value) => value !== null);
  const [low, high] = known[0]?.range ?? [null, null];
  if (low !== null && high !== null) return [low, high];
  const shown = known
    .flatMap(({ value, interval, best }) => [value, interval?.low ?? null, interval?.high ?? null, best ?? null])
    .filter(drawable);
  return known.every(({ value }) => value === null) || shown.length === 0 ? null : ticksOver(shown, 4).ends;
}
