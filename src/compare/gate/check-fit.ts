import type { Problem } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { isOverall, type MeasureValue } from '../../measure/results.ts';
import { suggestion } from '../../prepare/setting-error.ts';
import type { Run } from '../../score/run.ts';
import { compareText } from '../../text/compare.ts';
import { closestNames } from '../../text/closest-names.ts';
import type { FloorRule, MarginRule, MeasureRule, RulesFile } from './rules.ts';

type Say = (key: string, message: string, next: string | null) => void;

/** What a limit has to fit. */
export type MeasuredRange = Pick<MeasureValue, 'name' | 'range' | 'direction'> & {
  readonly best?: number | undefined;
};

/** What keeps rules from being judged on this run, or from ever blocking it. */
export function misfitsWith(run: Run, { rules, problemOf }: RulesFile, hasBaseline: boolean): Problem[] {
  const found: Problem[] = [];
  const overall = run.measures.measures.filter(({ slice }) => isOverall(slice));
  for (const rule of rules) {
    const { measure } = rule;
    const say: Say = (...misfit) => found.push(problemOf(rule.number, ...misfit));
    if (measure === null) continue;
    const measured = overall.find(({ name }) => name === measure);
    const names = overall.map(({ name }) => name);
    if (measured === undefined)
      say('measure', `the run has no measure ${measure}`, suggestion(measure, names, 'measures'));
    else if (rule.kind !== 'share') {
      sayCut(run, rule, say);
      if (rule.kind === 'floor') sayLimit(rule, measured, say);
      else sayMargin(rule, measured, hasBaseline, say);
    } else if (measured.cases === null) say('measure', `${measure} has no value per case`, null);
  }
  return found;
}

function sayMargin({ measure, margin }: MarginRule, measured: MeasureValue, hasBaseline: boolean, say: Say): void {
  const { best, range } = measured;
  const [least, most] = range;
  if (!hasBaseline) say('notWorseThan', 'needs a run to compare with', 'give --baseline RUN');
  if (best !== undefined)
    say(
      'notWorseThan',
      `${measure} is best at ${best}, so a difference has no side that is worse`,
      'say atLeast in one rule and atMost in another',
    );
  if (least !== null && most !== null && margin >= most - least)
    say(
      'notWorseThan.margin',
      `${rangeText(measured)}: with a margin of ${margin} the rule could never block`,
      perCent(margin, most) ?? 'give a smaller margin',
    );
}

/** A limit on the wrong side, or one that could never be met or missed. */
export function sayLimit({ side, limit, measure }: FloorRule, measured: MeasuredRange, say: Say): void {
  const [least, most] = measured.range;
  const [right, better] = measured.direction === 'higher' ? ['atLeast', 'higher'] : ['atMost', 'lower'];
  const isLeast = side === 'atLeast';
  const never = `${rangeText(measured)}, so the rule could never block`;
  const always = `${rangeText(measured)}, so the rule could never be met`;
  // If the best value is in between, a limit on either side makes sense.
  if (side !== right && measured.best === undefined) say(side, `${better} is better for ${measure}`, `say ${right}`);
  else if (least !== null && (isLeast ? limit <= least : limit < least))
    say(side, isLeast ? never : always, 'give a larger number');
  else if (most !== null && (isLeast ? limit > most : limit >= most))
    say(side, isLeast ? always : never, perCent(limit, most) ?? (isLeast ? null : 'give a smaller number'));
}

/** 80 was meant as 80 %. */
function perCent(limit: number, most: number): string | null {
  return most === 1 && limit > 1 && limit < 100 ? `did you mean ${limit / 100}?` : null;
}

function rangeText({ name, range: [least, most] }: MeasuredRange): string {
  return `${name} lies between ${least ?? 'any number'} and ${most ?? 'any number'}`;
}

/** A slice by something that the run is not cut by. That one value of a cut does not occur is for judging to say. */
function sayCut(run: Run, rule: MeasureRule, say: Say): void {
  const cuts = cutsOf(run);
  const wanted = keysOf(rule).sort(compareText);
  const known = [...new Set(cuts.flat())];
  const unknown = wanted.find((key) => !known.includes(key));
  const key = rule.each === null ? 'slice' : 'each';
  const by = wanted.join(' and ');
  const so = run.measures.measures.filter(({ slice }) => isCutBy(Object.keys(slice), wanted));
  if (unknown !== undefined)
    say(
      unknown === rule.each ? 'each' : `slice.${unknown}`,
      `the run has no values by ${unknown}`,
      suggestion(unknown, known, 'it has them by') ?? `score again with slice: [${unknown}] in the recipe`,
    );
  else if (!cuts.some((cut) => isCutBy(cut, wanted)))
    say(key, `the run has no values by ${by} together`, 'take one of them');
  else if (so.length > 0 && !so.some(({ name }) => name === rule.measure))
    say(key, `${rule.measure} has no values by ${by}`, 'name another measure');
}

/** By what the values are cut that a rule speaks of: the keys of their slices. */
function keysOf({ slice, each }: MeasureRule): string[] {
  return [...Object.keys(slice), ...(each === null ? [] : [each])];
}

function isCutBy(keys: readonly string[], wanted: readonly string[]): boolean {
  return keys.length === wanted.length && keys.every((key) => wanted.includes(key));
}

/** All cuts that the run has or, by its recipe, would have if there were anything to cut. */
function cutsOf(run: Run): (readonly string[])[] {
  const { slice, schemes } = run.manifest.recipe.resolved;
  const columns = Array.isArray(slice) ? slice.filter((column) => typeof column === 'string') : [];
  const hasSchemes = isRecord(schemes) && Object.keys(schemes).length > 0;
  return [
    [],
    ...columns.map((column) => [column]),
    ...(hasSchemes ? [['scheme'], ...(columns.includes('label') ? [['label', 'scheme']] : [])] : []),
    ...run.measures.measures.map((measured) => Object.keys(measured.slice)),
  ];
}

/** The run's values of the measure that a rule speaks of: one, or with `each` as many as there are. */
export function matching(run: Run, rule: MeasureRule): MeasureValue[] {
  return run.measures.measures.filter(
    ({ name, slice }) =>
      name === rule.measure &&
      isCutBy(Object.keys(slice), keysOf(rule)) &&
      Object.entries(rule.slice).every(([key, value]) => slice[key] === value),
  );
}

/** What the run has instead of a slice that it lacks: `label PERSON` for `label PERSN`. */
export function nearSlices(run: Run, rule: MeasureRule): string[] {
  return Object.entries(rule.slice).flatMap(([key, value]) => {
    const values = run.measures.measures.flatMap(({ slice }) => slice[key] ?? []);
    return values.includes(value) ? [] : closestNames(value, values).map((near) => `${key} ${near}`);
  });
}
