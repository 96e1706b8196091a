import { isRecord } from '../../../data/record-fields.ts';
import type { Direction } from '../../../measure/measure.ts';
import type { MeasureValue } from '../../../measure/results.ts';
import type { Check, NewFinding } from '../check.ts';
import { NO_EVIDENCE } from '../evidence.ts';
import { overallValues } from '../overall-values.ts';
import { figure } from '../words.ts';

/** Words for what one wants less of, as they stand in names of measures and fields. */
const LESS = new Set(
  'unsupported hallucination hallucinations hallucinated error errors missed misses latency redundancy redundant cost costs violation violations spurious failed failure failures toxicity ungrounded incorrect wrong leak leaks leakage overextraction'.split(
    ' ',
  ),
);
/** And for what one wants more of. */
const MORE = new Set(
  'precision recall f1 accuracy coverage agreement faithfulness correct correctness completeness relevance supported grounded groundedness quality hits'.split(
    ' ',
  ),
);
/** Words that may turn another round: such a name says too little to contradict it. */
const TURNING = new Set(
  'no not non without free avoided avoidance reduction reduced saved less fewer lack lacking drop gap'.split(' '),
);

/** A number that is better when it looks worse is read the wrong way round. */
export const turnedDirection: Check = {
  name: 'turned-direction',
  about: 'measures whose direction contradicts their name or what they count, and values outside their range',
  open: ({ recipe }) => ({
    finish: ({ run }) => {
      const forms = isRecord(recipe['measure']) ? recipe['measure'] : {};
      return overallValues(run).flatMap((value) => [...contradictions(value, forms), ...outside(value)]);
    },
  }),
};

function contradictions(value: MeasureValue, forms: Readonly<Record<string, unknown>>): NewFinding[] {
  const { name, direction, best } = value;
  // Where the best value lies between, either direction is only a way to sort.
  if (best !== undefined) return [];
  const form = innermost(forms[name], forms);
  const wanted = directionOfWords(name);
  if (wanted !== null && wanted !== direction) return [finding(value, `its name says that ${wanted} is better`)];
  const counted = directionOfForm(form);
  if (counted !== null && counted.direction !== direction) return [finding(value, counted.because)];
  return [];
}

/** What a mean or share over cases is made of, down to the measure that counts something. */
function innermost(
  form: unknown,
  forms: Readonly<Record<string, unknown>>,
  depth = 0,
): Readonly<Record<string, unknown>> {
  if (!isRecord(form)) return {};
  const { of, measure } = form;
  if ((of !== 'case-mean' && of !== 'macro') || depth > 5) return form;
  return innermost(typeof measure === 'string' ? forms[measure] : measure, forms, depth + 1);
}

function directionOfForm(form: Readonly<Record<string, unknown>>): { direction: Direction; because: string } | null {
  const { of, verdict, field, complement, over } = form;
  if (of === 'verdict-share' || of === 'count') {
    if (verdict === 'hit') return { direction: 'higher', because: 'it counts hits, of which more is better' };
    if (verdict === 'missed' || verdict === 'spurious')
      return { direction: 'lower', because: `it counts ${verdict} items, of which fewer is better` };
    return null;
  }
  const inner =
    of === 'ratio' && isRecord(over) ? over['field'] : of === 'field-mean' || of === 'field-total' ? field : null;
  const wanted = typeof inner === 'string' ? directionOfWords(inner) : null;
  if (wanted === null || complement === true) return null;
  return {
    direction: wanted,
    because: `it adds up the field ${String(inner)}, of which ${wanted === 'higher' ? 'more' : 'less'} is better`,
  };
}

/** Which way the words of a name point; null where they say nothing, or both. */
export function directionOfWords(name: string): Direction | null {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/over[_-]extraction/g, 'overextraction')
    .split(/[^\p{L}\d]+/u);
  if (words.some((word) => TURNING.has(word))) return null;
  const less = words.some((word) => LESS.has(word));
  const more = words.some((word) => MORE.has(word));
  return less === more ? null : less ? 'lower' : 'higher';
}

function finding(value: MeasureValue, because: string): NewFinding {
  const { name, direction } = value;
  return {
    severity: 'error',
    title: `The measure ${name} is set up so that ${direction} is better, but ${because}`,
    why: `A comparison or a gate takes a change for the better where it is one for the worse${value.value === null ? '' : `; its value is ${figure(value.value)}`}.`,
    todo: `Say direction: ${direction === 'higher' ? 'lower' : 'higher'} for it in the recipe, or give it the name of what it counts.`,
    subjects: [name],
    ...NO_EVIDENCE,
  };
}

function outside({ name, value, range: [low, high] }: MeasureValue): NewFinding[] {
  if (value === null || ((low === null || value >= low) && (high === null || value <= high))) return [];
  return [
    {
      severity: 'error',
      title: `The value of ${name} is ${figure(value)}, which is outside the range that the recipe gives it (${low ?? 'any number'} to ${high ?? 'any number'})`,
      why: 'Either the field holds something else than the recipe says, such as per cent instead of shares, or the range is wrong. Gates and comparisons rely on it.',
      todo: 'Look at the field in the predictions, then correct the data or the range.',
      subjects: [name],
      ...NO_EVIDENCE,
    },
  ];
}
