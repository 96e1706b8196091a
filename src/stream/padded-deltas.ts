import { isMessage } from './canonical-text.ts';
import { isWordCharacter } from './cut-words.ts';
import type { StreamDelta, Trace } from './trace-records.ts';

/** Of how many joints between deltas of a turn something can be said. */
const LEAST_JOINTS = 20;
const PADDED_SHARE = 0.99;
/** Deltas that are whole words with one space each have none to spare; of padded pieces a third or more have one. */
const SPARE_SHARE = 0.2;
const CUT_SHARE = 0.05;

/**
 * The deltas without the space that something added to each of them, after or before; null if nothing did. Pieces that
 * continue a word and pieces that have their own space besides are both common then. Deltas that are words with the
 * space after them have neither.
 */
export function withoutPadding(trace: Pick<Trace, 'deltas'>): readonly StreamDelta[] | null {
  for (const side of ['after', 'before'] as const)
    if (isPadded(trace, side))
      return trace.deltas.map((delta) => ({ ...delta, delta_text: stripped(delta.delta_text, side) }));
  return null;
}

type PaddedSide = 'after' | 'before';

function isPadded({ deltas }: Pick<Trace, 'deltas'>, side: PaddedSide): boolean {
  let [joints, padded, cut, spare] = [0, 0, 0, 0];
  let before: StreamDelta | null = null;
  for (const delta of deltas) {
    if (!isMessage(delta) || delta.delta_text === '') continue;
    if (before !== null && before.turn_id === delta.turn_id) {
      joints += 1;
      const [left, right] = [before.delta_text, delta.delta_text];
      if (side === 'after' ? left.endsWith(' ') : right.startsWith(' ')) padded += 1;
      const gap = gapBetween(
        side === 'after' ? stripped(left, side) : left,
        side === 'before' ? stripped(right, side) : right,
      );
      if (gap === 0) cut += 1;
      else if (gap !== null) spare += 1;
    }
    before = delta;
  }
  return (
    joints >= LEAST_JOINTS &&
    padded >= PADDED_SHARE * joints &&
    cut >= CUT_SHARE * joints &&
    spare >= SPARE_SHARE * joints
  );
}

function stripped(text: string, side: PaddedSide): string {
  if (side === 'after') return text.endsWith(' ') ? text.slice(0, -1) : text;
  return text.startsWith(' ') ? text.slice(1) : text;
}

/** How many spaces are between two words that meet; null if no two words do. */
function gapBetween(left: string, right: string): number | null {
  let [end, start] = [left.length, 0];
  while (end > 0 && left[end - 1] === ' ') end -= 1;
  while (start < right.length && right[start] === ' ') start += 1;
  const isOfWord = (text: string, at: number): boolean => isWordCharacter(text.codePointAt(at) ?? 0);
  return isOfWord(left, end - 1) && isOfWord(right, start) ? left.length - end + start : null;
}
