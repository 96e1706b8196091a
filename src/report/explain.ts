import { VERDICTS } from '../judge/verdict.ts';
import type { LedgerRecord } from '../score/ledger.ts';
import { count, counted } from '../text/figures.ts';
import { type OffsetUnit, offsetMap } from '../text/offsets.ts';
import type { Block, Document, Piece, Section, Table, TextMark } from './document.ts';
import { quiet } from './document.ts';
import { verdictTexts, type VerdictContext } from './explained-verdict.ts';
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
        return { ...(kinds.length > 1 ? { title: kind } : {}), blocks: [verdictTable(own, context)] };
      }),
      { blocks: [records.length > 0 ? null : ({ text: none, tone: 'quiet' } satisfies Block)] },
    ],
  };
}

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
    ...(hidden === 0 ? [] : [`${counted(hidden, 'verdict')} not shown`]),
  ];
  const all = notes.length === 0 ? counts : [...counts, quiet(`(${notes.join(', ')})`)];
  return all.flatMap((piece, at) => (at === 0 ? [piece] : [{ text: '  ' }, piece]));
}

function verdictTable(numbered: readonly NumberedRecord[], context: VerdictContext): Table {
  const rows = numbered.map(({ number, record }) => {
    const { symbol, tone } = VERDICT_LOOKS[record.verdict];
    const verdict: Piece = { text: `${symbol} ${record.verdict}`, tone };
    return [String(number), verdict, record.label, ...verdictTexts(record, context)];
  });
  const widest = Math.max(...rows.map((row) => row.length));
  return {
    columns: [
      { title: '', align: 'right' },
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
      const start = map.toUtf16(item.start);
      const end = map.toUtf16(item.end);
      // A place whose text is another is not marked: the text is not the one that was scored.
      const fits = start >= 0 && end > start && (item.text === '' || text.slice(start, end) === item.text);
      return fits ? [{ start, end, side, number, label: item.label, verdict: record.verdict }] : [];
    }),
  );
}
