import { z } from 'zod';

import type { Case, SetAside } from '../data/case.ts';
import type { Item, Side } from '../data/item.ts';

/** What a rule of `prepare` becomes: one case in, one out, or several where a case is scored once per annotator. */
export type PrepareStep = (given: Case) => Case | readonly Case[];

export const sideParam = z.enum(['gold', 'predicted', 'both']);
export type SideParam = z.infer<typeof sideParam>;

/** Applies a change of items to the sides a rule names. */
export function onSide(
  given: Case,
  side: SideParam,
  change: (items: readonly Item[], side: Side) => readonly Item[],
): Case {
  return {
    ...given,
    gold: side === 'predicted' ? given.gold : change(given.gold, 'gold'),
    predicted: side === 'gold' ? given.predicted : change(given.predicted, 'predicted'),
  };
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
