/**
 * Whether a text ends where a sentence or a line does: blanks and tabs at its end aside, in a newline, or in . ? ! and
 * any number of closing marks ) ] } ' ". Worked out piece by piece, since a text grows delta by delta.
 */

/** Does not end so; ends so, with blanks after it; ends so, and a closing mark may still follow. */
export const NO_CUE = 0;
const CUE_THEN_BLANK = 1;
const OPEN_CUE = 2;
type CueState = typeof NO_CUE | typeof CUE_THEN_BLANK | typeof OPEN_CUE;

const NEWLINE = 0x0a;
const BLANK = 0x20;
const TAB = 0x09;
/** By unit: what it is to the end of a sentence. Units beyond the table are none of these. */
const ENDS = new Uint8Array(128);
const OTHER = 0;
const MARK = 1;
const CLOSER = 2;
const LINE_END = 3;
const SPACE = 4;
for (const mark of '.?!') ENDS[mark.charCodeAt(0)] = MARK;
for (const closer of `)]}'"`) ENDS[closer.charCodeAt(0)] = CLOSER;
ENDS[NEWLINE] = LINE_END;
ENDS[BLANK] = SPACE;
ENDS[TAB] = SPACE;

function kindOf(unit: number): number {
  return unit < ENDS.length ? ENDS[unit]! : OTHER;
}

function after(state: number, kind: number): CueState {
  if (kind === MARK) return OPEN_CUE;
  if (kind === LINE_END) return CUE_THEN_BLANK;
  if (kind === SPACE) return state === NO_CUE ? NO_CUE : CUE_THEN_BLANK;
  return kind === CLOSER && state === OPEN_CUE ? OPEN_CUE : NO_CUE;
}

/** What a piece of text makes of each of the three states, two bits each. */
export function cueEffect(piece: string): number {
  // Whatever came before, a letter or the like ends it: only what follows the last one counts.
  let from = piece.length;
  while (from > 0 && kindOf(piece.charCodeAt(from - 1)) !== OTHER) from -= 1;
  let none: number = NO_CUE;
  let blank: number = from > 0 ? NO_CUE : CUE_THEN_BLANK;
  let open: number = from > 0 ? NO_CUE : OPEN_CUE;
  for (let at = from; at < piece.length; at += 1) {
    const kind = kindOf(piece.charCodeAt(at));
    none = after(none, kind);
    blank = after(blank, kind);
    open = after(open, kind);
  }
  return none | (blank << 2) | (open << 4);
}

/** The state after a piece, from its effect and the state before it. */
export function cueAfter(effect: number, state: number): number {
  return (effect >> (state * 2)) & 3;
}
