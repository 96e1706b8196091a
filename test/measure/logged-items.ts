import type { Logged } from '../../src/data/case.ts';
import { type Fields, type LoggedKind, makeItem } from '../../src/data/item.ts';
import { makeVerdict, type Verdict } from '../../src/judge/verdict.ts';

/** Something a system did, as a case brings it. */
export function logged(
  kind: LoggedKind,
  fields: Fields,
  verdict: Logged['verdict'] = 'excused',
  more: { index?: number; rule?: string } = {},
): Logged {
  const { index = 0, rule = 'logged' } = more;
  return { item: makeItem({ kind, index, label: kind, fields }), verdict, rule };
}

/** The same as the line of the ledger that it becomes. */
export function line(kind: LoggedKind, fields: Fields, verdict: Logged['verdict'] = 'excused'): Verdict {
  const { item } = logged(kind, fields);
  return makeVerdict({ case: 'c', scheme: null, kind, verdict, rule: 'logged', label: kind, predicted: item });
}
