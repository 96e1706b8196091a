import { z } from 'zod';

import { VERDICTS } from '../judge/verdict.ts';
import { wholeReason } from '../pair/difference.ts';
import { plainRule } from './ledger-line.ts';
import { damaged, ITEM_FACTS, type LedgerItem, type LedgerRecord } from './ledger.ts';
import { quickCheck } from './quick-check.ts';
import type { LedgerLayout } from './run.ts';

const text = z.string();
const number = z.number();

const lineItem = z.union([
  z.int(),
  z.looseObject({
    index: z.int(),
    label: text.exactOptional(),
    text: text.exactOptional(),
    start: z.int().nullable().exactOptional(),
    end: z.int().exactOptional(),
    ...ITEM_FACTS,
  }),
]);

const OUTCOME = {
  rule: text.exactOptional().meta({ description: 'absent: pair for a hit, no-match for what is missed or spurious' }),
  similarity: number.nullable().exactOptional().meta({ description: 'absent: 1 for a hit, else none' }),
  credit: number.exactOptional().meta({ description: 'absent: 1' }),
  weight: number.exactOptional().meta({ description: 'absent: 1' }),
  match: text.exactOptional(),
  attributes: z.record(text, z.boolean()).exactOptional(),
  because: text.exactOptional(),
  rejected: z
    .looseObject({
      index: z.int(),
      label: text.exactOptional(),
      text: text.exactOptional(),
      similarity: number,
      why: text,
    })
    .exactOptional()
    .meta({ description: 'the closest candidate; without a text it is the item of that index on the other side' }),
};

const outcomeShape = z.looseObject({
  ...OUTCOME,
  verdict: z.enum(VERDICTS).exactOptional(),
  label: text.exactOptional().meta({ description: 'absent: the label of the line' }),
  gold: z.int().exactOptional().meta({ description: 'without a verdict: the gold item whose line has it' }),
  predicted: z.int().exactOptional().meta({ description: 'index of the prediction it is paired with' }),
});

/** A line of ledger.jsonl: an item, or two that were paired, with what each scheme made of them. */
export const ledgerLine = z.looseObject({
  case: text,
  scheme: text.nullable().exactOptional().meta({
    description:
      'the only scheme whose verdict this is; null: the recipe’s own pairing; absent: it and all that share its lines',
  }),
  kind: text.exactOptional().meta({ description: 'absent: ledger.kind of the manifest' }),
  verdict: z.enum(VERDICTS),
  gold: lineItem.exactOptional().meta({ description: 'index of the gold item, or an object with what else it has' }),
  predicted: lineItem
    .exactOptional()
    .meta({ description: 'the same; label, text, start and end only if not as on the line' }),
  label: text,
  text: text.exactOptional(),
  start: z.int().exactOptional().meta({ description: 'in the unit the files use' }),
  end: z.int().exactOptional(),
  setAside: z.boolean().exactOptional().meta({ description: 'true: left before pairing' }),
  ...OUTCOME,
  schemes: z
    .record(text, outcomeShape)
    .exactOptional()
    .meta({ description: 'the schemes that came to another outcome than the line' }),
});

export type LedgerLine = z.infer<typeof ledgerLine>;
type LineItem = NonNullable<LedgerLine['gold']>;
type Outcome = z.infer<typeof outcomeShape>;

export const isLedgerLine: (value: unknown) => value is LedgerLine = quickCheck(ledgerLine);

export interface LedgerOptions {
  /** False: only the verdicts of the recipe's own pairing. */
  readonly schemes?: boolean;
}

/** The items of a case by kind, side and index. */
type KnownItems = ReadonlyMap<string, Readonly<Record<'gold' | 'predicted', (LedgerItem | undefined)[]>>>;

/**
 * The lines of one case as verdicts: those of the recipe's own pairing, then those of each scheme. In a case whose lines
 * the schemes share, the verdicts of each are pairs, then gold alone, then predictions alone, then what was not paired,
 * each in the order of the lines; in any other, they are the lines.
 */
export function expandLines(
  lines: readonly LedgerLine[],
  layout: LedgerLayout,
  place: string,
  { schemes: isWhole = true }: LedgerOptions = {},
): LedgerRecord[] {
  const known = new Map<string, Record<'gold' | 'predicted', (LedgerItem | undefined)[]>>();
  const records = lines.map((line) => {
    const kind = line.kind ?? layout.kind;
    if (kind === undefined) throw damaged(`${place}: a line of case ${JSON.stringify(line.case)} has no kind`);
    const [gold, predicted] = [itemOf(line, line.gold), itemOf(line, line.predicted)];
    const items = known.get(kind) ?? { gold: [], predicted: [] };
    known.set(kind, items);
    if (gold !== undefined && gold.index >= 0) items.gold[gold.index] ??= gold;
    if (predicted !== undefined && predicted.index >= 0) items.predicted[predicted.index] ??= predicted;
    return recordOf(place, line, line.scheme ?? null, kind, line.label, gold, predicted);
  });
  const resolve = (record: LedgerRecord, { rejected }: LedgerLine | Outcome): LedgerRecord => {
    if (rejected !== undefined) record.rejected = rejectedOf(rejected, record, known, place);
    return record;
  };
  lines.forEach((line, at) => resolve(records[at]!, line));
  const isShared = layout.schemes.length > layout.apart.length && lines.some(({ scheme }) => scheme === undefined);
  if (!isShared) return isWhole ? records : records.filter(({ scheme }) => scheme === undefined);
  const unlisted = lines
    .flatMap(({ scheme, schemes = {} }) => [...Object.keys(schemes), ...(typeof scheme === 'string' ? [scheme] : [])])
    .find((name) => !layout.schemes.includes(name));
  if (unlisted !== undefined)
    throw damaged(`${place}: ledger.schemes of the manifest has no ${JSON.stringify(unlisted)}`);
  const rankOf = ({ kind, setAside, gold, predicted }: LedgerRecord): number =>
    setAside === true || kind !== layout.kind ? 3 : gold === undefined ? 2 : predicted === undefined ? 1 : 0;
  const ranked = (ofScheme: (line: LedgerLine, record: LedgerRecord) => LedgerRecord | null): LedgerRecord[] => {
    const ranks: LedgerRecord[][] = [[], [], [], []];
    lines.forEach((line, at) => {
      const record = ofScheme(line, records[at]!);
      if (record !== null) ranks[rankOf(record)]!.push(record);
    });
    return ranks.flat();
  };
  const ofScheme = (name: string): LedgerRecord[] => {
    if (layout.apart.includes(name)) return records.filter(({ scheme }) => scheme === name);
    return ranked((line, record) => {
      if (line.scheme !== undefined) return line.scheme === name ? record : null;
      const outcome = line.schemes !== undefined && Object.hasOwn(line.schemes, name) ? line.schemes[name] : undefined;
      const { case: id, ...same } = record;
      if (outcome === undefined) return { case: id, scheme: name, ...same };
      if (outcome.verdict === undefined) return null;
      const { kind, gold } = record;
      const predicted = gold === undefined ? record.predicted : predictedOf(outcome, kind);
      return resolve(recordOf(place, line, name, kind, outcome.label ?? line.label, gold, predicted, outcome), outcome);
    });
  };
  const predictedOf = ({ predicted }: Outcome, kind: string): LedgerItem | undefined => {
    if (predicted === undefined) return undefined;
    return known.get(kind)?.predicted[predicted] ?? lost(place, `predicted ${predicted}`);
  };
  const own = ranked((line, record) => ((line.scheme ?? null) === null ? record : null));
  return isWhole ? [...own, ...layout.schemes.flatMap(ofScheme)] : own;
}

const LINE_KEYS: ReadonlySet<string> = new Set(Object.keys(ledgerLine.shape));

function recordOf(
  place: string,
  line: LedgerLine,
  scheme: string | null,
  kind: string,
  label: string,
  gold: LedgerItem | undefined,
  predicted: LedgerItem | undefined,
  outcome: Pick<Outcome, 'verdict' | keyof typeof OUTCOME> = line,
): LedgerRecord {
  const { verdict = line.verdict, credit, weight, match, attributes, because } = outcome;
  const { rule = plainRule(verdict), similarity = verdict === 'hit' ? 1 : null } = outcome;
  if (rule === undefined) throw damaged(`${place}: a line of case ${JSON.stringify(line.case)} has no rule`);
  const record: LedgerRecord =
    scheme === null
      ? { case: line.case, kind, verdict, rule, label }
      : { case: line.case, scheme, kind, verdict, rule, label };
  if (similarity !== null) record.similarity = similarity;
  if (credit !== undefined) record.credit = credit;
  if (weight !== undefined) record.weight = weight;
  if (match !== undefined) record.match = match;
  if (gold !== undefined) record.gold = gold;
  if (predicted !== undefined) record.predicted = predicted;
  if (attributes !== undefined) record.attributes = attributes;
  if (because !== undefined) record.because = because;
  if (line.setAside !== undefined) record.setAside = line.setAside;
  // What a later version adds to a line is kept.
  if (outcome === line) for (const key in line) if (!LINE_KEYS.has(key)) record[key] = line[key];
  return record;
}

function itemOf(line: LedgerLine, side: LineItem | undefined): LedgerItem | undefined {
  if (side === undefined) return undefined;
  const { text: lineText = '', label, start, end } = line;
  if (typeof side === 'number') {
    const item: LedgerItem = { index: side, label, text: lineText };
    if (start === undefined) return item;
    item.start = start;
    if (end !== undefined) item.end = end;
    return item;
  }
  const { index, label: ownLabel = label, text: ownText = lineText, start: ownStart, end: ownEnd, ...facts } = side;
  const item: LedgerItem = { index, label: ownLabel, text: ownText };
  const place = ownStart === undefined ? { start, end } : { start: ownStart ?? undefined, end: ownEnd };
  if (place.start !== undefined) item.start = place.start;
  if (place.start !== undefined && place.end !== undefined) item.end = place.end;
  return Object.assign(item, facts);
}

function rejectedOf(
  { index, label, text: ownText, similarity, why, ...more }: NonNullable<Outcome['rejected']>,
  { kind, gold, predicted }: LedgerRecord,
  known: KnownItems,
  place: string,
): NonNullable<LedgerRecord['rejected']> {
  if (label !== undefined && ownText !== undefined) return { index, label, text: ownText, similarity, why, ...more };
  const side = gold === undefined ? 'gold' : 'predicted';
  const item = known.get(kind)?.[side][index] ?? lost(place, `${side} ${index}`);
  const own = gold ?? predicted;
  const whole =
    own === undefined ? undefined : gold === undefined ? wholeReason(why, item, own) : wholeReason(why, own, item);
  return { index, label: item.label, text: item.text, similarity, why: whole ?? why, ...more };
}

function lost(place: string, item: string): never {
  throw damaged(`${place}: no line of the case has the item ${item}`);
}
