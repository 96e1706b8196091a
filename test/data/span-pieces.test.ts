import { describe, expect, test } from 'vitest';

import { caseOf, jsonl, problems } from './reading.ts';

const HEART = 'left and right atrium';

/** The files for one gold span from 0 to 21 with these pieces. */
function filesWith(fragments: unknown, text: string | undefined = HEART) {
  const span = { start: 0, end: 21, label: 'A', fragments };
  return { gold: jsonl({ id: 'c', text, spans: [span] }), predictions: jsonl({ id: 'c', spans: [] }) };
}

async function piecesRead(fragments: unknown, text?: string): Promise<unknown> {
  return (await caseOf(filesWith(fragments, text))).gold[0]!.fragments?.map(({ start, end }) => [start, end]);
}

describe('pieces of a span', () => {
  test('are pairs, or objects as in the ledger', async () => {
    expect(await piecesRead([[0, 4], [15, 21]])).toEqual([[0, 4], [15, 21]]); // prettier-ignore
    expect(await piecesRead([{ start: 0, end: 4 }, { start: 15, end: 21 }])).toEqual([[0, 4], [15, 21]]); // prettier-ignore
  });

  test('count even if there is only one of them', async () => {
    expect(await piecesRead([[0, 4]])).toEqual([[0, 4]]);
    expect(await piecesRead([[0, 21]])).toBeUndefined();
  });

  test('have their own start and end, whatever is listed around them', async () => {
    for (const text of [HEART, undefined]) {
      const { gold } = await caseOf(filesWith([[9, 14], [5, 8]], text)); // prettier-ignore
      expect(gold[0]).toMatchObject({ start: 5, end: 14 });
    }
  });

  test.each([[null], [[]]])('are absent if the list is %j', async (fragments) => {
    expect(await piecesRead(fragments)).toBeUndefined();
  });

  test.each([
    ['0 4;15 21'],
    [[0, 4, 15, 21]],
    [
      [
        ['0', '4'],
        ['15', '21'],
      ],
    ],
    [[[0, 4, 15]]],
    [[{ start: 0 }]],
    [4],
  ])(
    // prettier-ignore
    'are refused, not passed over, as %j',
    async (fragments) => {
      expect((await problems(filesWith(fragments))).join('\n')).toContain(
        'spans[0].fragments: expected pieces of the span, such as [[0, 4], [15, 21]]',
      );
    },
  );

  test.each([
    [
      [
        [0, 4],
        [15, 22],
      ],
    ],
    [
      [
        [4, 0],
        [15, 21],
      ],
    ],
    [
      [
        [0, 4],
        [9, 9],
      ],
    ],
  ])(
    // prettier-ignore
    'are refused outside the span, reversed or empty, with and without a text: %j',
    async (fragments) => {
      for (const text of [HEART, undefined])
        expect((await problems(filesWith(fragments, text))).join('\n')).toContain(
          'a piece of the span 0..21 is outside it, empty or reversed',
        );
    },
  );

  test('are refused inside a character', async () => {
    const files = filesWith([[0, 1], [20, 21]], '😀 and right atrium 12'); // prettier-ignore
    expect((await problems(files, { offsets: 'utf16' })).join('\n')).toContain('begins or ends inside a character');
  });
});
