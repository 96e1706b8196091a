import { VERDICTS } from '../judge/verdict.ts';
import type { LedgerItem, LedgerRecord } from '../score/ledger.ts';
import { count, plural, figure } from '../text/figures.ts';
import { offsetMap, type OffsetUnit } from '../text/offsets.ts';
import { movedPlace } from '../text/pieces.ts';
import { truncate } from './display-width.ts';
import {
  type Block,
  type Document,
  type Piece,
  quiet,
  type Section,
  type Table,
  type Text,
  type TextMark,
} from './document.ts';
import type { AttributeField, Unit } from './recipe-facts.ts';
import { VERDICT_LOOKS } from './style.ts';

export interface CaseExplanation {
  readonly caseId: string;
  readonly records: readonly LedgerRecord[];
  readonly text: string | null;
  /** What the ledger counts offsets in. */
  readonly offsets: OffsetUnit;
  readonly unit?: Unit;
  readonly attributes?: Readonly<Record<string, AttributeField>>;
  /** How many verdicts of the case the caller left out. */
  readonly hidden?: number;
  /** A remark on the case as a whole: that it failed, or was not answered. */
  readonly remark?: string | null;
}

const SIDES = ['gold', 'predicted'] as const;

/** Every verdict of a case: marked in its text, then one by one with the reasons. */
export function explainDocument(explanation: CaseExplanation): Document {
  const { caseId, records, text, offsets, unit = 'item', attributes = {}, hidden = 0, remark = null } = explanation;
  const numbered = inOrder(records).map((record, at) => ({ number: at + 1, record }));
  const numbers = new Map(
    numbered.flatMap(({ number, record }) =>
      SIDES.map((side) => [`${side} ${record.kind} ${record[side]?.index ?? ''}`, number] as const),
    ),
  );
  const context: VerdictContext = {
    unit,
    attributes,
    numberOf: (side, kind, index) => numbers.get(`${side} ${kind} ${index}`) ?? null,
  };
  const counts = countPieces(explanation);
  const kinds = [...Map.groupBy(numbered, ({ record }) => record.kind)];
  const none = hidden > 0 ? 'no such verdict in this case' : 'nothing was expected and nothing was predicted';
  return {
    title: caseId,
    ...(counts.length === 0 ? {} : { about: counts }),
    sections: [
      { blocks: [remark === null ? null : { text: remark, mark: 'warning' }] },
      { blocks: [text === null ? null : { marked: text, marks: marksOf(numbered, text, offsets) }] },
      ...kinds.map(([kind, own]): Section => {
        const rows = own.map(({ number, record }) => ({ lead: String(number), record }));
        return { ...(kinds.length > 1 ? { title: kind } : {}), blocks: [verdictTable(rows, 'right', context)] };
      }),
      { blocks: [records.length > 0 ? null : ({ text: none, tone: 'quiet' } satisfies Block)] },
    ],
  };
}

/** What is known of verdicts of many cases, of which some are listed. */
export interface VerdictTotals extends Pick<Required<CaseExplanation>, 'unit' | 'attributes'> {
  readonly total: number;
  readonly cases: number;
}

/** Verdicts of many cases, one by one with the reasons, each beside its case. */
export function verdictListDocument(
  records: readonly LedgerRecord[],
  { total, cases, ...facts }: VerdictTotals,
): Document {
  const context: VerdictContext = { ...facts, numberOf: () => null };
  const rows = records.map((record) => ({ lead: truncate(record.case, LONGEST_CASE), record }));
  return {
    title: `${plural(total, 'verdict')} in ${plural(cases, 'case')}`,
    sections: [
      { blocks: [{ ...verdictTable(rows, 'left', context), total, rest: '; --limit shows more' }] },
      { blocks: [total > 0 ? null : { text: 'no such verdict in this run', tone: 'quiet' }] },
    ],
  };
}

const LONGEST_CASE = 24;

interface NumberedRecord {
  readonly number: number;
  readonly record: LedgerRecord;
}

function countPieces({ records, unit = 'item', hidden = 0 }: CaseExplanation): Piece[] {
  const counts = VERDICTS.flatMap((verdict): Piece[] => {
    const own = records.filter((record) => record.verdict === verdict);
    const { symbol, tone } = VERDICT_LOOKS[verdict];
    const n = own.reduce((sum, { weight = 1 }) => sum + weight, 0);
    return own.length === 0 ? [] : [{ text: `${symbol} ${count(n)} ${verdict}`, tone }];
  });
  const notes = [
    ...(unit === 'item' || counts.length === 0 ? [] : [`in ${unit}s`]),
    ...(hidden === 0 ? [] : [`${plural(hidden, 'verdict')} not shown`]),
  ];
  const all = notes.length === 0 ? counts : [...counts, quiet(`(${notes.join(', ')})`)];
  return all.flatMap((piece, at) => (at === 0 ? [piece] : [{ text: '  ' }, piece]));
}

interface LedRecord {
  /** In front of it: its number, or its case. */
  readonly lead: string;
  readonly record: LedgerRecord;
}

function verdictTable(led: readonly LedRecord[], align: 'left' | 'right', context: VerdictContext): Table {
  const rows = led.map(({ lead, record }) => {
    const { symbol, tone } = VERDICT_LOOKS[record.verdict];
    const verdict: Piece = { text: `${symbol} ${record.verdict}`, tone };
    return [lead, verdict, record.label, ...verdictTexts(record, context)];
  });
  const widest = Math.max(4, ...rows.map((row) => row.length));
  return {
    columns: [
      { title: '', align },
      { title: '' },
      { title: '' },
      { title: '', wraps: true },
      ...Array.from({ length: widest - 4 }, () => ({ title: '', below: true })),
    ],
    rows: rows.map((row) => [...row, ...Array.from({ length: widest - row.length }, () => '')]),
  };
}

/** By kind and by place in the text; otherwise as in the ledger. */
function inOrder(records: readonly LedgerRecord[]): LedgerRecord[] {
  const kinds = [...new Set(records.map(({ kind }) => kind))];
  const place = ({ gold, predicted }: LedgerRecord): number => gold?.start ?? predicted?.start ?? Number.MAX_VALUE;
  return records.toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || place(a) - place(b));
}

/** The places of both sides in the text, in UTF-16 units. */
function marksOf(numbered: readonly NumberedRecord[], text: string, unit: OffsetUnit): TextMark[] {
  const map = offsetMap(text, unit);
  return numbered.flatMap(({ number, record }) =>
    SIDES.flatMap((side): TextMark[] => {
      const item = record[side];
      if (item?.start === undefined || item.end === undefined) return [];
      const { start, end, fragments } = item;
      const pieces = (fragments ?? [{ start, end }]).map((piece) => movedPlace(piece, map.toUtf16));
      // A place whose text is another is not marked: the text is not the one that was scored.
      const isInText = pieces.every((piece) => piece.start >= 0 && piece.end > piece.start);
      const slices = pieces.map((piece) => text.slice(piece.start, piece.end));
      const fits = isInText && ['', slices.join(' '), slices.join('')].includes(item.text);
      return fits
        ? pieces.map((piece) => ({ ...piece, side, number, label: item.label, verdict: record.verdict }))
        : [];
    }),
  );
}

/** What the texts of a verdict depend on. */
interface VerdictContext {
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
function verdictTexts(record: LedgerRecord, context: VerdictContext): Text[] {
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
  const { found, with: detail, read, passed_over: passedOver, by } = item.fields ?? {};
  const parts = [
    ...(item.label === label || kind === 'relationship' ? [] : [item.label]),
    ...(item.was === undefined ? [] : [`was ${item.was}`]),
    ...(item.parts === undefined ? [] : [`merged from ${item.parts.length}`]),
    ...(item.grounded === false ? [item.ungrounded ?? 'not in the text'] : []),
    ...(typeof found === 'string' ? [`found “${found}”${typeof detail === 'string' ? ` with “${detail}”` : ''}`] : []),
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
