import type { ItemsField, ReviewField, ReviewSection } from '../recipe/review-section.ts';
import type { CellValue, ItemAnswer, ReviewCell, ReviewItemRecord } from '../store/review-records.ts';
import type { ProposedItem, ReviewContent } from './content.ts';

export { cellFault } from './cell-fault.ts';

/** A question, or the part of one, as it is named in a refusal. */
export interface MissingCell {
  readonly field: string;
  readonly part: string | null;
}

/** A question by its name; null if the form has none, also for names that every object knows. */
export function fieldOf(form: ReviewSection, name: string): ReviewField | null {
  return Object.hasOwn(form.fields, name) ? form.fields[name]! : null;
}

/**
 * The questions that a person is asked of an item, in the order of the form: those for its kind, in its language, of one
 * of the person's groups. A question without groups is everybody's; a person without groups has every question.
 */
export function fieldsFor(
  form: ReviewSection,
  groups: readonly string[],
  { kind, language }: Pick<ReviewItemRecord, 'kind' | 'language'>,
): string[] {
  return Object.entries(form.fields)
    .filter(
      ([, { of, by, languages }]) =>
        of === kind &&
        (by.length === 0 || groups.length === 0 || by.some((group) => groups.includes(group))) &&
        (languages.length === 0 || (language !== null && languages.includes(language))),
    )
    .map(([name]) => name);
}

/**
 * What has to be answered before an item is done. A scale with dimensions is answered dimension by dimension, a checklist
 * item by item; things are labelled one by one, and stand for the question as a whole (part null). An optional question is
 * never missing, also where it was begun: what nobody ticked is left to the rule, and is not a no.
 *
 * `proposed` is what the item's content proposes for labelling. With it, a question for which nothing was proposed needs
 * no answer, and where things may not be removed each of them has to be there, whole or in parts.
 */
export function missingCells(
  form: ReviewSection,
  fields: readonly string[],
  cells: readonly ReviewCell[],
  proposed?: ReviewContent['proposed'],
): MissingCell[] {
  const given = new Map(cells.map(({ field, part, value }) => [JSON.stringify([field, part]), value]));
  const valueOf = (field: string, part: string | null): CellValue => given.get(JSON.stringify([field, part])) ?? null;
  return fields.flatMap((name) => {
    const field = fieldOf(form, name);
    if (field === null || field.optional) return [];
    if (field.type === 'items') {
      const own = proposed === undefined ? null : Object.hasOwn(proposed, name) ? proposed[name]! : [];
      return isLabelled(field, valueOf(name, null), own) ? [] : [{ field: name, part: null }];
    }
    return partsOf(field).flatMap((part) => (isOpen(field, valueOf(name, part)) ? [{ field: name, part }] : []));
  });
}

/** The parts in which a question is answered, in the order of the form; [null] for one that is answered as a whole. */
export function partsOf(field: ReviewField): (string | null)[] {
  if (field.type === 'checklist') return Object.keys(field.items);
  const dimensions = field.type === 'scale' ? Object.keys(field.dimensions) : [];
  return dimensions.length > 0 ? dimensions : [null];
}

function isOpen({ type }: ReviewField, value: CellValue): boolean {
  return value === null || (type === 'text' && typeof value === 'string' && value.trim() === '');
}

function isLabelled({ allow }: ItemsField, value: CellValue, proposed: readonly ProposedItem[] | null): boolean {
  if (!isAnswerList(value)) return proposed?.length === 0;
  const isWhole = proposed === null || allow.includes('remove') || proposed.every((one) => isAnswered(one, value));
  return isWhole && value.every(({ label }) => label !== null);
}

function isAnswered({ id, start, end }: ProposedItem, answers: readonly ItemAnswer[]): boolean {
  return answers.some(
    (answer) =>
      answer.id === id || answer.from.includes(id) || (start >= 0 && answer.start < end && start < answer.end),
  );
}

/** Whether an answer is a list of labelled things. */
export function isAnswerList(value: CellValue | undefined): value is readonly ItemAnswer[] {
  return Array.isArray(value);
}

/**
 * What of an item's content the given questions need. What belongs to others' questions stays behind: a system that
 * retrieves nothing is known by an answer without passages, and one that finds little by how little it proposes.
 */
export function contentFor(form: ReviewSection, fields: readonly string[], content: ReviewContent): ReviewContent {
  const shown = new Set(form.show.map(({ field }) => field));
  const things = fields.flatMap((name) => {
    const field = fieldOf(form, name);
    return field?.type === 'items' ? [{ name, field }] : [];
  });
  const wantsPassages = things.some(({ field }) => field.passages > 0);
  return {
    ...content,
    blocks: content.blocks.filter(({ name }) => shown.has(name)),
    proposed: Object.fromEntries(
      things.flatMap(({ name }) => (Object.hasOwn(content.proposed, name) ? [[name, content.proposed[name]!]] : [])),
    ),
    passages: wantsPassages ? content.passages : [],
  };
}
