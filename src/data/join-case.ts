import { repairWords } from '../text/mojibake.ts';
import { isCanonicallyEqual } from '../text/same-text.ts';
import type { Span } from '../text/span.ts';
import { type Case, makeCase, REJECTED_BY_SYSTEM, type SetAside } from './case.ts';
import { checkValues } from './check-values.ts';
import { checkSpans, type ItemCheck, offsetsFor, type ReadNotices, repairedItems } from './item-check.ts';
import { placedQuotes } from './placed-quotes.ts';
import type { DataOptions } from './data-options.ts';
import type { SideFits } from './offset-fits.ts';
import type { Row } from './format.ts';
import type { Item, Side } from './item.ts';
import type { Problems } from './problems.ts';
import { describe } from './record-fields.ts';
import { isSpanCase, type SpanCase } from './span-case.ts';
import { hiddenDifference } from './visible.ts';

/** What messages call the files of texts, gold and predictions. */
export interface FileNames {
  readonly driver: string;
  readonly gold: string;
  readonly predictions: string;
}

export interface JoinSettings {
  readonly names: FileNames;
  readonly options: DataOptions;
  readonly problems: Problems;
  readonly notices: ReadNotices;
  /** Looks at all spans that do not fit together, by side. */
  readonly fits?: SideFits;
}

/** One case from what the files hold about it; both rows may be the case's own, null if a file has none. */
export function joinCase(row: Row, goldRow: Row | null, predictedRow: Row | null, settings: JoinSettings): Case {
  const { names, options, problems, notices } = settings;
  if (isSpanCase(row) && goldRow === row && predictedRow === row && isSureOf(row)) return row;
  const text = row.text ?? goldRow?.text ?? predictedRow?.text ?? null;
  if (text !== null) {
    const from = row.text === null && (goldRow?.text ?? null) !== null ? names.gold : names.driver;
    checkSameText(text, from, goldRow, names.gold, problems);
    checkSameText(text, from, predictedRow, names.predictions, problems);
  }
  const repairable = text === null ? null : repairWords(text);
  const repaired = options.mojibake === 'repair' ? repairable : null;
  if (repaired !== null) notices.documentsRepaired = (notices.documentsRepaired ?? 0) + 1;
  else if (repairable !== null) notices.documentsBroken = (notices.documentsBroken ?? 0) + 1;
  // Offsets in the files refer to the text as given; every later stage sees only the repaired text.
  const offsets = offsetsFor(text, options.offsets);
  const { fits } = settings;
  const shared = {
    caseId: row.id,
    text,
    repaired,
    options,
    problems,
    notices,
    ...(fits === undefined ? {} : { fits }),
  };
  const failed = predictedRow?.failed ?? null;
  const answered = (predictedRow?.predicted ?? null) !== null || failed !== null;
  if (!answered) notices.unansweredCases += 1;
  const rejected = (predictedRow?.rejected ?? []).map((one): SetAside => ({
    side: 'predicted',
    rule: REJECTED_BY_SYSTEM,
    ...one,
  }));
  if (rejected.length > 0) notices.rejectedBySystem = (notices.rejectedBySystem ?? 0) + rejected.length;
  const takenOff = predictedRow?.fieldsTakenOff ?? 0;
  if (takenOff > 0) notices.fieldsTakenOff = (notices.fieldsTakenOff ?? 0) + takenOff;
  const leftOut =
    (goldRow?.leftOut?.length ?? 0) + (predictedRow === goldRow ? 0 : (predictedRow?.leftOut?.length ?? 0));
  if (leftOut > 0) notices.itemsLeftOut = (notices.itemsLeftOut ?? 0) + leftOut;
  const categories = [...new Set([goldRow, predictedRow])].reduce(
    (sum, own) => sum + (own?.categories?.length ?? 0),
    0,
  );
  if (categories > 0) notices.categoriesNotRead = (notices.categoriesNotRead ?? 0) + categories;
  const tokens = commonTokens([row, goldRow, predictedRow]);
  return makeCase({
    id: row.id,
    text: repaired?.text ?? text,
    tokens:
      repaired === null
        ? tokens
        : tokens?.map(({ start, end }) => ({ start: repaired.placeOf(start), end: repaired.placeOf(end) })),
    fields: row.fields,
    gold: checked(goldRow, 'gold', goldRow?.file ?? names.gold, shared),
    predicted: checked(predictedRow, 'predicted', predictedRow?.file ?? names.predictions, shared),
    failed: answered || options.missingPrediction !== 'failed' ? failed : 'no prediction was given',
    answered,
    setAside: rejected,
    offsets: repaired === null ? offsets : offsetsFor(repaired.text, options.offsets),
  });
}

/** Whether what was scanned is the case: it was read with options that change nothing in it, and is not to be repaired. */
function isSureOf(given: SpanCase): boolean {
  return !given.spans.isSuspect || repairWords(given.text) === null;
}

function checked(
  row: Row | null,
  side: Side,
  file: string,
  shared: Omit<ItemCheck, 'side' | 'file' | 'convention' | 'offsets'>,
): readonly Item[] {
  const items = row?.[side] ?? [];
  if (items.length === 0) return [];
  const { options, text } = shared;
  const convention = options.conventions?.[side] ?? { unit: row?.unit ?? options.offsets };
  const check: ItemCheck = { ...shared, side, file, convention, offsets: offsetsFor(text, convention.unit) };
  const spans = repairedItems(checkSpans(placedQuotes(items, check), check), check);
  checkValues(spans, check);
  return spans;
}

/** The tokens of the files that have any; null where two of them differ. */
function commonTokens(rows: readonly (Row | null)[]): readonly Span[] | null | undefined {
  const [first, ...others] = new Set(rows.flatMap((row) => (row?.tokens === undefined ? [] : [row.tokens])));
  const isSame = (tokens: readonly Span[]): boolean =>
    tokens.length === first?.length &&
    tokens.every(({ start, end }, at) => start === first[at]!.start && end === first[at]!.end);
  return others.every(isSame) ? first : null;
}

function checkSameText(text: string, from: string, row: Row | null, file: string, problems: Problems): void {
  if (row === null || row.text === null || row.text === text) return;
  const hidden = isCanonicallyEqual(text, row.text)
    ? 'how letters and accents are composed (Unicode NFC and NFD)'
    : hiddenDifference(text, row.text);
  let at = 0;
  while (at < text.length && text.charCodeAt(at) === row.text.charCodeAt(at)) at += 1;
  const begin = Math.max(0, at - 10);
  problems.add({
    file: row.file ?? file,
    line: row.line,
    field: 'text',
    message: `the text of ${describe(row.id)} differs from the one in ${from}: ${describe(row.text.slice(begin, at + 20))} here, ${describe(text.slice(begin, at + 20))} there${hidden === null ? '' : `. They differ only in ${hidden}`}`,
    next: 'both files must speak of the same text',
  });
}
