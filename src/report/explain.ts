import { VERDICTS, type VerdictKind } from '../judge/verdict.ts';
import type { LedgerItem, LedgerRecord } from '../runs/read-ledger.ts';
import { type OffsetUnit, offsetMap } from '../text/offsets.ts';
import { displayWidth, wrapWords } from './display-width.ts';
import { count, counted } from './figures.ts';
import { itemLines, type NumberedRecord } from './item-lines.ts';
import type { AttributeField, Unit } from './recipe-facts.ts';
import { safeText } from './safe-text.ts';
import { laneLines, type SpanMark } from './span-lanes.ts';
import { type Style, VERDICT_LOOKS } from './style.ts';
import { shownLine, type TextLine, textLines } from './text-lines.ts';

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
  /** A word on the case as a whole: that it failed, or was not answered. */
  readonly remark?: string | null;
}

type Place = { readonly start: number; readonly end: number } | null;
type Placed = NumberedRecord & { readonly gold: Place; readonly predicted: Place };

/** Every verdict of a case: marked in its text where it has a place there, then one by one with the reasons. */
export function explainCase(explanation: CaseExplanation): string {
  const { caseId, records, text, style, unit = 'item', attributes = {} } = explanation;
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
    const heading =
      kinds.size > 1 && entry.record.kind !== kind ? ['', `  ${style.paint(entry.record.kind, 'quiet')}`] : [];
    kind = entry.record.kind;
    return [...heading, ...itemLines(entry, labelWidth, context)];
  });
  const sections = [
    [heading(caseId, records, unit, style), ...remarkLines(explanation.remark ?? null, style, width)],
    text === null ? [] : markedText(text, placed, style, width),
    items.length === 0 ? [style.paint('  nothing was expected and nothing was predicted', 'quiet')] : trimmed(items),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function heading(caseId: string, records: readonly LedgerRecord[], unit: Unit, style: Style): string {
  const totals = new Map<VerdictKind, number>();
  for (const { verdict, weight = 1 } of records) totals.set(verdict, (totals.get(verdict) ?? 0) + weight);
  const parts = VERDICTS.flatMap((verdict) => {
    const n = totals.get(verdict);
    const { symbol, tone } = VERDICT_LOOKS[verdict];
    return n === undefined ? [] : [style.paint(`${symbol} ${count(n)} ${verdict}`, tone)];
  });
  const inUnits = unit === 'item' || parts.length === 0 ? '' : style.paint(` (in ${unit}s)`, 'quiet');
  return `${style.paint(caseId, 'strong')}  ${parts.join('  ')}${inUnits}`.trimEnd();
}

function remarkLines(remark: string | null, style: Style, width: number): string[] {
  if (remark === null) return [];
  return wrapWords(safeText(remark), width - 2).map(
    (line, at) => `${at === 0 ? style.paint('!', 'warn') : ' '} ${style.paint(line)}`,
  );
}

function trimmed(lines: readonly string[]): readonly string[] {
  return lines[0] === '' ? lines.slice(1) : lines;
}

/** By place in the text, then those without one by kind; otherwise as in the ledger. */
function inOrder(records: readonly LedgerRecord[], text: string | null, unit: OffsetUnit): Placed[] {
  const map = text === null ? null : offsetMap(text, unit);
  const placeOf = (item: LedgerItem | undefined): Place => {
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

const GUTTER = 5;
/** Longest run of lines without marks that is shown whole; and how much of a text without any mark. */
const RUN = 3;
const UNMARKED = 12;

function markedText(text: string, placed: readonly Placed[], style: Style, width: number): string[] {
  const columns = width - GUTTER - 1;
  const lines = textLines(text, columns);
  const marks = (side: 'gold' | 'predicted'): SpanMark[] =>
    placed.flatMap(({ record, number, [side]: place }) =>
      place === null ? [] : [{ ...place, number, label: record[side]?.label ?? record.label, verdict: record.verdict }],
    );
  const sides = [
    { name: 'gold', marks: marks('gold') },
    { name: 'pred', marks: marks('predicted') },
  ];
  const under = lines.map((line) =>
    sides.flatMap(({ name, marks: own }) =>
      laneLines(line, touching(own, line), columns, style).map(
        (lane) => `${style.paint(name.padEnd(GUTTER), 'quiet')}${lane}`,
      ),
    ),
  );
  const any = under.some((lanes) => lanes.length > 0);
  return any ? withGaps(lines, under, style) : beginning(lines, style);
}

function touching(marks: readonly SpanMark[], line: TextLine): SpanMark[] {
  return marks.filter((mark) => mark.start < line.end && mark.end > line.start);
}

function withGaps(lines: readonly TextLine[], under: readonly (readonly string[])[], style: Style): string[] {
  const out: string[] = [];
  let at = 0;
  while (at < lines.length) {
    let next = at;
    while (next < lines.length && under[next]!.length === 0) next += 1;
    // The line before a marked one and the line after it are kept: they say what it is about.
    const from = at === 0 ? at : at + 1;
    const to = next === lines.length ? next : next - 1;
    for (let row = at; row < next; row += 1) {
      const hidden = to - from > RUN && row >= from && row < to;
      if (!hidden) out.push(textRow(lines[row]!, style));
      else if (row === from)
        out.push(style.paint(`${' '.repeat(GUTTER)}⋯ ${counted(to - from, 'line')} without marks ⋯`, 'quiet'));
    }
    if (next < lines.length) out.push(textRow(lines[next]!, style), ...under[next]!);
    at = next + 1;
  }
  return out;
}

function beginning(lines: readonly TextLine[], style: Style): string[] {
  const left = lines.length - UNMARKED;
  const shown = left > 1 ? lines.slice(0, UNMARKED) : lines;
  const more = left > 1 ? [style.paint(`${' '.repeat(GUTTER)}⋯ ${counted(left, 'more line')}`, 'quiet')] : [];
  return [...shown.map((line) => textRow(line, style)), ...more];
}

function textRow(line: TextLine, style: Style): string {
  return `${' '.repeat(GUTTER)}${style.paint(shownLine(line))}`.trimEnd();
}
