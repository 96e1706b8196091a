import type { LedgerItem, LedgerRecord } from '../score/ledger.ts';
import { displayWidth, padEnd, padStart, truncate, wrapParts, wrapWords } from './display-width.ts';
import { count, figure } from '../text/figures.ts';
import type { AttributeField, Unit } from './recipe-facts.ts';
import { safeText } from './safe-text.ts';
import { type Style, VERDICT_LOOKS } from './style.ts';

/** A verdict with the number it is called by. */
export interface NumberedRecord {
  readonly number: number;
  readonly record: LedgerRecord;
}

export interface ItemContext {
  readonly style: Style;
  readonly width: number;
  readonly unit: Unit;
  readonly attributes: Readonly<Record<string, AttributeField>>;
  /** Number of the verdict that an item of one side stands in; null when it is not shown. */
  numberOf(side: 'gold' | 'predicted', kind: string, index: number): number | null;
}

const WIDEST_LABEL = 16;
const LEAST_ROOM = 36;
const VERDICT_WIDTH = 'spurious'.length;
/** A quote longer than this is cut in the middle of nowhere: the text above shows it whole. */
const LONGEST_QUOTE = 400;
/** What is quoted in full under its own number. */
const LONGEST_REPEATED = 40;

/** A verdict in full: what was decided, by which rule, about what, and what else came near. */
export function itemLines({ number, record }: NumberedRecord, labelWidth: number, context: ItemContext): string[] {
  const { style, width } = context;
  const look = VERDICT_LOOKS[record.verdict];
  const label = safeText(record.label);
  const lead = 4 + 1 + 2 + VERDICT_WIDTH + 2;
  const column = Math.min(labelWidth, WIDEST_LABEL);
  // A narrow window, or a label too long for its column: what follows goes below.
  const beside = width - lead - column - 2 >= LEAST_ROOM;
  const indent = beside ? lead + column + 2 : 7;
  const head = `${padStart(String(number), 4)} ${style.paint(`${look.symbol} ${padEnd(record.verdict, VERDICT_WIDTH)}`, look.tone)}`;
  const body = bodyLines(record, width - indent, context);
  const margin = ' '.repeat(indent);
  if (!beside || displayWidth(label) > column)
    return [`${head}  ${style.paint(truncate(label, width - lead))}`, ...body.map((line) => margin + line)];
  return body.map((line, at) => (at === 0 ? `${head}  ${style.paint(padEnd(label, column))}  ${line}` : margin + line));
}

function bodyLines(record: LedgerRecord, room: number, context: ItemContext): string[] {
  const { style } = context;
  const { gold, predicted } = record;
  const facts = factsOf(record, context.unit);
  const sides: string[] = [];
  if (gold !== undefined && predicted !== undefined && gold.text === predicted.text && sameRemarks(gold, predicted))
    sides.push(`${quoted(gold)}${remarks(predicted, record)}`);
  else {
    if (gold !== undefined) sides.push(`gold ${quoted(gold)}${remarks(gold, record)}`);
    if (predicted !== undefined) sides.push(`pred ${quoted(predicted)}${remarks(predicted, record)}`);
  }
  const out = sides.flatMap((side, at) => {
    const last = at === sides.length - 1;
    const lines = wrapWords(side, room);
    const end = lines.at(-1) ?? '';
    if (!last) return lines.map((line) => style.paint(line));
    if (displayWidth(end) + 3 + displayWidth(facts) <= room)
      return [
        ...lines.slice(0, -1).map((line) => style.paint(line)),
        `${style.paint(end)}${style.paint(` · ${facts}`, 'quiet')}`,
      ];
    return [
      ...lines.map((line) => style.paint(line)),
      ...wrapWords(facts, room).map((line) => style.paint(line, 'quiet')),
    ];
  });
  const attributes = attributeParts(record, context.attributes);
  if (attributes.length > 0) out.push(...wrapParts(attributes, ' · ', room).map((line) => paintWrong(line, style)));
  if (record.because !== undefined)
    out.push(...wrapWords(safeText(record.because), room).map((line) => style.paint(line)));
  const nearest = nearestText(record, context);
  if (nearest !== null) out.push(...wrapWords(nearest, room).map((line) => style.paint(line, 'quiet')));
  return out;
}

/** The text; behind it, for an id that says nothing to a reader, what it is called. */
function quoted(item: LedgerItem): string {
  if (item.text === '' && item.fields !== undefined) return truncate(safeText(listed(item.fields)), LONGEST_QUOTE);
  const name = item.fields?.['name'];
  const called = typeof name === 'string' && name !== item.text ? ` ${truncate(safeText(name), LONGEST_QUOTE)}` : '';
  return `"${truncate(safeText(item.text), LONGEST_QUOTE)}"${called}`;
}

/** What something without words of its own says in its fields. */
function listed(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(([name, value]) => `${name} ${typeof value === 'number' ? figure(value) : String(value)}`)
    .join(', ');
}

function sameRemarks(gold: LedgerItem, predicted: LedgerItem): boolean {
  return gold.label === predicted.label && predicted.was === undefined && gold.grounded === predicted.grounded;
}

/** What an item is beyond its text: another label than the verdict's, what it was, that its quote is nowhere. */
function remarks(item: LedgerItem, record: LedgerRecord): string {
  const parts = [
    ...(item.label === record.label || record.kind === 'relationship' ? [] : [item.label]),
    ...(item.was === undefined ? [] : [`was ${item.was}`]),
    ...(item.parts === undefined ? [] : [`merged from ${item.parts.length}`]),
    ...(item.grounded === false ? [item.ungrounded ?? 'not in the text'] : []),
    ...foundBy(item),
  ];
  return parts.length === 0 ? '' : ` (${safeText(parts.join(', '))})`;
}

/** How a rule came to an item that stands nowhere as such. */
function foundBy({ fields }: LedgerItem): string[] {
  const found = fields?.['found'];
  const read = fields?.['read'];
  const passedOver = fields?.['passed_over'];
  return [
    ...(typeof found === 'string' ? [`found “${found}”`] : []),
    ...(typeof passedOver === 'string' ? [passedOver] : []),
    ...(fields?.['by'] === 'expert' ? ['ticked by experts'] : []),
    ...(typeof read === 'string' ? [`read: ${read}`] : []),
  ];
}

/** The rule with the kind of match and the similarity, and what the verdict weighs where that is not 1. */
function factsOf(record: LedgerRecord, unit: Unit): string {
  const weight = record.weight ?? 1;
  const by = [
    record.rule,
    ...(record.match === undefined ? [] : [record.match]),
    ...(record.similarity === undefined ? [] : [figure(record.similarity)]),
  ].join(' ');
  const parts = [
    by,
    ...(record.credit === undefined || record.credit === 1 ? [] : [`worth ${figure(record.credit)}`]),
    ...(unit === 'item' && weight === 1 ? [] : [`${count(weight)} ${unit}${weight === 1 ? '' : 's'}`]),
  ];
  return safeText(parts.join(' · '));
}

function paintWrong(line: string, style: Style): string {
  return line
    .split(' · ')
    .map((part) => style.paint(part, part.includes(' ✗ ') ? 'warn' : null))
    .join(' · ');
}

/** What was wrong first: that is what one looks for. */
function attributeParts(record: LedgerRecord, fields: Readonly<Record<string, AttributeField>>): string[] {
  const judged = Object.entries(record.attributes ?? {});
  return [...judged.filter(([, right]) => !right), ...judged.filter(([, right]) => right)].map(([name, right]) => {
    const field = fields[name];
    const own = valueOf(record.gold, name, field);
    const given = valueOf(record.predicted, name, field);
    if (right) return safeText(`${name} ✓ ${own.value}${own.value === given.value ? '' : ` (as ${given.value})`}`);
    return safeText(`${name} ✗ gold ${own.value}${own.note}, pred ${given.value}${given.note}`);
  });
}

function valueOf(
  item: LedgerItem | undefined,
  name: string,
  field: AttributeField | undefined,
): { value: string; note: string } {
  const key = field?.field ?? name;
  const value = key === 'label' ? item?.label : item?.fields?.[key];
  if (value === undefined || value === null || value === '')
    return field?.missing == null ? { value: 'none', note: '' } : { value: field.missing, note: ' (not given)' };
  return { value: typeof value === 'string' ? value : JSON.stringify(value), note: '' };
}

function nearestText({ rejected, kind, gold }: LedgerRecord, context: ItemContext): string | null {
  if (rejected === undefined) return null;
  // The candidate of a gold item is a predicted one, and the other way round.
  const side = gold === undefined ? 'gold' : 'predicted';
  const number = context.numberOf(side, kind, rejected.index);
  const which = `${side === 'gold' ? 'gold' : 'pred'}${number === null ? '' : ` ${number}`}`;
  const text = truncate(safeText(rejected.text), number === null ? LONGEST_QUOTE : LONGEST_REPEATED);
  const isSaid = rejected.similarity === 0 || rejected.why.startsWith('similarity ');
  const similarity = isSaid ? '' : ` ${figure(rejected.similarity)}`;
  return safeText(`nearest ${which}: ${rejected.label} "${text}"${similarity}: ${rejected.why}`);
}
