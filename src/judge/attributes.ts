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
  /** What a missing value stands for. */
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
  return (verdicts) =>
    verdicts.map((verdict) => {
      const { gold, predicted } = verdict;
      if (verdict.verdict !== 'hit' || gold === null || predicted === null) return verdict;
      const outcome: Record<string, boolean> = {};
      let any = false;
      for (const attribute of attributes) {
        if (attribute.kind !== null && attribute.kind !== verdict.kind) continue;
        if (attribute.labels.length > 0 && !attribute.labels.includes(gold.label)) continue;
        outcome[attribute.name] = isRight(attribute, gold, predicted);
        any = true;
      }
      return any ? { ...verdict, attributes: outcome } : verdict;
    });
}

function isRight(attribute: Attribute, gold: Item, predicted: Item): boolean {
  const given = valueOf(attribute, predicted);
  const right = valueOf(attribute, gold);
  if (given === right) return true;
  if (given === null || right === null) return false;
  if (attribute.equivalent.some((group) => group.includes(given) && group.includes(right))) return true;
  const also = attribute.acceptable === null ? undefined : gold.fields[attribute.acceptable];
  return (
    Array.isArray(also) &&
    also.some((value) => typeof value === 'string' && normalise(value, attribute.normalise) === given)
  );
}

/** The value as it is compared; null when there is none and none stands in for it. */
export function valueOf(attribute: Attribute, item: Item): string | null {
  const raw = attribute.field === 'label' ? item.label : item.fields[attribute.field];
  const value =
    raw === undefined || raw === null || raw === ''
      ? attribute.missing
      : typeof raw === 'string'
        ? raw
        : JSON.stringify(raw);
  return value === null ? null : normalise(value, attribute.normalise);
}
