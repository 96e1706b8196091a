import { hasSurrogates } from '../text/characters.ts';
import { repairMojibake, type RepairedWords, repairWords } from '../text/mojibake.ts';
import { closestWords } from '../text/closest-words.ts';
import { type OffsetMap, offsetMap, type OffsetUnit } from '../text/offsets.ts';
import { hullOf, movedPlace } from '../text/pieces.ts';
import { isCanonicallyEqual } from '../text/same-text.ts';
import type { DataOptions, OffsetConvention } from './data-options.ts';
import { UNGIVEN } from './formats/span-items.ts';
import { type Item, itemAt, type Side } from './item.ts';
import type { SideFits } from './offset-fits.ts';
import type { Problems } from './problems.ts';
import { describe } from './record-fields.ts';
import { hiddenDifference, shorten } from './visible.ts';

/** What reading noticed and let pass by a policy: reported, because a silent policy is a trap. */
export interface ReadNotices {
  unansweredCases: number;
  unknownLabelsKept: number;
  unknownCasesAsSpurious: number;
  badSpansAsSpurious: number;
  uncheckedSpans: number;
  /** Only there when `mojibake: repair` repaired some. */
  textsRepaired?: number;
  /** Cases whose text looks misread; only there when some do. */
  documentsBroken?: number;
  /** Cases whose text `mojibake: repair` repaired; only there when it did. */
  documentsRepaired?: number;
  /** Only there when `missingGold: empty` let some pass. */
  casesWithoutGold?: number;
  /** Only there when `missingGold: leave-out` left some out, with their predictions. */
  casesLeftOut?: number;
  /** Records whose list of annotations is absent or null, in files that have others, and in files that have no list at all. */
  absentLists?: number;
  absentListsEverywhere?: number;
  /** Of several files that were read as one, those that hold no record; only there when some do. */
  emptyFiles?: number;
  /** Records without ids that were matched with the cases by their order; only there when some were. */
  matchedByOrder?: number;
  /** Items that the files have and the recipe does not pair, such as relations beside spans; only there when some are. */
  itemsLeftOut?: number;
  /** Classes of whole texts beside the annotations; only there when some are. */
  categoriesNotRead?: number;
  /** Quotes without a place that were looked for in the text, by what was found; only there when some were. */
  quotesExact?: number;
  quotesNormalised?: number;
  quotesFuzzy?: number;
  quotesMissing?: number;
  /** Of those, the ones that fit several places. */
  quotesAmbiguous?: number;
  /** Spans with a wrong place that `badSpan: align` moved to their words; and those whose words are at several places. */
  spansMoved?: number;
  spansMovedAmbiguous?: number;
  /** Only there when a system's output lists items that it removed itself. */
  rejectedBySystem?: number;
  /** Only there when a system's output lists fields that it removed from items whose label does not have them. */
  fieldsTakenOff?: number;
}

/** Nothing noticed yet. */
export function noNotices(): ReadNotices {
  return {
    unansweredCases: 0,
    unknownLabelsKept: 0,
    unknownCasesAsSpurious: 0,
    badSpansAsSpurious: 0,
    uncheckedSpans: 0,
  };
}

/** Whose items are checked, and where what is found goes. */
export interface ItemCheck {
  readonly caseId: string;
  readonly text: string | null;
  /** How the side's file counts places, and the map of this text's. */
  readonly convention: OffsetConvention;
  readonly offsets: OffsetMap | null;
  /** The text without broken UTF-8, where it was repaired. */
  readonly repaired?: RepairedWords | null;
  readonly side: Side;
  readonly file: string;
  readonly options: DataOptions;
  readonly problems: Problems;
  readonly notices: ReadNotices;
  readonly fits?: SideFits;
}

/** Notes a problem of an item, which it names as `J001 gold item 3`. */
export function reportItem(item: Item, check: ItemCheck, message: string, next: string | undefined, field = ''): void {
  const place = `${shorten(check.caseId)} ${check.side} item ${item.index}${field}`;
  check.problems.add({ file: check.file, line: item.line, field: place, message, next });
}

const UNIT_NAMES: Readonly<Record<OffsetUnit, string>> = {
  utf16: 'UTF-16 units',
  codepoint: 'characters',
  byte: 'bytes',
};

/** The map between the files' unit and UTF-16 for a text, or null where every offset stands for itself. */
export function offsetsFor(text: string | null, unit: OffsetUnit): OffsetMap | null {
  return text === null || (unit !== 'byte' && !hasSurrogates(text)) ? null : offsetMap(text, unit);
}

/** Spans, and entities with a place, with offsets in UTF-16, each inside the text and equal to its slice; what is not is reported or follows the policy. */
export function checkSpans(items: readonly Item[], check: ItemCheck): readonly Item[] {
  let out: Item[] | null = null;
  for (let at = 0; at < items.length; at += 1) {
    const item = items[at]!;
    const checked = isPlaced(item) ? withinPieces(checkSpan(item, check)) : item;
    if (checked !== item && out === null) out = items.slice(0, at);
    out?.push(checked);
  }
  return out ?? items;
}

/** Spans have a place; entities may. A quote that was aligned has the one that it was given. */
function isPlaced({ kind, start, end, aligned }: Item): boolean {
  return (kind === 'span' || (kind === 'entity' && (start !== -1 || end !== -1))) && aligned === undefined;
}

/** The start and end that a file lists for a span may lie beyond its pieces, which are all that counts. */
function withinPieces(item: Item): Item {
  return item.fragments === undefined ? item : { ...item, ...hullOf(item.fragments) };
}

function checkSpan(given: Item, check: ItemCheck): Item {
  const { text, offsets, convention } = check;
  const item = fromZero(given, convention);
  if (item.start < 0 || item.end < 0) return bad(item, check, `${placed(item)} is negative`);
  if (item.end < item.start) return bad(item, check, `${placed(item)} is reversed`);
  if (item.end === item.start) return bad(item, check, `${placed(item)} is empty`);
  if (item.fragments?.some((piece) => piece.start < item.start || piece.end > item.end || piece.end <= piece.start))
    return bad(
      item,
      check,
      `a piece of ${placed(item)} is outside it, empty or reversed`,
      'correct it where the spans are made',
    );
  if (text === null) {
    check.notices.uncheckedSpans += 1;
    return item.text === UNGIVEN ? { ...item, text: '' } : item;
  }
  const length = offsets === null ? text.length : offsets.length;
  if (item.end > length) {
    if (item.text !== UNGIVEN) check.fits?.[check.side].add(text, item.text, given, convention, check.file);
    const unit = UNIT_NAMES[convention.unit];
    const next = check.side === 'gold' ? unitHint(check, item.text) : undefined;
    return bad(item, check, `${placed(item)} is past the end of the text (${length} ${unit})`, next);
  }
  const start = offsets === null ? item.start : offsets.toUtf16(item.start);
  const end = offsets === null ? item.end : offsets.toUtf16(item.end);
  if (start < 0 || end < 0)
    return bad(item, check, `${placed(item)} begins or ends inside a character`, unitHint(check));

  if (item.fragments !== undefined) return checkFragments(item, start, end, text, check);
  const slice = text.slice(start, end);
  if (slice === item.text) return start === item.start && end === item.end ? item : { ...item, start, end };
  // Later stages see the document's own characters.
  if (item.text === UNGIVEN || isCanonicallyEqual(slice, item.text)) return { ...item, text: slice, start, end };
  if (repairMojibake(item.text) === slice || repairWords(slice)?.text === item.text) {
    if (check.options.mojibake === 'repair') {
      check.notices.textsRepaired = (check.notices.textsRepaired ?? 0) + 1;
      return { ...item, text: slice, start, end };
    }
    const [broken, meant] = repairMojibake(item.text) === slice ? [item.text, slice] : [slice, item.text];
    const message = `the text ${describe(broken)} is broken UTF-8 for ${describe(meant)}`;
    return bad(item, check, message, 'repair it with --set data.mojibake=repair');
  }
  const hidden = hiddenDifference(item.text, slice);
  if (hidden === null) check.fits?.[check.side].add(text, item.text, given, convention, check.file);
  return otherWords(item, `but the document has ${describe(slice)} there`, hidden, check);
}

/** Refuses a span with other words than the document has at its place; `hidden` are invisible characters, if only these differ. */
function otherWords(item: Item, difference: string, hidden: string | null, check: ItemCheck): Item {
  const message = `the text of ${placed(item)} is ${describe(item.text)}, ${difference}`;
  if (hidden === null) return bad(item, check, message, unitHint(check, item.text));
  const next = 'write the text of the span as the document has it, or leave it out';
  return bad(item, check, `${message}. They differ only in ${hidden}`, next);
}

/** A place that is counted from 0 and ends before its end. */
function fromZero(item: Item, { inclusive = false, oneBased = false }: OffsetConvention): Item {
  const [first, last] = [oneBased ? -1 : 0, (oneBased ? -1 : 0) + (inclusive ? 1 : 0)];
  if (first === 0 && last === 0) return item;
  const fragments = item.fragments?.map(({ start, end }) => ({ start: start + first, end: end + last }));
  const moved = { ...item, start: item.start + first, end: item.end + last };
  return fragments === undefined ? moved : { ...moved, fragments };
}

/** The pieces of a span that is not in one piece; its text is theirs, joined by spaces or nothing. */
function checkFragments(item: Item, start: number, end: number, text: string, check: ItemCheck): Item {
  const { offsets } = check;
  const fragments = (item.fragments ?? []).map((piece) => ({
    start: offsets === null ? piece.start : offsets.toUtf16(piece.start),
    end: offsets === null ? piece.end : offsets.toUtf16(piece.end),
  }));
  if (fragments.some((piece) => piece.start < 0 || piece.end < 0))
    return bad(item, check, `a piece of ${placed(item)} begins or ends inside a character`, unitHint(check));
  const slices = fragments.map((piece) => text.slice(piece.start, piece.end));
  const spaced = slices.join(' ');
  if (item.text === UNGIVEN) return { ...item, text: spaced, start, end, fragments };
  const words = [spaced, slices.join('')].find((joined) => isCanonicallyEqual(joined, item.text));
  if (words !== undefined) return { ...item, text: words, start, end, fragments };
  const difference = `but its pieces in the document are ${describe(spaced)}`;
  return otherWords(item, difference, hiddenDifference(item.text, spaced), check);
}

/** Items of a repaired document: offsets are mapped to the repaired text, and quotes and names are repaired too. */
export function repairedItems(items: readonly Item[], check: ItemCheck): readonly Item[] {
  const { repaired = null } = check;
  if (check.options.mojibake !== 'repair') return items;
  const repair = (text: string): string => repairWords(text)?.text ?? text;
  return items.map((item) => {
    if (item.kind !== 'span' && item.start < 0)
      return {
        ...item,
        text: repair(item.text),
        source: item.source && repair(item.source),
        target: item.target && repair(item.target),
      };
    if (repaired === null || item.start < 0) return item;
    const place = movedPlace(item, repaired.placeOf);
    if ([place, ...(place.fragments ?? [])].some(({ start, end }) => start < 0 || end < 0))
      return bad(item, check, `${placed(item)} begins or ends inside a broken character`, KEEP_BROKEN);
    return itemAt(item, place, repaired.text);
  });
}

const KEEP_BROKEN = 'end it between characters, or leave texts as they are with --set data.mojibake=report';

function placed(item: Item): string {
  return `the span ${item.start}..${item.end}`;
}

/** In a plain text, all units are the same: then the offsets are wrong themselves. */
function unitHint({ convention, text }: ItemCheck, words = UNGIVEN): string {
  if (text === null || /[^\0-\x7f]/.test(text))
    return `offsets are read as ${convention.unit}; change with --set data.offsets=utf16|codepoint|byte`;
  return words !== UNGIVEN && words !== '' && text.includes(words)
    ? 'correct it, or move such spans to the closest place with their text: --set data.badSpan=align'
    : 'correct it where the spans are made';
}

function bad(item: Item, check: ItemCheck, message: string, next?: string): Item {
  const { badSpan } = check.options;
  const moved = badSpan === 'align' ? movedItem(item, check) : null;
  if (moved !== null) return moved;
  if (check.side === 'predicted' && badSpan !== 'error') {
    check.notices.badSpansAsSpurious += 1;
    const text = item.text === UNGIVEN ? '' : item.text;
    const { fragments: _, ...rest } = item;
    return { ...rest, text, start: -1, end: -1, refused: { start: item.start, end: item.end, because: message } };
  }
  const policy = 'or count such predictions as spurious: --set data.badSpan=spurious';
  const advice = check.side === 'predicted' && next === undefined ? policy : next;
  reportItem(item, check, message, advice);
  return item;
}

/** A span at the closest place that has its text; null if the text is nowhere. */
function movedItem(item: Item, { text, offsets, notices }: ItemCheck): Item | null {
  if (text === null || item.text === UNGIVEN || item.text === '') return null;
  const near = offsets === null ? item.start : Math.max(0, offsets.toUtf16(item.start));
  const forms = [item.text, item.text.normalize('NFC'), item.text.normalize('NFD')];
  const words = forms.find((form) => closestWords(text, form, near) !== null);
  if (words === undefined) return null;
  const { start, ambiguous } = closestWords(text, words, near)!;
  notices.spansMoved = (notices.spansMoved ?? 0) + 1;
  if (ambiguous) notices.spansMovedAmbiguous = (notices.spansMovedAmbiguous ?? 0) + 1;
  const { fragments: _, ...whole } = item;
  return {
    ...whole,
    text: words,
    start,
    end: start + words.length,
    aligned: { status: 'exact', ambiguous, similarity: 1 },
  };
}
