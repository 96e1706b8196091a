import type { LedgerItem, LedgerRecord } from '../score/ledger.ts';
import { count, figure } from '../text/figures.ts';
import { truncate } from './display-width.ts';
import { type Piece, quiet, type Text } from './document.ts';
import type { AttributeField, Unit } from './recipe-facts.ts';

/** What the texts of a verdict depend on. */
export interface VerdictContext {
  readonly unit: Unit;
  readonly attributes: Readonly<Record<string, AttributeField>>;
  /** Number of the verdict that has an item of one side; null if it is not shown. */
  readonly numberOf: (side: 'gold' | 'predicted', kind: string, index: number) => number | null;
}

/** A quote that is longer is cut: the text above shows it whole. */
const LONGEST_QUOTE = 300;
/** Of what is quoted in full under its own number. */
const LONGEST_REPEATED = 40;

/** About what was decided and by which rule, the attributes, the reason, and the closest candidate: a line each. */
export function verdictTexts(record: LedgerRecord, context: VerdictContext): Text[] {
  const sides = sideTexts(record);
  const attributes = attributePieces(record, context.attributes);
  const closest = closestText(record, context);
  return [
    ...sides.slice(0, -1),
    [{ text: sides.at(-1) ?? '' }, quiet(` · ${ruleText(record, context.unit)}`)],
    ...(attributes.length === 0 ? [] : [attributes]),
    ...(record.because === undefined ? [] : [record.because]),
    ...(closest === null ? [] : [quiet(closest)]),
  ];
}

/** The quotes of both sides, or one if they are the same. */
function sideTexts(record: LedgerRecord): string[] {
  const { gold, predicted } = record;
  if (gold !== undefined && predicted !== undefined && isAlike(gold, predicted))
    return [`${quoteText(gold)}${remarkText(predicted, record)}`];
  return (['gold', 'predicted'] as const).flatMap((side) => {
    const item = record[side];
    return item === undefined ? [] : [`${sideWord(side)} ${quoteText(item)}${remarkText(item, record)}`];
  });
}

function isAlike(gold: LedgerItem, predicted: LedgerItem): boolean {
  return (
    gold.text === predicted.text &&
    gold.label === predicted.label &&
    predicted.was === undefined &&
    gold.grounded === predicted.grounded
  );
}

function sideWord(side: 'gold' | 'predicted'): string {
  return side === 'gold' ? 'gold' : 'pred';
}

/** The text, with the name that an id has; the fields of an item without a text. */
function quoteText({ text, fields }: LedgerItem): string {
  if (text === '' && fields !== undefined) return truncate(fieldsText(fields), LONGEST_QUOTE);
  const name = fields?.['name'];
  const called = typeof name === 'string' && name !== text ? ` ${truncate(name, LONGEST_QUOTE)}` : '';
  return `"${truncate(text, LONGEST_QUOTE)}"${called}`;
}

function fieldsText(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(([name, value]) => `${name} ${typeof value === 'number' ? figure(value) : String(value)}`)
    .join(', ');
}

/** What an item is beyond its text: another label than the verdict's, what it was, how it was found. */
function remarkText(item: LedgerItem, { label, kind }: LedgerRecord): string {
  const { found, read, passed_over: passedOver, by } = item.fields ?? {};
  const parts = [
    ...(item.label === label || kind === 'relationship' ? [] : [item.label]),
    ...(item.was === undefined ? [] : [`was ${item.was}`]),
    ...(item.parts === undefined ? [] : [`merged from ${item.parts.length}`]),
    ...(item.grounded === false ? [item.ungrounded ?? 'not in the text'] : []),
    ...(typeof found === 'string' ? [`found “${found}”`] : []),
    ...(typeof passedOver === 'string' ? [passedOver] : []),
    ...(by === 'expert' ? ['ticked by experts'] : []),
    ...(typeof read === 'string' ? [`read: ${read}`] : []),
  ];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

/** The rule with the kind of match and the similarity, and what the verdict weighs if that is not 1. */
function ruleText({ rule, match, similarity, credit = 1, weight = 1 }: LedgerRecord, unit: Unit): string {
  const by = [rule, ...(match === undefined ? [] : [match]), ...(similarity === undefined ? [] : [figure(similarity)])];
  return [
    by.join(' '),
    ...(credit === 1 ? [] : [`worth ${figure(credit)}`]),
    ...(unit === 'item' && weight === 1 ? [] : [`${count(weight)} ${unit}${weight === 1 ? '' : 's'}`]),
  ].join(' · ');
}

/** What was wrong first: that is what one looks for. */
function attributePieces(
  { attributes = {}, gold, predicted }: LedgerRecord,
  fields: VerdictContext['attributes'],
): Piece[] {
  const judged = Object.entries(attributes).toSorted(([, a], [, b]) => Number(a) - Number(b));
  return judged.map(([name, isRight], at) => {
    const [expected, actual] = [gold, predicted].map((item) => attributeValue(item, name, fields[name]));
    const text = isRight
      ? `${name} ✓ ${expected!.value}${expected!.value === actual!.value ? '' : ` (as ${actual!.value})`}`
      : `${name} ✗ gold ${expected!.value}${expected!.note}, pred ${actual!.value}${actual!.note}`;
    return { text: `${at === 0 ? '' : ' · '}${text}`, tone: isRight ? null : 'warn' };
  });
}

function attributeValue(
  item: LedgerItem | undefined,
  name: string,
  field: AttributeField | undefined,
): { readonly value: string; readonly note: string } {
  const key = field?.field ?? name;
  const value = key === 'label' ? item?.label : item?.fields?.[key];
  if (value === undefined || value === null || value === '')
    return field?.missing == null ? { value: 'none', note: '' } : { value: field.missing, note: ' (not given)' };
  return { value: typeof value === 'string' ? value : JSON.stringify(value), note: '' };
}

function closestText({ rejected, kind, gold }: LedgerRecord, { numberOf }: VerdictContext): string | null {
  if (rejected === undefined) return null;
  // The candidate of a gold item is a predicted one, and the other way round.
  const side = gold === undefined ? 'gold' : 'predicted';
  const number = numberOf(side, kind, rejected.index);
  const text = truncate(rejected.text, number === null ? LONGEST_QUOTE : LONGEST_REPEATED);
  const hasSimilarity = rejected.similarity !== 0 && !rejected.why.startsWith('similarity ');
  const similarity = hasSimilarity ? ` ${figure(rejected.similarity)}` : '';
  const which = `${sideWord(side)}${number === null ? '' : ` ${number}`}`;
  return `closest ${which}: ${rejected.label} "${text}"${similarity}: ${rejected.why}`;
}
