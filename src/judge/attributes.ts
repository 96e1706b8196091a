import type { Item } from '../data/item.ts';
import { normalise, type Normaliser } from '../text/normalise.ts';
import type { Verdict } from './verdict.ts';

/** A property of a paired item that is right or wrong: polarity, a bucket, an entity's type. */
export interface Attribute {
  readonly name: string;
  /** The field of the item; `label` is its label. */
  readonly field: string;
  /** Labels for which it applies; none means all. */
  readonly labels: readonly string[];
  readonly kind: string | null;
  /** What a missing value stands for; null where nothing does, and then a pair in which both lack it is not judged. */
  readonly missing: string | null;
  readonly normalise: readonly Normaliser[];
  /** Groups of values that count as the same. */
  readonly equivalent: readonly (readonly string[])[];
  /** A gold field that lists further right answers. */
  readonly acceptable: string | null;
}

/** Judges the attributes of every hit. `unknown` equals only `unknown`: comparing is plain equality after normalisation. */
export function attributeJudge(attributes: readonly Attribute[]): (verdicts: readonly Verdict[]) => readonly Verdict[] {
  if (attributes.length === 0) return (verdicts) => verdicts;
  const judges = attributes.map((attribute) => ({ attribute, judge: judgeOf(attribute) }));
  return (verdicts) =>
    verdicts.map((verdict) => {
      const { gold, predicted } = verdict;
      if (verdict.verdict !== 'hit' || gold === null || predicted === null) return verdict;
      const outcome: Record<string, boolean> = {};
      let any = false;
      for (const { attribute, judge } of judges) {
        if (attribute.kind !== null && attribute.kind !== verdict.kind) continue;
        if (attribute.labels.length > 0 && !attribute.labels.includes(gold.label)) continue;
        const right = judge(gold, predicted);
        if (right === null) continue;
        outcome[attribute.name] = right;
        any = true;
      }
      return any ? { ...verdict, attributes: outcome } : verdict;
    });
}

/** Whether the predicted value is right; null when neither side has one. */
function judgeOf(attribute: Attribute): (gold: Item, predicted: Item) => boolean | null {
  const same = sameValues(attribute);
  return (gold, predicted) => {
    const given = valueOf(attribute, predicted);
    const right = valueOf(attribute, gold);
    if (given === null || right === null) return given === right ? null : false;
    if (same(given, right)) return true;
    const also = attribute.acceptable === null ? undefined : gold.fields[attribute.acceptable];
    const more: readonly unknown[] = Array.isArray(also) ? also : [also];
    return more.some((value) => typeof value === 'string' && normalise(value, attribute.normalise) === given);
  };
}

/** Whether two values, as they are compared, count as the same. */
export function sameValues({
  equivalent,
  normalise: steps,
}: Attribute): (a: string | null, b: string | null) => boolean {
  const groups = equivalent.map((group) => new Set<string | null>(group.map((value) => normalise(value, steps))));
  return (a, b) => a === b || groups.some((group) => group.has(a) && group.has(b));
}

/** The value as it is compared; null if it is absent and has no default. */
export function valueOf(attribute: Attribute, item: Item): string | null {
  const raw = attribute.field === 'label' ? item.label : item.fields[attribute.field];
  const value = raw === undefined || raw === null || raw === '' ? attribute.missing : textOf(raw);
  return value === null ? null : normalise(value, attribute.normalise);
}

function textOf(raw: unknown): string {
  return typeof raw === 'string' ? raw : JSON.stringify(raw);
}
