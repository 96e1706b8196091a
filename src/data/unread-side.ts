import { type ReadContext, roleColumns } from './data-options.ts';
import type { Row } from './format.ts';
import type { Fields } from './item.ts';
import { describe, isAnnotationList } from './record-fields.ts';

const LISTS = '(?:_(?:spans|entities|ents|mentions|(?:ner_)?(?:labels|tags)|ner|annotations|items|relations))?';

/** Names of lists with what a model gave: `predictions`, `pred_tags`, `spans_pred`. */
export const PREDICTED_NAME = new RegExp(`^pred(?:s|icted|ictions?)?${LISTS}$|_pred(?:s|icted|ictions?)?$`, 'i');

/** Names of the lists that a file of one side is expected to have, by its role. */
const NAMES = { gold: new RegExp(`^gold${LISTS}$|_gold$`, 'i'), predictions: PREDICTED_NAME } as const;

/** A record without its lists of what a model gave: what is left shows the format of gold. */
export function withoutPredictedLists(record: Fields): Fields {
  const isPredicted = ([name, value]: readonly [string, unknown]): boolean =>
    PREDICTED_NAME.test(name) && isAnnotationList(value);
  return Object.fromEntries(Object.entries(record).filter((field) => !isPredicted(field)));
}

/**
 * Reports a list that has the name of the wanted side and was not read, as in `{spans, predicted_spans}` given as
 * predictions: what was read instead may be the other side.
 */
export function reportUnreadSide({ line, fields }: Row, { role, options, file, problems }: ReadContext): void {
  if (role !== 'gold' && role !== 'predictions') return;
  const name = Object.keys(fields).find((field) => NAMES[role].test(field) && isAnnotationList(fields[field]));
  if (name === undefined || Object.keys(roleColumns(options.columns, role)).length > 0) return;
  const message = `another list was read as ${role}, found ${describe(fields[name])} here`;
  problems.add({ file, line, field: name, message, next: `read it with --columns spans=${name}, or rename it` });
}
