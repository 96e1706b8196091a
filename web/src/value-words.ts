import type { ReviewField } from '../../src/recipe/review-section.ts';
import type { CellValue, ItemAnswer } from '../../src/store/review-records.ts';

/** An answer as its question shows it: the point with its anchor, the title of a class or a label. */
export function valueWords(question: ReviewField | undefined, value: CellValue): string {
  if (value === null) return 'No answer';
  if (typeof value === 'object') return listWords(question, value);
  switch (question?.type) {
    case 'scale': {
      const anchor = own(question.anchors, String(value));
      return anchor === undefined ? String(value) : `${value}: ${anchor}`;
    }
    case 'choice':
      return own(question.options, String(value))?.title ?? String(value);
    case 'items':
      return own(question.labels, String(value))?.title ?? String(value);
    case 'checklist':
      return tickWords(value);
    case 'text':
    case undefined:
      return String(value);
  }
}

/** How somebody cut a stretch of the text, and what the pieces were called. */
function listWords(question: ReviewField | undefined, things: readonly ItemAnswer[]): string {
  if (things.length === 0) return 'Nothing here';
  const counts = new Map<string, number>();
  for (const { label, kind } of things) {
    const given = label === null ? 'no label' : valueWords(question, label);
    const title = kind === undefined ? given : `${given} (${kind})`;
    counts.set(title, (counts.get(title) ?? 0) + 1);
  }
  const labels = [...counts].map(([title, count]) => (count === 1 ? title : `${count} × ${title}`)).join(', ');
  return `${things.length === 1 ? 'In one piece' : `In ${things.length} pieces`}: ${labels}`;
}

function tickWords(value: string | number | boolean): string {
  if (value === true) return 'Yes';
  if (value === false) return 'No';
  return value === 'na' ? 'Not applicable' : String(value);
}

/** What a part of a question is called: a dimension, an item of a checklist; null if it has no name. */
export function partTitle(question: ReviewField | undefined, part: string | null): string | null {
  if (part === null) return null;
  if (question?.type === 'scale') return own(question.dimensions, part)?.title ?? part;
  if (question?.type === 'checklist') return own(question.items, part)?.title ?? part;
  return question?.type === 'items' ? null : part;
}

/** What is asked, short enough for a list: the heading, or else the question, with the part of it. */
export function questionWords(question: ReviewField | undefined, field: string, part: string | null): string {
  if (question === undefined) return field;
  const name = partTitle(question, part);
  const heading = question.section === '' ? question.title : question.section;
  return name === null ? heading : `${heading}: ${name}`;
}

/** Names come from people's forms: what is not the record's own (`constructor`) is not there. */
function own<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
