import type { RepairedWords } from '../text/mojibake.ts';
import type { OffsetMap } from '../text/offsets.ts';
import type { DataOptions } from './data-options.ts';
import type { Item, Side } from './item.ts';
import type { Problems } from './problems.ts';
import { shorten } from './visible.ts';

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
  /** Only there when a system's output tells of items that it took out itself. */
  rejectedBySystem?: number;
  /** Only there when a system's output tells of fields that it took off items whose label does not have them. */
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
  readonly offsets: OffsetMap | null;
  /** The text without broken UTF-8, where it was repaired. */
  readonly repaired?: RepairedWords | null;
  readonly side: Side;
  readonly file: string;
  readonly options: DataOptions;
  readonly problems: Problems;
  readonly notices: ReadNotices;
}

/** How a message names an item: `J001 gold item 3`. */
export function placeOf(item: Item, check: ItemCheck): string {
  return `${shorten(check.caseId)} ${check.side} item ${item.index}`;
}
