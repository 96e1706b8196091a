import type { Span } from '../../text/span.ts';
import type { MissingList, ReadContext, Row } from '../format.ts';
import { type Fields, type Item, type ItemKind, makeItem, NO_FIELDS } from '../item.ts';
import { mayKeepAll, wrong } from '../record-fields.ts';
import { UNGIVEN } from './span-items.ts';

/** A marked place as a file has it, nothing of it checked yet. */
export interface MentionInit {
  readonly start?: unknown;
  readonly end?: unknown;
  readonly label: unknown;
  readonly text?: unknown;
  /** What relations call it. */
  readonly id?: unknown;
  readonly annotator?: unknown;
  /** Several places that are one mention, in the order of the text. */
  readonly fragments?: readonly Span[];
  /** What else is known of it. */
  readonly fields?: Fields;
}

export interface RelationInit {
  readonly label: unknown;
  /** What the mentions are called: their ids, or, if they have none, their texts. */
  readonly source: unknown;
  readonly target: unknown;
  readonly id?: unknown;
  readonly annotator?: unknown;
  readonly fields?: Fields;
}

/** What a recipe that pairs no spans has in their place, the likeliest first. */
const INSTEAD_OF_SPANS: readonly ItemKind[] = ['span', 'entity', 'object'];

/** Where in a file something was read: `field` is what messages call it. */
export type ReadPlace = Readonly<{ index: number; line: number; field: string; context: ReadContext }>;

/**
 * A mention as an item of the kind that the recipe pairs: a span, an entity or an object. Without a place, or with -1 for both ends, it is a quote, to be found in the text. Whether places
 * are in the text is checked once that is known. Null, with a problem noted, if it is neither.
 */
export function mentionItem(init: MentionInit, { index, line, field, context }: ReadPlace): Item | null {
  const bad = (part: string, expected: string, found: unknown): null =>
    wrong(context, line, field === '' ? part : `${field}.${part}`, expected, found);
  const label = nameOf(init.label);
  if (label === null) return bad('label', 'a label', init.label);
  const text = init.text ?? UNGIVEN;
  if (typeof text !== 'string') return bad('text', 'text', text);
  const place = { start: init.start ?? -1, end: init.end ?? -1 };
  const isQuote = place.start === -1 && place.end === -1;
  if (isQuote && text === UNGIVEN) return bad('start', 'a start and an end, or the text of a quote', init.start);
  for (const part of ['start', 'end'] as const)
    if (!Number.isSafeInteger(place[part])) return bad(part, 'a whole number below 2^53', init[part]);
  const kind = INSTEAD_OF_SPANS.find((one) => context.kinds?.includes(one) !== false) ?? 'span';
  const fields = fieldsOf(kind === 'entity' ? 'temp_id' : 'id', init.id, init.fields);
  if (!mayKeepAll(fields, field, line, context)) return null;
  const { start, end } = { start: Number(place.start), end: Number(place.end) };
  const annotator = nameOf(init.annotator);
  const item = makeItem({ kind, index, label, text, start, end, line, annotator, fields });
  return init.fragments === undefined || init.fragments.length < 2 ? item : { ...item, fragments: init.fragments };
}

/** A relation between two mentions as an item. Null, with a problem noted, if an end or the type is missing. */
export function relationItem(init: RelationInit, { index, line, field, context }: ReadPlace): Item | null {
  const bad = (part: string, expected: string, found: unknown): null =>
    wrong(context, line, field === '' ? part : `${field}.${part}`, expected, found);
  // Models leave ends empty: such a relation is read, and never right.
  const endOf = (end: unknown): string | null => (end === '' ? '' : nameOf(end));
  const [label, source, target] = [nameOf(init.label), endOf(init.source), endOf(init.target)];
  if (label === null) return bad('label', 'a relation type', init.label);
  if (source === null) return bad('source', 'a name or reference', init.source);
  if (target === null) return bad('target', 'a name or reference', init.target);
  const fields = fieldsOf('id', init.id, init.fields);
  if (!mayKeepAll(fields, field, line, context)) return null;
  const text = `${source} --${label}--> ${target}`;
  const annotator = nameOf(init.annotator);
  return makeItem({ kind: 'relationship', index, label, text, source, target, line, annotator, fields });
}

/**
 * What the items of a file with one side mean for a case: gold, unless the file was given as predictions. Relations that
 * the recipe does not pair are left out and counted. In a file of cases, an absent list may mean that only texts are there:
 * the other cases decide.
 */
export function sideOfRole(
  items: readonly Item[] | null,
  { role, kinds }: Pick<ReadContext, 'role' | 'kinds'>,
  missingList: MissingList | null = null,
): Pick<Row, 'gold' | 'predicted' | 'leftOut' | 'missingList'> {
  if (missingList !== null && items !== null)
    return { ...sideOfRole(role === 'cases' ? null : items, { role }), missingList };
  const isPaired = ({ kind }: Item): boolean => kind !== 'relationship' || kinds?.includes(kind) !== false;
  const kept = items?.filter(isPaired) ?? null;
  const leftOut = items?.filter((item) => !isPaired(item)).map(({ text }) => `relationship ${text}`) ?? [];
  return {
    ...(role === 'predictions' ? { gold: null, predicted: kept } : { gold: kept, predicted: null }),
    ...(leftOut.length === 0 ? {} : { leftOut }),
  };
}

/** Names are text from here on; files have numbers for ids, labels and annotators too. */
function nameOf(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : null;
}

function fieldsOf(key: string, id: unknown, given: Fields = NO_FIELDS): Fields {
  const name = nameOf(id);
  return name === null ? given : { [key]: name, ...given };
}
