import type { Problem } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { isOverall, type MeasureValue, type Slice } from '../../measure/results.ts';
import { suggestion } from '../../prepare/setting-error.ts';
import type { Run } from '../../score/run.ts';
import { compareText } from '../../text/compare.ts';
import { nearestNames } from '../../text/nearest.ts';
import type { ProblemOf, RulesFile } from './read-rules.ts';
import type { FloorRule, MeasureRule, Misfit, Rule } from './rules.ts';

/** What keeps rules from being judged on this run, or from ever blocking it. */
export function misfitsWith(run: Run, { rules, problemOf }: RulesFile, hasBaseline: boolean): Problem[] {
  const overall = new Map(
    run.measures.measures.flatMap((value) => (isOverall(value.slice) ? [[value.name, value] as const] : [])),
  );
  const cuts = cutsOf(run);
  return rules.flatMap((rule): Problem[] => {
    const say = saying(rule, problemOf);
    if (rule.measure === null) return [];
    const measured = overall.get(rule.measure);
    if (measured === undefined)
      return [
        say(
          'measure',
          `the run has no measure ${rule.measure}`,
          suggestion(rule.measure, [...overall.keys()], 'measures'),
        ),
      ];
    if (rule.kind === 'share')
      return measured.cases === null ? [say('measure', `${rule.measure} has no value per case`, null)] : [];
    const cut = cutMisfit(run, rule, cuts);
    return [
      ...(cut === null ? [] : [say(cut.key, cut.message, cut.next)]),
      ...(rule.kind === 'floor' ? limitMisfits(rule, measured, say) : []),
      ...(rule.kind === 'margin' && !hasBaseline
        ? [say('notWorseThan', 'there is no run to compare with', 'give --baseline RUN')]
        : []),
      ...(rule.kind === 'margin' && measured.best !== undefined
        ? [
            say(
              'notWorseThan',
              `${rule.measure} is best at ${measured.best}, so a difference has no side that is worse`,
              'say atLeast in one rule and atMost in another',
            ),
          ]
        : []),
      ...(rule.kind === 'margin' && rule.margin >= widthOf(measured)
        ? [
            say(
              'notWorseThan.margin',
              `${rule.measure} lies between ${rangeText(measured)}: with a margin of ${rule.margin} the rule could never block`,
              perCent(rule.margin, measured.range[1]) ?? 'give a smaller margin',
            ),
          ]
        : []),
    ];
  });
}

type Say = (key: string | null, message: string, next: string | null) => Problem;

function saying(rule: Rule, problemOf: ProblemOf): Say {
  return (key, message, next) => problemOf(rule.number, key, message, next);
}

function limitMisfits(
  { side, limit, measure }: FloorRule,
  { range, direction, best }: MeasureValue,
  say: Say,
): Problem[] {
  const [least, most] = range;
  const [right, better] = direction === 'higher' ? ['atLeast', 'higher'] : ['atMost', 'lower'];
  // Where the best lies between, a limit on either side makes sense.
  if (side !== right && best === undefined) return [say(side, `${better} is better for ${measure}`, `say ${right}`)];
  const between = `${measure} lies between ${rangeText({ range })}`;
  const never = `${between}, so the rule could never block`;
  const always = `${between}, so the rule could never be met`;
  if (side === 'atLeast') {
    if (least !== null && limit <= least) return [say(side, never, 'give a larger number')];
    if (most !== null && limit > most) return [say(side, always, perCent(limit, most))];
  } else {
    if (most !== null && limit >= most) return [say(side, never, perCent(limit, most) ?? 'give a smaller number')];
    if (least !== null && limit < least) return [say(side, always, 'give a larger number')];
  }
  return [];
}

/** 80 was meant as 80 %. */
function perCent(limit: number, most: number | null): string | null {
  return most === 1 && limit > 1 && limit < 100 ? `did you mean ${limit / 100}?` : null;
}

function rangeText({ range: [least, most] }: Pick<MeasureValue, 'range'>): string {
  return `${least ?? 'any number'} and ${most ?? 'any number'}`;
}

function widthOf({ range: [least, most] }: MeasureValue): number {
  return least === null || most === null ? Infinity : most - least;
}

/** A slice by something that the run is not cut by. That one value of a cut does not occur is for judging to say. */
function cutMisfit(run: Run, rule: MeasureRule, cuts: readonly Cut[]): Misfit | null {
  const wanted = cutOf(rule.slice, rule.each);
  const known = [...new Set(cuts.flat())];
  const unknown = wanted.find((key) => !known.includes(key));
  if (unknown !== undefined)
    return {
      key: unknown === rule.each ? 'each' : `slice.${unknown}`,
      message: `the run has no values by ${unknown}`,
      next: suggestion(unknown, known, 'it has them by') ?? `score again with slice: [${unknown}] in the recipe`,
    };
  const key = rule.each === null ? 'slice' : 'each';
  if (!cuts.some((cut) => sameCut(cut, wanted)))
    return { key, message: `the run has no values by ${wanted.join(' and ')} together`, next: 'take one of them' };
  const so = run.measures.measures.filter(({ slice }) => sameCut(cutOf(slice), wanted));
  if (so.length > 0 && !so.some(({ name }) => name === rule.measure))
    return { key, message: `${rule.measure} has no values by ${wanted.join(' and ')}`, next: 'name another measure' };
  return null;
}

/** One way to tell slices apart, whatever the order of their keys. */
export function sliceKey(slice: Slice): string {
  return JSON.stringify(Object.entries(slice).sort(([a], [b]) => compareText(a, b)));
}

/** By what values are cut: the keys of their slices, in order; none for the overall value. */
export type Cut = readonly string[];

export function cutOf(slice: Slice, each: string | null = null): Cut {
  return [...Object.keys(slice), ...(each === null ? [] : [each])].sort(compareText);
}

export function sameCut(a: Cut, b: Cut): boolean {
  return a.length === b.length && a.every((key, at) => key === b[at]);
}

/** All cuts that the run has or, by its recipe, would have if there were anything to cut. */
export function cutsOf(run: Run): Cut[] {
  const { slice, schemes } = run.manifest.recipe.resolved;
  const columns = Array.isArray(slice) ? slice.filter((column) => typeof column === 'string') : [];
  const hasSchemes = isRecord(schemes) && Object.keys(schemes).length > 0;
  return [
    [],
    ...columns.map((column) => [column]),
    ...(hasSchemes ? [['scheme'], ...(columns.includes('label') ? [['label', 'scheme']] : [])] : []),
    ...run.measures.measures.map((measured) => cutOf(measured.slice)),
  ];
}

/** The run's values of the measure that a rule speaks of: one, or with `each` as many as there are. */
export function matching(run: Run, rule: MeasureRule): MeasureValue[] {
  const wanted = cutOf(rule.slice, rule.each);
  return run.measures.measures.filter(
    ({ name, slice }) =>
      name === rule.measure &&
      sameCut(cutOf(slice), wanted) &&
      Object.entries(rule.slice).every(([key, value]) => slice[key] === value),
  );
}

/** What the run has instead of a slice that it lacks: `label PERSON` for `label PERSN`. */
export function nearSlices(run: Run, rule: MeasureRule): string[] {
  return Object.entries(rule.slice).flatMap(([key, value]) => {
    const values = run.measures.measures.flatMap(({ slice }) => slice[key] ?? []);
    return values.includes(value) ? [] : nearestNames(value, values).map((near) => `${key} ${near}`);
  });
}
