import { describe, expect, test } from 'vitest';

import { withoutPadding } from '../../src/stream/padded-deltas.ts';
import { madeTrace } from './made-trace.ts';

const TEXT =
  'Given the fatigue I think gout is the most likely explanation although diabetes might also cause this sort of pain in her foot';

const found = (deltas: readonly string[]): readonly string[] | null =>
  withoutPadding(madeTrace('c', [{ agent: 'a', deltas: deltas.map((text, at) => [text, at]) }]))?.map(
    ({ delta_text: text }) => text,
  ) ?? null;

const words = TEXT.split(' ');
/** As models give them: a space before each word, and long words in two. */
const pieces = words
  .flatMap((word, at) => [`${at === 0 ? '' : ' '}${word.slice(0, 4)}`, word.slice(4)])
  .filter((piece) => piece !== '');

describe('a space that was added to every delta', () => {
  test('is taken off again', () => {
    expect(found(pieces.map((piece) => `${piece} `))).toEqual(pieces);
    expect(found(pieces.map((piece) => ` ${piece}`))).toEqual(pieces);
  });

  test.each([
    ['pieces as they came', pieces],
    ['words with the space after them', words.map((word) => `${word} `)],
    ['words with the space before them', words.map((word) => ` ${word}`)],
    ['words with a space on both sides', words.map((word) => ` ${word} `)],
    ['words with two spaces after a full stop', words.map((word, at) => (at % 4 === 3 ? `${word}.  ` : `${word} `))],
    ['lines', words.map((word) => `${word}\n`)],
    ['pieces of which some have a space too many', pieces.map((piece, at) => (at % 8 === 0 ? piece : `${piece} `))],
    ['few pieces', pieces.slice(0, 20).map((piece) => `${piece} `)],
    ['blank deltas', words.map(() => ' ')],
    ['nothing', []],
  ])('is not seen in %s', (_, deltas) => {
    expect(found(deltas)).toBeNull();
  });
});
