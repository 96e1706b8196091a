import { VERDICTS, type VerdictKind } from '../judge/verdict.ts';
import type { LedgerItem, LedgerRecord } from '../score/ledger.ts';
import { type OffsetUnit, offsetMap } from '../text/offsets.ts';
import type { Span } from '../text/span.ts';
import { displayWidth, wrapWords } from './display-width.ts';
import { count, counted } from '../text/figures.ts';
import { itemLines } from './item-lines.ts';
import { markedText, type PlacedRecord } from './marked-text.ts';
import type { AttributeField, Unit } from './recipe-facts.ts';
import { safeText } from './safe-text.ts';
import { type Style, VERDICT_LOOKS } from './style.ts';

export interface CaseExplanation {
  readonly caseId: string;
  readonly records: readonly LedgerRecord[];
  readonly text: string | null;
  /** What the ledger counts offsets in. */
  readonly offsets: OffsetUnit;
  readonly style: Style;
  readonly width?: number;
  readonly unit?: Unit;
  readonly attributes?: Readonly<Record<string, AttributeField>>;
  /** How many verdicts of the case were left out by the caller's choice. */
  readonly hidden?: number;
  /** A word on the case as a whole: that it failed, or was not answered. */
  readonly remark?: string | null;
}

/** Every verdict of a case: marked in its text where it has a place there, then one by one with the reasons. */
export function explainCase(explanation: CaseExplanation): string {
  const { records, text, style, unit = 'item', attributes = {} } = explanation;
  const width = explanation.width ?? style.width;
  const placed = inOrder(records, text, explanation.offsets);
  const numbers = new Map(
    placed.flatMap(({ record, number }) =>
      (['gold', 'predicted'] as const).flatMap((side): [string, number][] => {
        const item = record[side];
        return item === undefined ? [] : [[`${side} ${record.kind} ${item.index}`, number]];
      }),
    ),
  );
  const context = {
    style,
    width,
    unit,
    attributes,
    numberOf: (side: 'gold' | 'predicted', kind: string, index: number) =>
      numbers.get(`${side} ${kind} ${index}`) ?? null,
  };
  const labelWidth = Math.max(0, ...records.map(({ label }) => displayWidth(safeText(label))));
  const kinds = new Set(records.map(({ kind }) => kind));
  let kind = '';
  const items = placed.flatMap((entry) => {
    const title =
      kinds.size > 1 && entry.record.kind !== kind ? ['', `  ${style.paint(entry.record.kind, 'quiet')}`] : [];
    kind = entry.record.kind;
    return [...title, ...itemLines(entry, labelWidth, context)];
  });
  const sections = [
    [heading(explanation, unit), ...remarkLines(explanation.remark ?? null, style, width)],
    text === null ? [] : markedText(text, placed, style, width),
    items.length > 0 ? trimmed(items) : [style.paint(`  ${emptyText(explanation.hidden ?? 0)}`, 'quiet')],
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function heading({ caseId, records, style, hidden = 0 }: CaseExplanation, unit: Unit): string {
  const totals = new Map<VerdictKind, number>();
  for (const { verdict, weight = 1 } of records) totals.set(verdict, (totals.get(verdict) ?? 0) + weight);
  const parts = VERDICTS.flatMap((verdict) => {
    const n = totals.get(verdict);
    const { symbol, tone } = VERDICT_LOOKS[verdict];
    return n === undefined ? [] : [style.paint(`${symbol} ${count(n)} ${verdict}`, tone)];
  });
  const notes = [
    ...(unit === 'item' || parts.length === 0 ? [] : [`in ${unit}s`]),
    ...(hidden === 0 ? [] : [`${counted(hidden, 'verdict')} not shown`]),
  ];
  const note = notes.length === 0 ? '' : style.paint(`(${notes.join(', ')})`, 'quiet');
  return [style.paint(caseId, 'strong'), ...parts, note].filter((part) => part !== '').join('  ');
}

/** A word of warning, wrapped. */
export function remarkLines(remark: string | null, style: Style, width: number): string[] {
  if (remark === null) return [];
  return wrapWords(safeText(remark), width - 2).map(
    (line, at) => `${at === 0 ? style.paint('!', 'warn') : ' '} ${style.paint(line)}`,
  );
}

function emptyText(hidden: number): string {
  return hidden > 0 ? 'no such verdict in this case' : 'nothing was expected and nothing was predicted';
}

function trimmed(lines: readonly string[]): readonly string[] {
  return lines[0] === '' ? lines.slice(1) : lines;
}

/** By place in the text, then those without one by kind; otherwise as in the ledger. */
function inOrder(records: readonly LedgerRecord[], text: string | null, unit: OffsetUnit): PlacedRecord[] {
  const map = text === null ? null : offsetMap(text, unit);
  const placeOf = (item: LedgerItem | undefined): Span | null => {
    if (text === null || map === null || item?.start === undefined || item.end === undefined) return null;
    const start = map.toUtf16(item.start);
    const end = map.toUtf16(item.end);
    // A place whose text is another is not marked: the text is not the one that was scored.
    const fits = start >= 0 && end > start && (item.text === '' || text.slice(start, end) === item.text);
    return fits ? { start, end } : null;
  };
  const kinds = [...new Set(records.map(({ kind }) => kind))];
  const first = ({ gold, predicted }: LedgerRecord): number => gold?.start ?? predicted?.start ?? Infinity;
  return records
    .map((record, at) => ({ record, at }))
    .sort(
      (a, b) =>
        kinds.indexOf(a.record.kind) - kinds.indexOf(b.record.kind) ||
        compare(first(a.record), first(b.record)) ||
        a.at - b.at,
    )
    .map(({ record }, at) => ({
      record,
      number: at + 1,
      gold: placeOf(record.gold),
      predicted: placeOf(record.predicted),
    }));
}

function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
