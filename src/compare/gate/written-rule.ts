import { type Demand, DEMANDS, type Rule, type WrittenRule } from './rules.ts';

/** Something wrong with a rule; the key is a path such as `minimum.n`, or null for the rule as a whole. */
export interface Misfit {
  readonly key: string | null;
  readonly message: string;
  readonly next: string | null;
}

const OF_A_VALUE: ReadonlySet<Demand> = new Set(['atLeast', 'atMost', 'notWorseThan']);

/** Keys of a rule that do not go together, and shares that could never block. */
export function misfits(rule: WrittenRule): Misfit[] {
  const said = DEMANDS.filter((demand) => rule[demand] !== undefined);
  const [demand, ...more] = said;
  if (demand === undefined)
    return [{ key: null, message: 'it demands nothing', next: `say one of ${DEMANDS.join(', ')}` }];
  if (more.length > 0)
    return [{ key: null, message: `it demands ${said.join(' and ')}`, next: 'write a rule for each' }];
  const found: Misfit[] = [];
  const add = (key: string | null, message: string, next: string | null = null): void => {
    found.push({ key, message, next });
  };
  const ofValue = OF_A_VALUE.has(demand);
  const ofMeasure = ofValue || demand === 'undefined';
  if (ofMeasure && rule.measure === undefined) add(null, `${demand} needs a measure`, 'say measure: NAME');
  if (!ofMeasure && rule.measure !== undefined)
    add('measure', `${demand} counts cases, whatever the measure`, 'take measure out');
  for (const key of ['slice', 'each', 'sure', 'small'] as const)
    if (!ofValue && rule[key] !== undefined) add(key, `${demand} is about all cases of the run`, `take ${key} out`);
  if (demand === 'notWorseThan' && rule.sure !== undefined)
    add('sure', 'notWorseThan goes by the interval as it is', 'take sure out');
  if (ofValue && rule.small !== undefined && (rule.each === undefined || rule.minimum === undefined))
    add('small', 'it is for slices below a minimum', 'say each and minimum, or take small out');
  if (rule.each !== undefined && rule.slice !== undefined && Object.hasOwn(rule.slice, rule.each))
    add('each', `slice already says which ${rule.each}`, 'take one of the two out');
  if (!ofValue && rule.minimum?.n !== undefined) add('minimum.n', 'a share is over cases', 'say minimum: { cases: … }');
  for (const key of ['undefined', 'failed', 'unanswered'] as const)
    if ((rule[key]?.atMost ?? 0) >= 1)
      add(`${key}.atMost`, 'no share is larger than 1, so the rule could never block', 'give a smaller share');
  return found;
}

/** A rule that fits together, as judging wants it. */
export function ruleOf(written: WrittenRule, number: number, line: number | null): Rule {
  const { measure = '', slice = {}, each = null, small, atLeast, atMost, sure = false, notWorseThan } = written;
  const placed = { number, line, minimum: { n: written.minimum?.n ?? 0, cases: written.minimum?.cases ?? 0 } };
  const ofMeasure = { ...placed, measure, slice, each, skipSmall: small === 'skip' };
  if (notWorseThan !== undefined) return { kind: 'margin', ...ofMeasure, margin: notWorseThan.margin };
  if (atLeast !== undefined) return { kind: 'floor', ...ofMeasure, side: 'atLeast', limit: atLeast, sure };
  if (atMost !== undefined) return { kind: 'floor', ...ofMeasure, side: 'atMost', limit: atMost, sure };
  if (written.undefined !== undefined)
    return { kind: 'share', ...placed, of: 'undefined', measure, limit: written.undefined.atMost };
  const of = written.failed === undefined ? 'unanswered' : 'failed';
  return { kind: 'share', ...placed, of, measure: null, limit: written[of]?.atMost ?? 0 };
}
