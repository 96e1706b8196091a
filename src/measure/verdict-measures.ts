import type { Verdict, VerdictKind } from '../judge/verdict.ts';
import { isNeedless } from '../pair/cover.ts';
import {
  type CaseCounter,
  type Counter,
  declareCount,
  declareQuotient,
  type Direction,
  type UnnamedMeasure,
  type ZeroDivision,
} from './measure.ts';
import type { FormParams } from './measure-params.ts';

/**
 * accuracy of attributes over matched pairs = pairs with all of them right / pairs to which one of them applies;
 * higher is better. Undefined when no matched pair has such an attribute.
 * Example: intensity right in 9 of 11 pairs, time in 6, both in 5: [intensity, time] gives 5 / 11.
 */
export function attributeAccuracy(params: FormParams<'accuracy'>, zeroDivision: ZeroDivision): UnnamedMeasure {
  const { attributes, kind } = params;
  const key = `${kind ?? '*'}:${attributes.join('+')}`;
  // Asked of every verdict of every case: loops, since a callback for each would cost more than the question.
  const applies = (v: Verdict): boolean => {
    if (v.verdict !== 'hit' || v.attributes === null || (kind !== null && v.kind !== kind)) return false;
    for (const attribute of attributes) if (v.attributes[attribute] !== undefined) return true;
    return false;
  };
  const isRight = (v: Verdict): boolean => {
    if (!applies(v)) return false;
    for (const attribute of attributes) if (v.attributes?.[attribute] === false) return false;
    return true;
  };
  return declareQuotient({
    about: `matched pairs with ${attributes.join(' and ')} right / matched pairs that have it`,
    over: [{ key: `attributes-right:${key}`, of: (v: Verdict) => (isRight(v) ? v.weight : 0) }],
    under: [{ key: `attributes:${key}`, of: (v: Verdict) => (applies(v) ? v.weight : 0) }],
    nothing: `no matched pair has ${attributes.join(' or ')}`,
    zeroDivision,
  });
}

/**
 * evidence coverage = predicted items whose quote is a non-empty verbatim substring of the text / predicted items;
 * higher is better. Predictions that a rule dropped still count here: dropping must not hide them.
 * Undefined when nothing was predicted, or no quote was looked up (no text, or `prepare.ground` is off).
 * Example: 26 of 28 quotes found: 0.929.
 */
export function evidenceCoverage(params: FormParams<'evidence-coverage'>, zeroDivision: ZeroDivision): UnnamedMeasure {
  const { kind } = params;
  const quotes = (what: string, suits: (grounded: boolean) => boolean): Counter => ({
    key: `${what}:${kind ?? '*'}`,
    of({ predicted, kind: own }) {
      const grounded = kind === null || own === kind ? (predicted?.grounded ?? null) : null;
      return grounded !== null && suits(grounded) ? 1 : 0;
    },
  });
  return declareQuotient({
    about: 'predicted items whose quote stands verbatim in the text / predicted items',
    over: [quotes('quotes-found', (grounded) => grounded)],
    under: [quotes('quotes', () => true)],
    nothing: 'no prediction has a quote that was looked up',
    zeroDivision,
  });
}

/**
 * share of a verdict = verdicts of one sort / verdicts of the kind, or of those among them that count here; higher is
 * better for hits, lower for the others, unless the recipe sets it. Undefined when there is no such verdict.
 * Example: 45 summaries as agreed (hit), 5 not (spurious), share of spurious: 5 / 50 = 0.1.
 */
export function verdictShare(params: FormParams<'verdict-share'>, zeroDivision: ZeroDivision): UnnamedMeasure {
  const { kind, verdict, among } = params;
  const verdicts = (what: VerdictKind): Counter => ({
    key: `verdicts:${what}:${kind ?? '*'}`,
    plain: true,
    of: (v: Verdict) => (v.verdict === what && !v.setAside && (kind === null || v.kind === kind) ? v.weight : 0),
  });
  return declareQuotient({
    about: `${kind ?? ''} verdicts that are ${verdict} / those that are ${among.join(', ')}`.trimStart(),
    direction: usualDirection(verdict),
    over: [verdicts(verdict)],
    under: among.map(verdicts),
    nothing: `there is no ${kind ?? 'item'} that is ${among.join(' or ')}`,
    zeroDivision,
  });
}

function usualDirection(verdict: VerdictKind): Direction {
  return verdict === 'hit' ? 'higher' : 'lower';
}

/**
 * How many verdicts of a sort there are, by any rule or by some; worth 1 (`full`), less (`part`) or any. Higher is better
 * for hits, lower for the others, unless the recipe sets it. Never undefined: none is 0, a count and not a score.
 * Example: SemEval's PARTIAL is hits worth less than 1, INCORRECT is gold missed by the rule `incorrect`.
 */
export function verdictTotal(params: FormParams<'count'>): UnnamedMeasure {
  const { verdict, kind, rules, exceptRules, credit } = params;
  const suits = (v: Verdict): boolean =>
    v.verdict === verdict &&
    (kind === null || v.kind === kind) &&
    (rules.length === 0 || rules.includes(v.rule)) &&
    !exceptRules.includes(v.rule) &&
    (credit === 'any' || (credit === 'full') === (v.credit === 1));
  const key = `total:${verdict}:${kind ?? '*'}:${credit}:${rules.join('+')}-${exceptRules.join('+')}`;
  const counter = { key, plain: true, of: (v: Verdict) => (suits(v) ? v.weight : 0) };
  return declareCount(counter, { about: `number of ${verdict} items`, direction: usualDirection(verdict) });
}

/**
 * entity recall = entities of which every mention was hit / entities; higher is better. One mention left in the text
 * gives the person away, so a redaction protects an entity wholly or not at all (Pilán et al. 2022, Text Anonymization
 * Benchmark). Mentions of one entity have the same value in the gold field `group`; with `field`, only those with one of
 * `values` are asked for, each by itself, or all if the first is (`decides`), and `needless` ones need not be hit. Mentions
 * that left before pairing stay out; those that a rule excused count as not masked, since they can still be read.
 * Undefined when no gold item names its entity. Example: "Ann" twice and "Bo" once, one "Ann" left standing: 1 / 2.
 */
export function entityRecall(params: FormParams<'entity-recall'>, zeroDivision: ZeroDivision): UnnamedMeasure {
  const { group, field, values, decides = 'each', needless = null } = params;
  const isWanted = ({ gold }: Verdict): boolean => field === null || values.includes(String(gold?.fields[field]));
  const isMasked = (v: Verdict): boolean => v.verdict === 'hit' || (v.gold !== null && isNeedless(v.gold, needless));
  /** Of each entity that is asked for, whether all its mentions are masked. */
  const entities = (verdicts: readonly Verdict[]): boolean[] => {
    const named = verdicts.filter(({ gold, setAside }) => !setAside && isName(gold?.fields[group]));
    return [...Map.groupBy(named, ({ gold }) => String(gold?.fields[group])).values()].flatMap((all) => {
      const first = all.reduce((a, b) => ((b.gold?.index ?? 0) < (a.gold?.index ?? 0) ? b : a));
      const asked = decides === 'each' ? all.filter(isWanted) : isWanted(first) ? all : [];
      return asked.length === 0 ? [] : [asked.every(isMasked)];
    });
  };
  const counted = (what: string, count: (masked: readonly boolean[]) => number): CaseCounter => ({
    key: `${what}:${group}:${field ?? ''}=${values.join('|')}:${decides}:${JSON.stringify(needless)}`,
    ofCase(verdicts) {
      const masked = entities(verdicts);
      return masked.length === 0 ? null : count(masked);
    },
  });
  return declareQuotient({
    about: 'entities of which every mention was found / entities',
    byLabel: false,
    over: [counted('entities-masked', (masked) => masked.filter(Boolean).length)],
    under: [counted('entities', (masked) => masked.length)],
    nothing: `no gold item has ${group}${field === null ? '' : ` with ${field} ${values.join(' or ')}`}`,
    zeroDivision,
  });
}

function isName(entity: unknown): boolean {
  return typeof entity === 'string' || typeof entity === 'number';
}
