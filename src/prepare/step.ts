import { z } from 'zod';

import type { Case, SetAside } from '../data/case.ts';
import type { Item, Side } from '../data/item.ts';
import type { Normaliser } from '../text/normalise.ts';
import { placeKey } from '../text/pieces.ts';
import { makeRule, type Rule, type RuleInit } from './rule.ts';

/** What a rule of `prepare` becomes: one case in, one out, or several where a case is scored once per annotator. */
export type PrepareStep = (given: Case) => Case | readonly Case[];

/** A named step that makes texts comparable. */
export const normaliserName = z.enum([
  'lower',
  'trim',
  'collapse',
  'separators',
  'nfc',
  'punctuation',
  'diacritics',
] satisfies readonly Normaliser[]);

export const sideParam = z.enum(['gold', 'predicted', 'both']);
export type SideParam = z.infer<typeof sideParam>;

export function prepareRule<Params extends object>(rule: RuleInit<PrepareStep, Params>): Rule<PrepareStep> {
  return makeRule(rule);
}

/** Applies a change of items to the sides a rule names. */
export function onSide(
  given: Case,
  side: SideParam,
  change: (items: readonly Item[], side: Side) => readonly Item[],
): Case {
  const gold = side === 'predicted' ? given.gold : change(given.gold, 'gold');
  return { ...given, gold, predicted: side === 'gold' ? given.predicted : change(given.predicted, 'predicted') };
}

/** Takes items out of the scoring while keeping them for the ledger. */
export function setAsideWhere(
  given: Case,
  side: SideParam,
  rule: string,
  because: (item: Item, side: Side) => string | null,
): Case {
  const out: SetAside[] = [];
  const kept = onSide(given, side, (items, own) =>
    items.filter((item) => {
      const reason = because(item, own);
      if (reason !== null) out.push({ side: own, item, rule, because: reason });
      return reason === null;
    }),
  );
  return out.length === 0 ? given : { ...kept, setAside: [...given.setAside, ...out] };
}

/** Equal for items of one kind, label and place (or text and ends, where they have no place), and for no others. */
export function itemKey(item: Item, plain: (text: string) => string = (text) => text): string {
  const { kind, label, start, text, source, target, ends } = item;
  const names = [start >= 0 ? null : text, source, target].map((name) => (name === null ? null : plain(name)));
  const joined = ends === undefined ? [] : [ends.source, ends.target].map((end) => end && [placeKey(end), end.label]);
  return JSON.stringify([kind, plain(label), placeKey(item), ...names, ...joined]);
}
