import type { Item } from '../../data/item.ts';
import type { PairSettings } from '../../pair/criterion.ts';
import type { Plan } from '../../recipe/plan.ts';
import type { ScoredRow } from '../paired-sets.ts';

/**
 * Whether a variant comes to what the whole recipe came to in a case, as far as that can be seen without scoring. It can
 * where the two only choose differently among rivals: where no prediction can be a pair with two gold items, all ways to
 * choose take the first of the predictions that are the same.
 */
export function sameResult(variant: Plan, whole: Plan): (row: ScoredRow) => boolean {
  if (variant === whole) return () => true;
  const isOtherwiseSame =
    isSameList(variant.prepare, whole.prepare) &&
    isSameList(variant.judge, whole.judge) &&
    variant.judgeAttributes === whole.judgeAttributes &&
    variant.data === whole.data;
  const [own, others] = [variant.schemes[0]!.pair, whole.schemes[0]!.pair];
  if (!isOtherwiseSame || own.size !== others.size) return () => false;
  let haveSameOrder = true;
  for (const [kind, settings] of own) {
    if (kind !== 'span' || !onlyChoosesDifferently(settings, others.get(kind))) return () => false;
    haveSameOrder &&= settings.ties === others.get(kind)?.ties;
  }
  return ({ case: { gold, predicted } }) => haveOwnPlaces(gold) && (haveSameOrder || haveOwnPlaces(predicted));
}

function isSameList(one: readonly object[], other: readonly object[]): boolean {
  return one.length === other.length && one.every((step, at) => step === other[at]);
}

/** Spans must be the same to be a pair, by both of the settings. */
function onlyChoosesDifferently(own: PairSettings, other: PairSettings | undefined): boolean {
  if (other === undefined || own.unit !== 'item' || other.unit !== 'item') return false;
  const [first, ...more] = own.accept;
  const isExact = first?.similarity === 'exact' && first.own === null && first.tolerance === 0 && more.length === 0;
  return isExact && other.accept.length === 1 && JSON.stringify(first) === JSON.stringify(other.accept[0]);
}

function haveOwnPlaces(items: readonly Item[]): boolean {
  let isRising = true;
  for (let at = 0; at < items.length; at += 1) {
    const { start, end } = items[at]!;
    if (start < 0) return false;
    const before = items[at - 1];
    if (before === undefined || before.start < start) continue;
    if (before.start > start || before.end > end) isRising = false;
    else if (before.end === end) return false;
  }
  return isRising || new Set(items.map(({ start, end }) => `${start} ${end}`)).size === items.length;
}
