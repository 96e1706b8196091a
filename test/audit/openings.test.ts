import { expect, test } from 'vitest';

import { Openings } from '../../src/audit/text-index.ts';

test('the first eighty units of each text, however many there are and whatever they are written in', () => {
  const openings = new Openings();
  const texts = Array.from({ length: 3000 }, (_, at) => `${at} ${['a', 'ø', '日', '🍵'][at % 4]!.repeat(at % 90)}`);
  for (const text of ['', ...texts]) openings.add(text);
  expect(openings.at(0)).toBe('');
  texts.forEach((text, at) => {
    // A character that is cut in two is shown as one that is not known.
    expect(openings.at(at + 1)).toBe(text.slice(0, 80).toWellFormed());
  });
});
