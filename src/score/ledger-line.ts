import { type EndPlace, type Item, NO_FIELDS } from '../data/item.ts';
import type { PlacedText } from '../pair/difference.ts';
import type { OffsetMap } from '../text/offsets.ts';
import { movedPlace } from '../text/pieces.ts';
import type { Span } from '../text/span.ts';

/**
 * How a line of ledger.jsonl is written: JSON without spaces, byte for byte as below. A key in brackets is left out when
 * the reader knows its value.
 *
 *   {"case":ID[,"scheme":NAME or null][,"kind":KIND]OUTCOME[,"gold":ITEM][,"predicted":ITEM],"label":LABEL[,"text":TEXT]
 *   [,"start":N,"end":N]REASONS[,"schemes":{NAME:{OUTCOME[,"gold":INDEX or ,"predicted":INDEX][,"label":LABEL]REASONS},…}]}
 *
 * - OUTCOME: `,"verdict":V`; [,"rule":R] unless `pair` of a hit or `no-match` of what is missed or spurious;
 *   [,"similarity":N] unless 1 of a hit or none of anything else (a hit without one: null); [,"credit":N] and
 *   [,"weight":N] unless 1; [,"match":M] unless none.
 * - ITEM: its index, or an object of index and what else there is: what is not as on the line (label, text, start, end),
 *   annotator, was, parts, grounded, ungrounded, refused, aligned, fragments, source, target, ends, unresolved, fields.
 * - LABEL is the verdict's; TEXT, start and end are gold's, or those of the prediction when there is no gold.
 * - REASONS: [,"attributes":{…}][,"because":B][,"setAside":true][,"rejected":{"index":N[,"label":L,"text":T],
 *   "similarity":N,"why":WHY}]. Without label and text, the candidate is the item of that index on the other side of the
 *   case; then a WHY of `label differs` or `boundaries differ`, or both, stands for the whole sentence.
 * - `schemes` lists those that came to another outcome than the line, in the order of the recipe. In it, `gold` alone
 *   marks a prediction whose outcome is on the line of that gold item.
 */
export function lineText(
  head: string,
  outcome: string,
  gold: string,
  predicted: string,
  label: string,
  place: string,
  reasons: string,
  schemes: string,
): string {
  const sides = `${gold === '' ? '' : `,"gold":${gold}`}${predicted === '' ? '' : `,"predicted":${predicted}`}`;
  return `${head}${outcome}${sides},"label":${label}${place}${reasons}${schemes === '' ? '' : `,"schemes":{${schemes}}`}}\n`;
}

/** Up to and with the kind; `kind` is null where the manifest has it. */
export function lineHead(id: string, scheme: string | null | undefined, kind: string | null): string {
  const under = scheme === undefined ? '' : `,"scheme":${scheme === null ? 'null' : quoted(scheme)}`;
  return `{"case":${quoted(id)}${under}${kind === null ? '' : `,"kind":${quoted(kind)}`}`;
}

const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/** As JSON.stringify does it. */
export function quoted(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** The rule of a verdict that no rule but pairing has made. */
export function plainRule(verdict: string): string | undefined {
  return verdict === 'hit' ? 'pair' : verdict === 'excused' ? undefined : 'no-match';
}

export function outcomeText(
  verdict: string,
  rule: string,
  similarity: number | null,
  credit: number,
  weight: number,
  match: string | null,
): string {
  let text = `,"verdict":"${verdict}"`;
  if (rule !== plainRule(verdict)) text += `,"rule":${quoted(rule)}`;
  if (similarity !== (verdict === 'hit' ? 1 : null))
    text += `,"similarity":${similarity === null ? 'null' : finite(similarity)}`;
  if (credit !== 1) text += `,"credit":${finite(credit)}`;
  if (weight !== 1) text += `,"weight":${finite(weight)}`;
  return match === null ? text : `${text},"match":${quoted(match)}`;
}

export function placeText(text: string, start?: number, end = start): string {
  const place = start === undefined || end === undefined ? '' : `,"start":${start},"end":${end}`;
  return `,"text":${quoted(text)}${place}`;
}

/** The text of `why` is what differs where that is all there is to it. */
export function rejectedText(index: number, content: string, similarity: number, why: string): string {
  return `,"rejected":{"index":${index}${content},"similarity":${finite(similarity)},"why":${quoted(why)}}`;
}

/** JSON would make null of it. */
export function finite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw new RangeError(`${value} is no JSON number`);
}

/** The facts of an item that one place has in each verdict. */
export function placedText(item: Item, offsets: OffsetMap | null): PlacedText {
  const { label, text, start, end, fragments } = item;
  if (start < 0) return { label, text };
  if (fragments !== undefined) {
    const place = { start, end, fragments };
    return { label, text, ...(offsets === null ? place : movedPlace(place, offsets.fromUtf16)) };
  }
  if (offsets === null) return { label, text, start, end };
  return { label, text, start: offsets.fromUtf16(start), end: offsets.fromUtf16(end) };
}

/** The places of the ends of a relationship in the unit of the files. */
export function endsInFile({ source, target }: NonNullable<Item['ends']>, offsets: OffsetMap | null) {
  const at = (index: number): number => (offsets === null ? index : offsets.fromUtf16(index));
  const placed = (end: EndPlace | null) =>
    end && {
      start: at(end.start),
      end: at(end.end),
      label: end.label,
      ...(end.fragments === undefined ? {} : { fragments: fragmentPlaces(end.fragments, offsets) }),
    };
  return { source: placed(source), target: placed(target) };
}

/** Pieces of a span in the unit of the files. */
export function fragmentPlaces(fragments: readonly Span[], offsets: OffsetMap | null): Span[] {
  return fragments.map(({ start, end }) =>
    offsets === null ? { start, end } : { start: offsets.fromUtf16(start), end: offsets.fromUtf16(end) },
  );
}

/** One side of a line: `item` has the place `own`, and the line itself has `line`. */
export function sideText(
  item: Item,
  own: PlacedText,
  label: string,
  line: PlacedText,
  offsets: OffsetMap | null,
): string {
  let text = '';
  if (own.label !== label) text += `,"label":${quoted(own.label)}`;
  if (own.text !== line.text) text += `,"text":${quoted(own.text)}`;
  if (own.start !== line.start || own.end !== line.end)
    text += own.start === undefined ? ',"start":null' : `,"start":${own.start},"end":${own.end ?? own.start}`;
  if (item.annotator !== null) text += `,"annotator":${quoted(item.annotator)}`;
  if (item.was !== undefined) text += `,"was":${quoted(item.was)}`;
  if (item.parts !== null) text += `,"parts":${JSON.stringify(item.parts)}`;
  if (item.grounded !== null) text += `,"grounded":${item.grounded}`;
  if (item.ungrounded !== undefined) text += `,"ungrounded":${quoted(item.ungrounded)}`;
  if (item.refused !== undefined) text += `,"refused":${JSON.stringify(item.refused)}`;
  if (item.aligned !== undefined) text += `,"aligned":${JSON.stringify(item.aligned)}`;
  if (item.fragments !== undefined) text += `,"fragments":${JSON.stringify(fragmentPlaces(item.fragments, offsets))}`;
  if (item.kind === 'relationship')
    text += `,"source":${JSON.stringify(item.source)},"target":${JSON.stringify(item.target)}`;
  if (item.ends !== undefined) text += `,"ends":${JSON.stringify(endsInFile(item.ends, offsets))}`;
  if (item.unresolved !== undefined) text += `,"unresolved":${JSON.stringify(item.unresolved)}`;
  if (item.fields !== NO_FIELDS) text += `,"fields":${JSON.stringify(item.fields)}`;
  return text === '' ? String(item.index) : `{"index":${item.index}${text}}`;
}
