import { expect, test } from 'vitest';

import type { ReviewContent } from '../../../src/review/content.ts';
import { shownSpans, spansAt } from '../../../web/src/rate/shown-spans.ts';
import { CONTENT, FORM } from './review-item.ts';

const thing = { kind: 'Person', facts: {}, passages: [] };
/** Two things with a place, one without, and a link between the first and the last. */
const GRAPH: ReviewContent = {
  ...CONTENT,
  proposed: {
    claims: [
      { ...thing, id: 'p1', start: 4, end: 8, text: 'rice' },
      { ...thing, id: 'p2', start: 26, end: 31, text: 'water' },
      { ...thing, id: 'p3', start: -1, end: -1, text: 'fire' },
      {
        ...thing,
        id: 'p4',
        start: -1,
        end: -1,
        text: 'rice → near → fire',
        kind: 'near',
        facts: { source: 'rice', target: 'fire' },
      },
    ],
  },
};

test('what has a place is marked, in the colour of its label', () => {
  const labelled = [{ id: 'p1', start: 4, end: 8, text: 'rice', label: 'no', from: ['p1'] }];
  expect(shownSpans(FORM, ['claims'], GRAPH, []).map(({ id, tone }) => [id, tone])).toEqual([
    ['p1', null],
    ['p2', null],
  ]);
  const cells = [{ field: 'claims', part: null, value: labelled }];
  expect(shownSpans(FORM, ['kind', 'claims'], GRAPH, cells)).toEqual([
    { id: 'p1', start: 4, end: 8, tone: 1, kind: 'Person' },
  ]);
});

test('at a thing it is marked itself, at a link its ends as far as they have a place', () => {
  const at = (part: string | null, field = 'claims') => spansAt(FORM, GRAPH, [], { field, part });
  expect(at('p2')).toEqual(['p2']);
  expect(at('p4')).toEqual(['p1']);
  expect([at(null), at('safety', 'rating'), spansAt(FORM, GRAPH, [], null)]).toEqual([[], [], []]);
});
