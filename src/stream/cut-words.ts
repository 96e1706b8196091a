import { characterKind, kind } from '../plugin.ts';
import { isMessage, type Join } from './canonical-text.ts';
import type { Trace } from './trace-records.ts';

interface CutWords {
  readonly words: number;
  /** Places where a space was put inside a word. */
  readonly cuts: number;
  /** The words with the most pieces, as the join left them. */
  readonly examples: readonly string[];
}

const NONE: CutWords = { words: 0, cuts: 0, examples: [] };
const MOST_EXAMPLES = 3;
const LONGEST_EXAMPLE = 60;

/**
 * The words that a join puts spaces into: a delta ends inside a word if a letter or digit is on both sides of its
 * end. Joined as they are, deltas cut nothing.
 *
 * @example cutWords(traceOf(['Spin', 'oc', 'ere', ' test']), 'space') // { words: 1, cuts: 2, examples: ['Spin oc ere'] }
 */
export function cutWords(trace: Pick<Trace, 'deltas'>, join: Join): CutWords {
  if (join !== 'space') return NONE;
  let words = 0;
  let cuts = 0;
  const examples: { readonly text: string; readonly pieces: number }[] = [];
  let pieces: string[] = [];
  let before = '';
  let turn: number | null = null;
  const close = (): void => {
    if (pieces.length > 1) {
      words += 1;
      const text = pieces.join(' ').slice(0, LONGEST_EXAMPLE);
      if (!examples.some((one) => one.text === text)) {
        examples.push({ text, pieces: pieces.length });
        examples.sort((a, b) => b.pieces - a.pieces);
        if (examples.length > MOST_EXAMPLES) examples.pop();
      }
    }
    pieces = [];
  };
  for (const delta of trace.deltas) {
    const { delta_text: text, turn_id: own } = delta;
    if (!isMessage(delta) || text === '') continue;
    const goesOn = turn === own && isWordEnd(before) && isWordStart(text);
    if (goesOn) {
      cuts += 1;
      if (pieces.length === 0) pieces.push(lastWord(before));
      pieces.push(firstWord(text));
      // The word may continue only if this delta is nothing but a piece of it.
      if (firstWord(text) !== text) close();
    } else close();
    before = text;
    turn = own;
  }
  close();
  return { words, cuts, examples: examples.map(({ text }) => text) };
}

const FIRST_WORD = /^[\p{L}\p{N}\p{M}]+/u;
const LAST_WORD = /[\p{L}\p{N}\p{M}]+$/u;

function firstWord(text: string): string {
  return FIRST_WORD.exec(text)?.[0] ?? '';
}

function lastWord(text: string): string {
  return LAST_WORD.exec(text.slice(-LONGEST_EXAMPLE))?.[0] ?? '';
}

function isWordStart(text: string): boolean {
  return isWordCharacter(text.codePointAt(0) ?? 0);
}

function isWordEnd(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  const pair = last >= 0xdc00 && last <= 0xdfff && text.length > 1;
  return text !== '' && isWordCharacter(text.codePointAt(text.length - (pair ? 2 : 1)) ?? 0);
}

export function isWordCharacter(codePoint: number): boolean {
  const found = characterKind(codePoint);
  return found === kind.letterOrDigit || found === kind.mark;
}
