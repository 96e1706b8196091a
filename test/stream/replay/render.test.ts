import { expect, test } from 'vitest';

import { renderSegments } from '../../../src/stream/replay/render.ts';

const segment = (agent: string, text: string): Parameters<typeof renderSegments>[0][number] => ({
  agent,
  text,
  startSeq: 0,
  endSeq: 0,
});

test('segments of one agent in a row share a heading and are joined by a space', () => {
  expect(
    renderSegments([segment('a', 'one.'), segment('a', 'two.'), segment('b', 'three'), segment('a', 'four')]),
  ).toBe('a:\none. two.\nb:\nthree\na:\nfour');
});

test('nothing is said to be nothing', () => {
  expect(renderSegments([])).toBe('(Buffer empty)');
});
