import { type MadeTurn, turn } from '../made-trace.ts';

/**
 * A dozen deltas whose flushes can be followed by hand. With 3 to 5 words, silence 1 s and wait 4 s: "One two three." at
 * 600 (boundary_cue, 3 words), "alpha … epsilon" at 1500 (max_words, 5 words), " four five" after silence from 900 on,
 * noticed at 9000 (silence_timer, 2 words); " six seven" and " zeta" are left at the end. The first turn is control.
 */
export const DOZEN: readonly MadeTurn[] = [
  turn('a', 'b@0'),
  turn('a', 'One@100', ' two@300', ' three@500', '.@600', ' four@700', ' five@900'),
  turn('b', 'alpha beta@1000', ' gamma delta@1200', ' epsilon@1500', ' zeta@1600'),
  turn('a', ' six@9000', ' seven@9100'),
];
