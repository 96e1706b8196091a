import { type Item, ITEM_KINDS, NO_FIELDS } from '../../data/item.ts';
import { ERROR_TYPES } from '../../judge/error-type.ts';
import { type Verdict, VERDICTS } from '../../judge/verdict.ts';
import { wholeReason } from '../../pair/difference.ts';
import type { LedgerItem } from '../../score/ledger.ts';
import { decoded, EncodedPage } from './encoded-page.ts';
import type { CaseDetail, ViewRecord } from './report-data.ts';

/** What there is of a verdict; `alike`: a similarity of 1; `short`: why a candidate was refused may be in short. */
export const VERDICT_BITS = {
  gold: 1,
  predicted: 2,
  similarity: 4,
  alike: 8,
  because: 16,
  rejected: 32,
  rest: 64,
  short: 128,
} as const;

/** What there is of an item: a place, which may be that of its gold, with its text; a label that is not the verdict's. */
export const ITEM_BITS = { placed: 1, atGold: 2, quoted: 4, relabelled: 8, rest: 16 } as const;

/** The cases of a page; throws if it is damaged. */
export function readCasePage(page: Uint8Array): CaseDetail[] {
  return new CasePageReader(page).cases();
}

class CasePageReader {
  readonly #page: EncodedPage;
  readonly #last = { gold: 0, predicted: 0, start: 0 };

  constructor(page: Uint8Array) {
    this.#page = new EncodedPage(page);
  }

  cases(): CaseDetail[] {
    return Array.from({ length: this.#page.left }, () => {
      const { id, results, text: bytes } = this.#page.nextCase();
      const text = bytes === null ? null : decoded(bytes);
      const noText = text === null ? this.#page.words() : '';
      const runs = results.map((result) => {
        if (result === null) return null;
        const length = this.#page.places.next();
        this.#last.gold = this.#last.predicted = this.#last.start = 0;
        return { result, records: Array.from({ length }, () => this.#record(id, text)) };
      });
      return { case: id, text, noText: noText === '' ? null : noText, runs };
    });
  }

  #record(id: string, text: string | null): ViewRecord {
    const page = this.#page;
    const { kinds, places } = page;
    const [bits, sort, rule, label] = [kinds.next(), kinds.next(), page.name(kinds), page.name(places)];
    const [kind, verdict, error] = [ITEM_KINDS[sort >> 6]!, VERDICTS[(sort >> 4) & 3]!, ERROR_TYPES[(sort & 15) - 1]];
    const record: ViewRecord = { case: id, kind, verdict, rule, label };
    if ((bits & VERDICT_BITS.alike) > 0) record.similarity = 1;
    if ((bits & VERDICT_BITS.similarity) > 0) record.similarity = page.decimal();
    if ((bits & VERDICT_BITS.gold) > 0) record.gold = this.#item((this.#last.gold += places.signed()), label, text);
    if ((bits & VERDICT_BITS.predicted) > 0)
      record.predicted = this.#item((this.#last.predicted += places.signed()), label, text, record.gold);
    if ((bits & VERDICT_BITS.because) > 0) record.because = page.reason();
    if ((bits & VERDICT_BITS.rejected) > 0) {
      const [similarity, index, why] = [page.decimal(), places.signed(), page.reason()];
      const closest = this.#item(index, label, text);
      const { start: _start, end: _end, ...candidate } = closest;
      const whole = (bits & VERDICT_BITS.short) > 0 ? wholeSentence(why, record, closest) : why;
      record.rejected = { ...candidate, similarity, why: whole };
    }
    if ((bits & VERDICT_BITS.rest) > 0) Object.assign(record, page.rest());
    return error === undefined ? record : { ...record, error };
  }

  #item(index: number, label: string, text: string | null, gold?: LedgerItem): LedgerItem {
    const page = this.#page;
    const bits = page.kinds.next();
    const own = (bits & ITEM_BITS.relabelled) > 0 ? page.name(page.places) : label;
    const item: LedgerItem = { index, label: own, text: '' };
    if ((bits & ITEM_BITS.atGold) > 0) [item.start, item.end] = [gold?.start, gold?.end];
    else if ((bits & ITEM_BITS.placed) > 0) {
      item.start = this.#last.start += page.places.signed();
      item.end = item.start + page.places.signed();
    }
    item.text = (bits & ITEM_BITS.quoted) > 0 ? (text ?? '').slice(item.start, item.end) : page.words();
    if ((bits & ITEM_BITS.rest) > 0) Object.assign(item, page.rest());
    return item;
  }
}

function wholeSentence(why: string, { gold, predicted }: ViewRecord, closest: LedgerItem): string {
  const [one, other] = [gold ?? closest, gold === undefined ? predicted : closest];
  return (other === undefined ? undefined : wholeReason(why, one, other)) ?? why;
}

/** What few verdicts have, as a line of the ledger has it; null: nothing. */
export function restOfVerdict({ credit, weight, match, attributes, setAside }: Verdict): object | null {
  if (credit === 1 && weight === 1 && match === null && attributes === null && !setAside) return null;
  return {
    ...(credit === 1 ? {} : { credit }),
    ...(weight === 1 ? {} : { weight }),
    ...(match === null ? {} : { match }),
    ...(attributes === null ? {} : { attributes }),
    ...(setAside ? { setAside } : {}),
  };
}

export function restOfItem(given: Item): object | null {
  const { kind, annotator, was, parts, grounded, ungrounded, refused, source, target, unresolved, fields } = given;
  const { aligned, fragments } = given;
  const isRelationship = kind === 'relationship';
  if (fields === NO_FIELDS && !isRelationship && annotator === null && parts === null && grounded === null)
    if (
      was === undefined &&
      ungrounded === undefined &&
      refused === undefined &&
      unresolved === undefined &&
      aligned === undefined &&
      fragments === undefined
    )
      return null;
  return {
    ...(annotator === null ? {} : { annotator }),
    was,
    ...(parts === null ? {} : { parts }),
    ...(grounded === null ? {} : { grounded }),
    ungrounded,
    refused,
    ...(aligned === undefined ? {} : { aligned }),
    ...(fragments === undefined ? {} : { fragments }),
    ...(isRelationship ? { source, target } : {}),
    unresolved,
    ...(fields === NO_FIELDS ? {} : { fields }),
  };
}
