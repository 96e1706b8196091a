import type { Item } from '../data/item.ts';
import { distinctTexts } from '../data/visible.ts';
import type { OffsetMap } from '../text/offsets.ts';
import { haveSamePieces, type PiecedSpan, offsetsText } from '../text/pieces.ts';

/** What keeps two spans from being the same, in short. */
export const LABEL_DIFFERS = 'label differs';
export const BOUNDARIES_DIFFER = 'boundaries differ';
const BOTH = `${LABEL_DIFFERS}; ${BOUNDARIES_DIFFER}`;

/** An item's facts as a file has them: places in the unit of the files, undefined for none. */
export interface PlacedText {
  readonly label: string;
  readonly text: string;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly fragments?: PiecedSpan['fragments'] | undefined;
}

/** What differs, one of the two at least. */
export function differenceOf(isLabelOff: boolean, isPlaceOff: boolean): string {
  return !isLabelOff ? BOUNDARIES_DIFFER : isPlaceOff ? BOTH : LABEL_DIFFERS;
}

/** What keeps two spans from being the same, for those who look at neither gates nor thresholds. */
export function differenceText(gold: Item, predicted: Item, offsets: OffsetMap | null): string {
  const label = gold.label === predicted.label ? '' : `${LABEL_DIFFERS}: ${labelsOf(gold, predicted)}`;
  const places = haveSamePieces(gold, predicted) ? '' : `${BOUNDARIES_DIFFER}: ${placesText(gold, predicted, offsets)}`;
  return [label, places].filter((part) => part !== '').join('; ');
}

/** Both places as the files count them. */
export function placesText(gold: PiecedSpan, predicted: PiecedSpan, offsets: OffsetMap | null): string {
  return `${offsetsText(gold, offsets?.fromUtf16)} in gold, ${offsetsText(predicted, offsets?.fromUtf16)} predicted`;
}

export function labelsOf(gold: Pick<Item, 'label'>, predicted: Pick<Item, 'label'>): string {
  const [one, other] = distinctTexts(gold.label, predicted.label);
  return `${one} in gold, ${other} predicted`;
}

/** What differs, for a sentence on two items that they themselves give; undefined for any other sentence. */
export function shortReason(why: string, gold: PlacedText, predicted: PlacedText): string | undefined {
  const isLabelOff = why.startsWith(LABEL_DIFFERS);
  const short = differenceOf(isLabelOff, isLabelOff && why.includes(`; ${BOUNDARIES_DIFFER}`));
  return wholeReason(short, gold, predicted) === why ? short : undefined;
}

/** The sentence that a short reason stands for; undefined where it is none, or the items have no place. */
export function wholeReason(short: string, gold: PlacedText, predicted: PlacedText): string | undefined {
  if (!isShortReason(short)) return undefined;
  const label = short === BOUNDARIES_DIFFER ? '' : `${LABEL_DIFFERS}: ${labelsOf(gold, predicted)}`;
  if (short === LABEL_DIFFERS) return label;
  const [one, other] = [placeOf(gold), placeOf(predicted)];
  if (one === null || other === null) return undefined;
  const places = placesText(one, other, null);
  return `${label}${label === '' ? '' : '; '}${BOUNDARIES_DIFFER}: ${places}`;
}

function placeOf({ start, end, fragments }: PlacedText): PiecedSpan | null {
  if (start === undefined || end === undefined) return null;
  return fragments === undefined ? { start, end } : { start, end, fragments };
}

/** Whether a sentence would be taken for a short one. */
export function isShortReason(why: string): boolean {
  return why === LABEL_DIFFERS || why === BOUNDARIES_DIFFER || why === BOTH;
}
