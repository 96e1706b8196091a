import { describe, isRecord } from '../data/record-fields.ts';
import { shorten, visible } from '../data/visible.ts';
import type { Described, ItemsField, ReviewField, ReviewSection } from '../recipe/review-section.ts';
import type { CellValue, ItemAnswer, ReviewCell, ReviewItemRecord } from '../store/review-records.ts';
import type { ProposedItem, ReviewContent } from './content.ts';
import { lacksKind } from './corrections.ts';

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

/** What the parts of a question are called and mean; none for one that is answered as a whole. */
export function describedParts(field: ReviewField): Readonly<Record<string, Described>> {
  return field.type === 'checklist' ? field.items : field.type === 'scale' ? field.dimensions : {};
}

/** The parts in which a question is answered, in the order of the form; [null] for one that is answered as a whole. */
export function partsOf(field: ReviewField): (string | null)[] {
  const keys = Object.keys(describedParts(field));
  return keys.length > 0 || field.type === 'checklist' ? keys : [null];
}

export function titleOfPart(field: ReviewField, part: string | null): string {
  const parts = describedParts(field);
  return part !== null && Object.hasOwn(parts, part) ? parts[part]!.title : field.title;
}

function isOpen({ type }: ReviewField, value: CellValue): boolean {
  return value === null || (type === 'text' && typeof value === 'string' && value.trim() === '');
}

function isLabelled({ allow }: ItemsField, value: CellValue, proposed: readonly ProposedItem[] | null): boolean {
  if (!isAnswerList(value)) return proposed?.length === 0;
  const isWhole = proposed === null || allow.includes('remove') || proposed.every((one) => isAnswered(one, value));
  return isWhole && value.every((answer) => answer.label !== null && !lacksKind(allow, answer));
}

function isAnswered({ id, start, end }: ProposedItem, answers: readonly ItemAnswer[]): boolean {
  return answers.some(
    (answer) =>
      answer.id === id || answer.from.includes(id) || (start >= 0 && answer.start < end && start < answer.end),
  );
}

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

/** Beyond these an answer is no answer but an attack, or a slip of a program. */
export const LONGEST_ANSWER = 20_000;
export const MOST_THINGS = 2_000;
const LONGEST_ID = 200;
export const MOST_ORIGINS = 200;
const FURTHEST_PLACE = 100_000_000;
/** No key makes them, and files, terminals and spreadsheets do not survive them. */
const CONTROL = /[^\P{Cc}\n\t]/u;

/**
 * Why an answer is not possible, as half a sentence; null if it is. Nothing about the value is taken for granted: it
 * may come from anywhere. Null takes an answer back and is possible wherever the question is.
 */
export function cellFault(form: ReviewSection, cell: ReviewCell): string | null {
  const field = Object.hasOwn(form.fields, cell.field) ? form.fields[cell.field]! : null;
  if (field === null) return `the form has no question ${named(cell.field)}`;
  const value: unknown = cell.value;
  const part: unknown = cell.part;
  const wrongPart = partFault(field, part);
  if (wrongPart !== null) return wrongPart;
  if (value === null) return null;
  switch (field.type) {
    case 'scale':
      return typeof value === 'number' && Number.isInteger(value) && value >= field.from && value <= field.to
        ? null
        : `expected a whole number from ${field.from} to ${field.to}, found ${describe(value)}`;
    case 'choice':
      return isKey(field.options, value) ? null : `expected one of ${names(field.options)}, found ${describe(value)}`;
    case 'checklist':
      return tickFault(value, typeof part === 'string' && field.notApplicable.includes(part));
    case 'text':
      if (typeof value !== 'string') return `expected text, found ${describe(value)}`;
      return textFault(value);
    case 'items':
      return thingsFault(field, value);
  }
}

/** Why people's own words cannot be kept; null if they can. */
export function textFault(text: string, what = 'the text'): string | null {
  if (text.length > LONGEST_ANSWER) return tooLong(what, text);
  const control = CONTROL.exec(text);
  if (control !== null)
    return `${what} has a control character, ${visible(control[0])} at ${control.index + 1}: only line breaks and tabs are possible`;
  return text.isWellFormed() ? null : `${what} has half a character in it: a lone surrogate of UTF-16`;
}

function partFault(field: ReviewField, part: unknown): string | null {
  const parts = describedParts(field);
  if (Object.keys(parts).length === 0)
    return part === null ? null : `the question has no parts, found ${describe(part)}`;
  return isKey(parts, part) ? null : `expected a part of the question (${names(parts)}), found ${describe(part)}`;
}

function tickFault(value: unknown, mayNotApply: boolean): string | null {
  if (typeof value === 'boolean' || (value === 'na' && mayNotApply)) return null;
  if (value === 'na') return 'this item always applies: expected true or false, found "na"';
  return `expected true${mayNotApply ? ', false or "na"' : ' or false'}, found ${describe(value)}`;
}

function thingsFault(field: ItemsField, value: unknown): string | null {
  if (!Array.isArray(value)) return `expected a list, found ${describe(value)}`;
  if (value.length > MOST_THINGS) return `a list of ${value.length} is too long: ${MOST_THINGS} are the most`;
  const ids = new Set<unknown>();
  for (const [at, thing] of value.entries()) {
    const fault = isRecord(thing) ? thingFault(field, thing, ids) : `expected an object, found ${describe(thing)}`;
    if (fault !== null) return `entry ${at + 1}: ${fault}`;
  }
  return null;
}

function thingFault(field: ItemsField, thing: Readonly<Record<string, unknown>>, ids: Set<unknown>): string | null {
  const { id, start, end, text, label, note, kind, from } = thing;
  if (!isId(id)) return `id: expected a text of up to ${LONGEST_ID} characters, found ${describe(id)}`;
  if (ids.has(id)) return `id: ${describe(id)} is there twice`;
  ids.add(id);
  if (!isPlace(start, end))
    return `expected start and end to be places in the text, or -1 both, found ${describe(start)} and ${describe(end)}`;
  if (typeof text !== 'string' || text.trim() === '') return `text: expected some, found ${describe(text)}`;
  // Words of the text under review, whatever they are: only their length is ours to judge.
  if (text.length > LONGEST_ANSWER) return tooLong('text', text);
  if (label !== null && !isKey(field.labels, label))
    return `label: expected one of ${names(field.labels)}, or null, found ${describe(label)}`;
  if (note !== undefined && typeof note !== 'string') return `note: expected text, found ${describe(note)}`;
  const noteFault = note === undefined ? null : textFault(note, 'note');
  if (noteFault !== null) return noteFault;
  const wrongKind = kind === undefined ? null : kindFault(field, kind);
  if (wrongKind !== null) return wrongKind;
  if (!Array.isArray(from) || from.length > MOST_ORIGINS || !from.every(isId))
    return `from: expected a list of up to ${MOST_ORIGINS} ids, found ${describe(from)}`;
  return null;
}

function kindFault({ allow, kinds = [], otherKinds = false }: ItemsField, kind: unknown): string | null {
  if (!allow.includes('relabel')) return 'kind: the form does not let labels be corrected';
  if (typeof kind !== 'string' || kind.trim() === '' || kind.length > LONGEST_ID)
    return `kind: expected a text of up to ${LONGEST_ID} characters, found ${describe(kind)}`;
  if (!kinds.includes(kind) && !otherKinds)
    return `kind: expected one of ${shorten(kinds.join(', '), 200)}, found ${describe(kind)}`;
  return textFault(kind, 'kind');
}

function isId(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST_ID;
}

function isPlace(start: unknown, end: unknown): boolean {
  if (start === -1 && end === -1) return true;
  return (
    Number.isInteger(start) &&
    Number.isInteger(end) &&
    Number(start) >= 0 &&
    Number(end) > Number(start) &&
    Number(end) <= FURTHEST_PLACE
  );
}

function isKey(record: object, key: unknown): boolean {
  return typeof key === 'string' && Object.hasOwn(record, key);
}

function names(record: object): string {
  return shorten(Object.keys(record).join(', '), 200);
}

function named(name: unknown): string {
  return typeof name === 'string' ? visible(shorten(name)) : describe(name);
}

function tooLong(what: string, text: string): string {
  return `${what} has ${text.length} characters, and ${LONGEST_ANSWER} are the most`;
}
