import { isRecord } from '../../data/record-fields.ts';
import type { Direction } from '../../measure/measure.ts';
import { directionOfWords } from './direction-of-words.ts';

/** The `measure` section of a recipe as a manifest holds it, or one entry of it. */
export type Forms = Readonly<Record<string, unknown>>;

export interface FormDirection {
  readonly direction: Direction;
  /** What it counts, as the end of a sentence. */
  readonly because: string;
}

/** Forms that have no direction of their own to set: more is better. */
const SHARES_OF_RIGHT = new Set(['precision', 'recall', 'f1', 'accuracy', 'evidence-coverage', 'entity-recall']);

/** Which way is better by what a measure counts, whatever its recipe says; null where that cannot be told. */
export function directionOfForm(given: unknown, forms: Forms): FormDirection | null {
  const form = innermost(given, forms);
  const { of, verdict, field, complement, over } = form;
  if (of === 'verdict-share' || of === 'count') {
    if (verdict === 'hit') return { direction: 'higher', because: 'it counts hits, of which more is better' };
    if (verdict === 'missed' || verdict === 'spurious')
      return { direction: 'lower', because: `it counts ${verdict} items, of which fewer is better` };
    return null;
  }
  if (of === 'case-share') return ofCases(form, forms);
  if (typeof of === 'string' && SHARES_OF_RIGHT.has(of))
    return { direction: 'higher', because: `it is a ${of}, of which more is better` };
  const inner =
    of === 'ratio' && isRecord(over) ? over['field'] : of === 'field-mean' || of === 'field-total' ? field : null;
  const wanted = typeof inner === 'string' ? directionOfWords(inner) : null;
  if (wanted === null || complement === true) return null;
  return {
    direction: wanted,
    because: `it adds up the field ${String(inner)}, of which ${wanted === 'higher' ? 'more' : 'less'} is better`,
  };
}

/** Whether a recipe can say which way is better for such a measure. */
export function hasDirection(given: unknown, forms: Forms): boolean {
  const { of } = innermost(given, forms);
  return typeof of === 'string' && !SHARES_OF_RIGHT.has(of) && of !== 'over-extraction' && of !== 'mean';
}

/** What a mean over cases or labels is made of, down to the measure that counts something. */
function innermost(form: unknown, forms: Forms, depth = 0): Forms {
  if (!isRecord(form)) return {};
  const { of, measure } = form;
  if ((of !== 'case-mean' && of !== 'macro') || depth > 5) return form;
  return innermost(named(measure, forms), forms, depth + 1);
}

/** The form of a measure that another one names or holds. `f1` needs no entry of its own. */
function named(measure: unknown, forms: Forms): unknown {
  if (typeof measure !== 'string') return measure;
  return Object.hasOwn(forms, measure) ? forms[measure] : { of: measure.replaceAll('_', '-') };
}

/** A share of cases on the good side of a bound is better the larger it is; of those on the bad side, the smaller. */
function ofCases({ measure, atLeast, atMost }: Forms, forms: Forms): FormDirection | null {
  const limit = atLeast ?? atMost;
  // Between two bounds may be a target or what is neither good nor bad.
  if ((atLeast === undefined) === (atMost === undefined) || typeof limit !== 'number') return null;
  const form = innermost(named(measure, forms), forms);
  // A share of cases by another share of cases has only 0 and 1 to go by, and what is best between has two sides.
  if (form['of'] === 'case-share' || form['best'] !== undefined) return null;
  const inner = directionOfForm(form, forms)?.direction ?? declared(form);
  if (inner === null) return null;
  const isGood = (inner === 'higher') === (atLeast !== undefined);
  const bound = `at ${atLeast === undefined ? 'most' : 'least'} ${limit}`;
  return {
    direction: isGood ? 'higher' : 'lower',
    because: `it counts cases whose ${nameOf(measure, form)} is ${bound}, of which ${isGood ? 'more' : 'fewer'} is better`,
  };
}

function declared({ direction }: Forms): Direction | null {
  return direction === 'higher' || direction === 'lower' ? direction : null;
}

function nameOf(measure: unknown, { of, verdict, field }: Forms): string {
  if (typeof measure === 'string') return measure;
  if (of === 'count') return `number of ${String(verdict)} items`;
  if (of === 'verdict-share') return `share of ${String(verdict)} items`;
  return String(field ?? of);
}
