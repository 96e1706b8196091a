import { shorten } from '../../data/visible.ts';
import { clusters, displayWidth, wrapWords } from '../display-width.ts';
import { safeText } from '../safe-text.ts';

/**
 * Widths in ems of the widest of common sans-serif fonts, DejaVu Sans, in groups and rounded up: what fits here fits
 * in Arial and Helvetica too.
 */
const GROUPS: readonly (readonly [width: number, characters: string])[] = [
  [0.32, " ',.’·ijlIJ"],
  [0.4, '/:;\\|f-()[]t!'],
  [0.5, 'r"*_`–'],
  [0.56, 'szc?L'],
  [0.62, 'FkvxyPTYoae'],
  [0.64, 'EhnuSbdgpq$0123456789{}'],
  [0.7, 'KAVXZBRC'],
  [0.79, 'UNHDG&OQ'],
  [0.86, 'w#+<=>^~M'],
  [1, '%mW@…—'],
];
const EMS = new Map(GROUPS.flatMap(([width, characters]) => [...characters].map((character) => [character, width])));

function ems(character: string): number {
  return EMS.get(character) ?? Math.max(0.7, displayWidth(character));
}

/** About how wide a text will be, never too narrow by much: a reader's fonts are not known here. */
export function textWidth(text: string, size: number): number {
  let sum = 0;
  for (const { text: character } of clusters(text)) sum += ems(character);
  return sum * size;
}

/** Longest name that is looked at; hostile files have longer ones. */
const LONGEST = 400;

/** A text from data in one safe line of bearable length. */
export function singleLine(text: string): string {
  const safe = safeText(shorten(text, LONGEST));
  return safe.replaceAll(/\s+/g, ' ').trim();
}

/**
 * A line that fits a width, with … where something was cut: out of the middle, because names often differ at their
 * ends.
 */
export function fitted(line: string, width: number, size: number): string {
  if (textWidth(line, size) <= width) return line;
  const all = clusters(line).map(({ text }) => text);
  let [from, to] = [0, all.length];
  let used = textWidth('…', size);
  for (let front = true; from < to; front = !front) {
    used += ems(front ? all[from]! : all[to - 1]!) * size;
    if (used > width) break;
    if (front) from += 1;
    else to -= 1;
  }
  return `${all.slice(0, from).join('')}…${all.slice(to).join('')}`;
}

/** Lines that fit a width, broken at spaces, but not inside “n = 8” or “95 %”; a word too long for a line is broken where it must be. */
export function wrapped(text: string, width: number, size: number): string[] {
  return text === '' ? [] : wrapWords(text, width, { measure: (piece) => textWidth(piece, size), words: WORDS });
}

const WORDS = /[^ ]+(?: (?:= [^ ]+|%[^ ]*))*/g;
