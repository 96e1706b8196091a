import { type Item, NO_FIELDS } from '../../data/item.ts';
import type { Verdict } from '../../judge/verdict.ts';
import type { ErrorType } from '../../figures/error-type.ts';
import type { LedgerItem, LedgerRecord } from '../../score/read-ledger.ts';
import type { OffsetMap } from '../../text/offsets.ts';
import type { ViewRecord } from './report-data.ts';

/** A verdict as its line of the ledger has it, with places in UTF-16 units, as a browser counts. */
export function viewOfVerdict(verdict: Verdict, error: ErrorType | undefined): ViewRecord {
  const { case: id, kind, verdict: outcome, rule, label, similarity, credit, weight, match } = verdict;
  const { gold, predicted, attributes, because, setAside, rejected } = verdict;
  return {
    case: id,
    kind,
    verdict: outcome,
    rule,
    label,
    ...(similarity === null ? {} : { similarity }),
    ...(credit === 1 ? {} : { credit }),
    ...(weight === 1 ? {} : { weight }),
    ...(match === null ? {} : { match }),
    ...(gold === null ? {} : { gold: viewOfItem(gold) }),
    ...(predicted === null ? {} : { predicted: viewOfItem(predicted) }),
    ...(attributes === null ? {} : { attributes: { ...attributes } }),
    ...(because === null ? {} : { because }),
    ...(setAside ? { setAside } : {}),
    ...(rejected === null
      ? {}
      : {
          rejected: {
            index: rejected.item.index,
            label: rejected.item.label,
            text: rejected.item.text,
            similarity: rejected.similarity,
            why: rejected.why,
          },
        }),
    ...(error === undefined ? {} : { error }),
  };
}

function viewOfItem(item: Item): LedgerItem {
  const { index, label, text, start, end, annotator, was, parts, grounded, ungrounded, refused, unresolved } = item;
  const { fields } = item;
  return {
    index,
    label,
    text,
    ...(start < 0 ? {} : { start, end }),
    ...(annotator === null ? {} : { annotator }),
    ...(was === undefined ? {} : { was }),
    ...(parts === null ? {} : { parts: [...parts] }),
    ...(grounded === null ? {} : { grounded }),
    ...(ungrounded === undefined ? {} : { ungrounded }),
    ...(refused === undefined ? {} : { refused }),
    ...(item.kind === 'relationship' ? { source: item.source, target: item.target } : {}),
    ...(unresolved === undefined ? {} : { unresolved: [...unresolved] }),
    ...(fields === NO_FIELDS ? {} : { fields }),
  };
}

/** A line of the ledger with its places turned into UTF-16 units; what does not fit the text loses its place. */
export function viewOfLine({ scheme: _, ...line }: LedgerRecord, offsets: OffsetMap | null): ViewRecord {
  return {
    ...line,
    ...(line.gold === undefined ? {} : { gold: placed(line.gold, offsets) }),
    ...(line.predicted === undefined ? {} : { predicted: placed(line.predicted, offsets) }),
  };
}

export function withError(record: ViewRecord, error: ErrorType | undefined): ViewRecord {
  return error === undefined ? record : { ...record, error };
}

function placed(item: LedgerItem, offsets: OffsetMap | null): LedgerItem {
  const { start, end, ...rest } = item;
  if (start === undefined || end === undefined) return item;
  if (offsets === null) return item;
  const [from, to] = [offsets.toUtf16(start), offsets.toUtf16(end)];
  return from < 0 || to < 0 ? rest : { ...item, start: from, end: to };
}
