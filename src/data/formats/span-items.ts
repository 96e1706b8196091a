import type { ReadContext } from '../format.ts';
import { type Fields, type Item, makeItem, NO_FIELDS } from '../item.ts';
import { isRecord, wrong } from '../record-fields.ts';

/** The names under which a shape keeps the parts of a span. */
export interface SpanNames {
  readonly start: string;
  readonly end: string;
  readonly label: string;
  readonly text: string;
  readonly annotator?: string;
}

/** Spans of a JSON list. Whether they lie inside the text is checked once the text is known. */
export function spanItems(
  list: readonly unknown[],
  names: SpanNames,
  where: string,
  line: number,
  context: ReadContext,
): Item[] {
  const items: Item[] = [];
  const known = names.annotator === undefined ? 4 : 5;
  for (let index = 0; index < list.length; index += 1) {
    const raw = list[index];
    if (!isRecord(raw)) {
      wrong(context, line, `${where}[${index}]`, 'a span (an object with start, end and label)', raw);
      continue;
    }
    const start = raw[names.start];
    const end = raw[names.end];
    const label = raw[names.label];
    const text = raw[names.text];
    if (typeof start !== 'number' || !Number.isInteger(start))
      wrong(context, line, `${where}[${index}].${names.start}`, 'a whole number', start);
    else if (typeof end !== 'number' || !Number.isInteger(end))
      wrong(context, line, `${where}[${index}].${names.end}`, 'a whole number', end);
    else if (typeof label !== 'string' || label === '')
      wrong(context, line, `${where}[${index}].${names.label}`, 'a label', label);
    else if (text !== undefined && text !== null && typeof text !== 'string')
      wrong(context, line, `${where}[${index}].${names.text}`, 'text', text);
    else {
      const annotator = names.annotator === undefined ? null : raw[names.annotator];
      items.push(
        makeItem({
          kind: 'span',
          index,
          label,
          // A span without text takes its slice later; U+0000 cannot be confused with a given empty text.
          text: text ?? UNGIVEN,
          start,
          end,
          line,
          fields: hasMoreThan(raw, known) ? raw : NO_FIELDS,
          annotator: typeof annotator === 'string' ? annotator : null,
        }),
      );
    }
  }
  return items;
}

/** Stands for the text of a span whose record gave none. */
export const UNGIVEN = '\u0000';

function hasMoreThan(record: Fields, count: number): boolean {
  let seen = 0;
  for (const _ in record) {
    seen += 1;
    if (seen > count) return true;
  }
  return false;
}
