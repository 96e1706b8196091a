import type { CaseScript } from './case-script.ts';
import { steadyRandom } from './steady-random.ts';

/** One line for `assay stream record`. */
export interface Event {
  readonly agent: string;
  readonly text: string;
  readonly time: number;
  readonly subtype?: string;
  readonly end_of_turn?: true;
}

/** The conversation as a model would send it: pieces of words, one after the other, at a pace that varies a little. */
export function caseEvents({ id, start, turns }: CaseScript): Event[] {
  // The pace was drawn when the cases had other names.
  const random = steadyRandom(id.replace(/^case/, 'ward'));
  const events: Event[] = [];
  let time = start;
  for (const { agent, after, pace, subtype, parts } of turns) {
    const own: Event[] = [];
    for (const part of parts) {
      for (const [at, text] of (part.whole ? [part.text] : pieces(part.text)).entries()) {
        if (events.length + own.length > 0)
          time += own.length === 0 ? after : at === 0 && part.wait > 0 ? part.wait : between(pace, random());
        const kind = part.subtype ?? subtype;
        own.push({ agent, text, time, ...(kind === null ? {} : { subtype: kind }) });
      }
    }
    events.push(...own.slice(0, -1), { ...own.at(-1)!, end_of_turn: true });
  }
  return events;
}

/** About as models cut text: short words whole with the blank before them, long ones in pieces, marks apart. */
function pieces(text: string): string[] {
  const words = text.match(/\n+| ?\p{L}+| ?\d+| ?[^\s\p{L}\d]+| /gu) ?? [];
  return words.flatMap((word) => (word.trim().length > LONG_WORD ? (word.match(/ ?.{1,5}/gu) ?? []) : [word]));
}

const LONG_WORD = 8;

function between([low, high]: readonly [number, number], random: number): number {
  return low + Math.floor(random * (high - low + 1));
}
