import { type Item, ITEM_KINDS, type ItemKind, makeItem } from '../data/item.ts';
import { makeVerdict, type Verdict } from '../judge/verdict.ts';
import { damaged, type LedgerItem, type LedgerRecord } from './read-ledger.ts';

/** A line of the ledger as the verdict it was, with places in the unit of the files. */
export function ledgerVerdict(record: LedgerRecord, place: string): Verdict {
  const kind = ITEM_KINDS.find((known) => known === record.kind);
  if (kind === undefined) throw damaged(`${place}: there is no kind of item called ${JSON.stringify(record.kind)}`);
  return makeVerdict({
    case: record.case,
    scheme: record.scheme ?? null,
    kind,
    verdict: record.verdict,
    rule: record.rule,
    label: record.label,
    similarity: record.similarity ?? null,
    credit: record.credit ?? 1,
    weight: record.weight ?? 1,
    match: record.match ?? null,
    gold: record.gold === undefined ? null : itemOf(record.gold, kind),
    predicted: record.predicted === undefined ? null : itemOf(record.predicted, kind),
    because: record.because ?? null,
    setAside: record.setAside ?? false,
    attributes: record.attributes ?? null,
  });
}

function itemOf(given: LedgerItem, kind: ItemKind): Item {
  const { index, label, text, start = -1, end = -1, annotator = null, refused, fields } = given;
  const item = makeItem({
    kind,
    index,
    label,
    text,
    start,
    end,
    annotator,
    source: textOrNull(given['source']),
    target: textOrNull(given['target']),
    ...(fields === undefined ? {} : { fields }),
  });
  const own = { ...item, parts: given.parts ?? null, grounded: given.grounded ?? null };
  return refused === undefined ? own : { ...own, refused };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
