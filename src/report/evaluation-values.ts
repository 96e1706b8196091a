import type { SystemRun } from '../compare/compare-systems.ts';
import { NOT_ASKED_FOR } from '../measure/measure.ts';
import type { MeasureValue, Slice } from '../measure/results.ts';
import type { Evaluation } from '../review/evaluation.ts';
import { count, figure, quantities } from '../text/figures.ts';
import type { IntervalBar, Piece } from './document.ts';
import { isUnsliced } from './comparison-words.ts';
import { factsOf, measureQuestion, type RecipeFacts } from './recipe-facts.ts';

/** What the sections of an evaluation are made of. */
export interface EvaluationContext extends Evaluation {
  readonly facts: RecipeFacts;
  /** The value of a measure by name and slice; null if the run has none. */
  readonly valueOf: (system: SystemRun, name: string, slice?: Slice) => MeasureValue | null;
  /** Whether any system has the measure. */
  readonly hasMeasure: (name: string) => boolean;
}

/** If nobody has answered yet, the reason for an undefined value names who is to answer. */
export function evaluationContext(evaluation: Evaluation): EvaluationContext {
  const { systems, missing } = evaluation;
  const facts = factsOf(systems[0]?.run.manifest.recipe.resolved ?? {});
  const byKey = new Map(
    systems.map((system) => [
      system,
      new Map(system.run.measures.measures.map((value) => [keyOf(value.name, value.slice), value])),
    ]),
  );
  const valueOf = (system: SystemRun, name: string, slice: Slice = {}): MeasureValue | null => {
    const value = byKey.get(system)?.get(keyOf(name, slice)) ?? null;
    if (value === null || value.undefined === null) return value;
    const question = measureQuestion(facts, name);
    const open = missing.find((one) => one.question === question && one.system === system.system && one.given === 0);
    if (open === undefined) return value;
    const who = open.people.length === 0 ? '' : ` from ${open.people.join(', ')}`;
    return { ...value, undefined: `0 of ${count(open.expected)} answers have come${who}: ${value.undefined}` };
  };
  const hasMeasure = (name: string): boolean => systems.some((system) => valueOf(system, name) !== null);
  return { ...evaluation, facts, valueOf, hasMeasure };
}

function keyOf(name: string, slice: Slice): string {
  return JSON.stringify([name, Object.entries(slice)]);
}

/** Names of the measures with an overall value, in the order of the recipe. */
export function measureNames(systems: readonly SystemRun[]): string[] {
  return [...new Set(systems.flatMap(({ run }) => run.measures.measures.filter(isUnsliced).map(({ name }) => name)))];
}

/** Remarks below a table, each once however many cells refer to it. */
export class Footnotes {
  readonly #texts: string[] = [];

  /** The reference in the cell. */
  mark(text: string): string {
    const known = this.#texts.indexOf(text);
    if (known === -1) this.#texts.push(text);
    return `[${known === -1 ? this.#texts.length : known + 1}]`;
  }

  list(): string[] {
    return this.#texts.map((text, at) => `[${at + 1}] ${text}`);
  }
}

const NO_REASON = 'no reason was given';

/** A word for a value or interval that does not exist, with a reference to the reason. */
export function lacking(word: 'undefined' | 'none', reason: string | null, notes: Footnotes): Piece {
  return { text: `${word} ${notes.mark(reason ?? NO_REASON)}`, tone: 'quiet' };
}

/**
 * A value with its interval and what it was computed over. What it lacks is marked, and the reason is in the footnotes.
 *
 * @example valuePiece(value, notes).text // '0.424 (0.273 to 0.606), n 33'
 */
export function valuePiece(value: MeasureValue | null, notes: Footnotes): Piece {
  if (value === null) return lacking('none', 'nothing of this kind occurs in this run', notes);
  if (value.value === null) return lacking('undefined', value.undefined, notes);
  const { interval, noInterval, note } = value;
  const marks = [
    ...(interval !== null || noInterval === NOT_ASKED_FOR ? [] : [`no interval: ${noInterval ?? NO_REASON}`]),
    ...(note === null ? [] : [note]),
  ].map((text) => ` ${notes.mark(text)}`);
  return { text: `${figure(value.value, value)}${bracketedInterval(value)}, n ${count(value.n)}${marks.join('')}` };
}

/** The interval in brackets; empty if absent. */
export function bracketedInterval({ interval, range }: Pick<MeasureValue, 'interval' | 'range'>): string {
  return interval === null ? '' : ` (${quantities(interval.low, interval.high, { range }).join(' to ')})`;
}

/** A value in a sentence. */
export function valueSentence(value: MeasureValue | null, of: string): string {
  if (value === null) return 'the recipe does not measure it.';
  if (value.value === null) return `undefined: ${value.undefined ?? NO_REASON}.`;
  const why = value.interval === null ? `, no interval: ${value.noInterval ?? NO_REASON}` : '';
  return `${figure(value.value, value)}${bracketedInterval(value)}${of.replace('N', count(value.n))}${why}.`;
}

/** One cell a system, each with its bar over the same range. */
export function valueCells(values: readonly (MeasureValue | null)[], notes: Footnotes): Piece[] {
  const ends = endsOf(values);
  return values.map((one) => {
    const { value = null, interval = null, best: aim = null } = one ?? {};
    return { ...valuePiece(one, notes), bar: value === null || ends === null ? null : { value, interval, ends, aim } };
  });
}

/** The measure's own range; if that is open, what is shown and 0. */
function endsOf(values: readonly (MeasureValue | null)[]): IntervalBar['ends'] | null {
  const known = values.filter((value) => value !== null);
  const [low, high] = known[0]?.range ?? [null, null];
  if (low !== null && high !== null) return [low, high];
  const shown = known.flatMap(({ value, interval, best }) =>
    value === null ? [] : [0, value, interval?.low ?? 0, interval?.high ?? 0, best ?? 0],
  );
  return shown.length === 0 ? null : [Math.min(...shown), Math.max(...shown)];
}
