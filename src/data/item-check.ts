import { hasSurrogates } from '../text/characters.ts';
import { repairMojibake, type RepairedWords, repairWords } from '../text/mojibake.ts';
import { closestNames } from '../text/closest-names.ts';
import { type OffsetMap, offsetMap, type OffsetUnit } from '../text/offsets.ts';
import type { DataOptions } from './data-options.ts';
import { UNGIVEN } from './formats/span-items.ts';
import type { Item, Side } from './item.ts';
import type { Problems } from './problems.ts';
import { describe } from './record-fields.ts';
import { shorten } from './visible.ts';

/** What reading noticed and let pass by a policy: reported, because a silent policy is a trap. */
export interface ReadNotices {
  unansweredCases: number;
  unknownLabelsKept: number;
  unknownCasesAsSpurious: number;
  badSpansAsSpurious: number;
  uncheckedSpans: number;
  /** Only there when `mojibake: repair` repaired some. */
  textsRepaired?: number;
  /** Cases whose text looks misread; only there when some do. */
  documentsBroken?: number;
  /** Cases whose text `mojibake: repair` repaired; only there when it did. */
  documentsRepaired?: number;
  /** Only there when `missingGold: empty` let some pass. */
  casesWithoutGold?: number;
  /** Only there when a system's output lists items that it removed itself. */
  rejectedBySystem?: number;
  /** Only there when a system's output lists fields that it removed from items whose label does not have them. */
  fieldsTakenOff?: number;
}

/** Nothing noticed yet. */
export function noNotices(): ReadNotices {
  return {
    unansweredCases: 0,
    unknownLabelsKept: 0,
    unknownCasesAsSpurious: 0,
    badSpansAsSpurious: 0,
    uncheckedSpans: 0,
  };
}

/** Whose items are checked, and where what is found goes. */
export interface ItemCheck {
  readonly caseId: string;
  readonly text: string | null;
  readonly offsets: OffsetMap | null;
  /** The text without broken UTF-8, where it was repaired. */
  readonly repaired?: RepairedWords | null;
  readonly side: Side;
  readonly file: string;
  readonly options: DataOptions;
  readonly problems: Problems;
  readonly notices: ReadNotices;
}

/** Names the item as `J001 gold item 3`. */
function report(item: Item, check: ItemCheck, message: string, next: string | undefined, field = ''): void {
  const place = `${shorten(check.caseId)} ${check.side} item ${item.index}${field}`;
  check.problems.add({ file: check.file, line: item.line, field: place, message, next });
}

const UNIT_NAMES: Readonly<Record<OffsetUnit, string>> = {
  utf16: 'UTF-16 units',
  codepoint: 'characters',
  byte: 'bytes',
};

/** The map between the files' unit and UTF-16 for a text, or null where every offset stands for itself. */
export function offsetsFor(text: string | null, unit: OffsetUnit): OffsetMap | null {
  return text === null || (unit !== 'byte' && !hasSurrogates(text)) ? null : offsetMap(text, unit);
}

/** Spans, and entities with a place, with offsets in UTF-16, each inside the text and equal to its slice; what is not is reported or follows the policy. */
export function checkSpans(items: readonly Item[], check: ItemCheck): readonly Item[] {
  let out: Item[] | null = null;
  for (let at = 0; at < items.length; at += 1) {
    const item = items[at]!;
    const checked =
      item.kind === 'span' ? checkSpan(item, check) : item.kind === 'entity' ? checkEntity(item, check) : item;
    if (checked !== item && out === null) out = items.slice(0, at);
    out?.push(checked);
  }
  return out ?? items;
}

/** An entity is a name, and a span as well if it has a place. */
function checkEntity(item: Item, check: ItemCheck): Item {
  if (item.start !== -1 || item.end !== -1) return checkSpan(item, check);
  if (check.options.places !== 'required') return item;
  const next = 'give it start and end, or compare names: triples/exact needs no places';
  return bad(item, check, 'the entity has no place in the text', check.side === 'gold' ? next : undefined);
}

function checkSpan(item: Item, check: ItemCheck): Item {
  const { text, offsets } = check;
  if (item.start < 0 || item.end < 0) return bad(item, check, `${placed(item)} is negative`);
  if (item.end < item.start) return bad(item, check, `${placed(item)} is reversed`);
  if (item.end === item.start) return bad(item, check, `${placed(item)} is empty`);
  if (text === null) {
    check.notices.uncheckedSpans += 1;
    return item.text === UNGIVEN ? { ...item, text: '' } : item;
  }
  const length = offsets === null ? text.length : offsets.length;
  if (item.end > length) {
    const unit = UNIT_NAMES[check.options.offsets];
    const next = check.side === 'gold' ? unitHint(check) : undefined;
    return bad(item, check, `${placed(item)} is past the end of the text (${length} ${unit})`, next);
  }
  const start = offsets === null ? item.start : offsets.toUtf16(item.start);
  const end = offsets === null ? item.end : offsets.toUtf16(item.end);
  if (start < 0 || end < 0)
    return bad(item, check, `${placed(item)} begins or ends inside a character`, unitHint(check));

  const slice = text.slice(start, end);
  if (slice === item.text) return start === item.start && end === item.end ? item : { ...item, start, end };
  if (item.text === UNGIVEN) return { ...item, text: slice, start, end };
  if (repairMojibake(item.text) === slice || repairWords(slice)?.text === item.text) {
    if (check.options.mojibake === 'repair') {
      check.notices.textsRepaired = (check.notices.textsRepaired ?? 0) + 1;
      return { ...item, text: slice, start, end };
    }
    const [broken, meant] = repairMojibake(item.text) === slice ? [item.text, slice] : [slice, item.text];
    const message = `the text ${describe(broken)} is broken UTF-8 for ${describe(meant)}`;
    return bad(item, check, message, 'repair it with --set data.mojibake=repair');
  }
  const message = `the text of ${placed(item)} is ${describe(item.text)}, but the document has ${describe(slice)} there`;
  return bad(item, check, message, unitHint(check));
}

/** Items of a repaired document: offsets are mapped to the repaired text, and quotes and names are repaired too. */
export function repairedItems(items: readonly Item[], check: ItemCheck): readonly Item[] {
  const { repaired = null } = check;
  if (check.options.mojibake !== 'repair') return items;
  const repair = (text: string): string => repairWords(text)?.text ?? text;
  return items.map((item) => {
    if (item.kind !== 'span' && item.start < 0)
      return {
        ...item,
        text: repair(item.text),
        source: item.source && repair(item.source),
        target: item.target && repair(item.target),
      };
    if (repaired === null || item.start < 0) return item;
    const [start, end] = [repaired.placeOf(item.start), repaired.placeOf(item.end)];
    if (start < 0 || end < 0)
      return bad(item, check, `${placed(item)} begins or ends inside a broken character`, KEEP_BROKEN);
    return { ...item, start, end, text: repaired.text.slice(start, end) };
  });
}

const KEEP_BROKEN = 'end it between characters, or leave texts as they are with --set data.mojibake=report';

function placed(item: Item): string {
  return `the span ${item.start}..${item.end}`;
}

function unitHint({ options }: ItemCheck): string {
  return `offsets are read as ${options.offsets}; change with --set data.offsets=utf16|codepoint|byte`;
}

function bad(item: Item, check: ItemCheck, message: string, next?: string): Item {
  if (check.side === 'predicted' && check.options.badSpan === 'spurious') {
    check.notices.badSpansAsSpurious += 1;
    const text = item.text === UNGIVEN ? '' : item.text;
    return { ...item, text, start: -1, end: -1, refused: { start: item.start, end: item.end, because: message } };
  }
  const policy = 'or count such predictions as spurious: --set data.badSpan=spurious';
  const advice = check.side === 'predicted' && next === undefined ? policy : next;
  report(item, check, message, advice);
  return item;
}

/** Labels and field values against the lists the recipe names; unknown ones are counted or reported, by policy. */
export function checkValues(items: readonly Item[], check: ItemCheck): void {
  const { labels, values } = check.options;
  const fields = Object.keys(values);
  if (labels.length === 0 && fields.length === 0) return;
  for (const item of items) {
    if (labels.length > 0 && !labels.includes(item.label)) unknownLabel(item, check);
    for (const field of fields) {
      const value = Object.hasOwn(item.fields, field) ? item.fields[field] : undefined;
      const allowed = values[field]!;
      if (value === undefined || value === null || (typeof value === 'string' && allowed.includes(value))) continue;
      unknownValue(item, field, value, allowed, check);
    }
  }
}

function unknownLabel(item: Item, check: ItemCheck): void {
  const { side, options } = check;
  if (options.unknownLabel[side] === 'keep') {
    check.notices.unknownLabelsKept += 1;
    return;
  }
  const [near] = closestNames(item.label, options.labels, 1);
  const next = near === undefined ? `or allow it: --set data.unknownLabel.${side}=keep` : `did you mean ${near}?`;
  report(item, check, `the label ${describe(item.label)} is not one of ${options.labels.join(', ')}`, next);
}

function unknownValue(item: Item, field: string, value: unknown, allowed: readonly string[], check: ItemCheck): void {
  if (check.options.unknownValue[check.side] === 'keep') {
    check.notices.unknownLabelsKept += 1;
    return;
  }
  const message = `expected one of ${allowed.join(', ')}, found ${describe(value)}`;
  report(item, check, message, `or allow it: --set data.unknownValue.${check.side}=keep`, ` ${field}`);
}
