import fc from 'fast-check';

import { runsHere } from '../many-runs.ts';

/** Fixed, so that a failure on one machine is a failure on all. */
export const runs = { seed: 20260, numRuns: runsHere(1000) };

/** Characters that text code gets wrong: Devanagari, emoji, marks, odd white space, lone surrogates. */
const awkward = fc.constantFrom(
  ...'a B ß é e\u0301 İ ς क ि ् 7 ٣ 😀 👩‍👩‍👧 ❤️ 𝒳'.split(' '),
  ...' |\n|\u00a0|\u1680|\u2028|\u3000|\ufeff|\u200b|\u001c|\u0085'.split('|'),
  ..."' ’ . — $ \ud83d \ude00 Ã ¸".split(' '),
);

/** Text of any UTF-16 units, valid or not, with many awkward ones. */
export const anyText = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: awkward },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) },
    ),
    { maxLength: 24 },
  )
  .map((parts) => parts.join(''));

/** Text of any code points but lone surrogates, as it comes out of a UTF-8 file. */
export const validText = anyText.map((text) => text.toWellFormed());
