import { type Item, NO_FIELDS } from '../../data/item.ts';
import type { Verdict } from '../../judge/verdict.ts';

/** What few verdicts have, as a line of the ledger has it; null: nothing. */
export function restOfVerdict({ credit, weight, match, attributes, setAside }: Verdict): object | null {
  if (credit === 1 && weight === 1 && match === null && attributes === null && !setAside) return null;
  return {
    ...(credit === 1 ? {} : { credit }),
    ...(weight === 1 ? {} : { weight }),
    ...(match === null ? {} : { match }),
    ...(attributes === null ? {} : { attributes }),
    ...(setAside ? { setAside } : {}),
  };
}

export function restOfItem(given: Item): object | null {
  const { kind, annotator, was, parts, grounded, ungrounded, refused, source, target, unresolved, fields } = given;
  const isRelationship = kind === 'relationship';
  if (fields === NO_FIELDS && !isRelationship && annotator === null && parts === null && grounded === null)
    if (was === undefined && ungrounded === undefined && refused === undefined && unresolved === undefined) return null;
  return {
    ...(annotator === null ? {} : { annotator }),
    was,
    ...(parts === null ? {} : { parts }),
    ...(grounded === null ? {} : { grounded }),
    ungrounded,
    refused,
    ...(isRelationship ? { source, target } : {}),
    unresolved,
    ...(fields === NO_FIELDS ? {} : { fields }),
  };
}
