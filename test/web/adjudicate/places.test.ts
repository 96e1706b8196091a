import { describe, expect, it } from 'vitest';

import { reviewField } from '../../../src/recipe/review-section.ts';
import type { ReviewContent } from '../../../src/review/content.ts';
import type { ItemAnswer } from '../../../src/store/review-records.ts';
import { disputedPlaces, inAll } from '../../../web/src/adjudicate/places.ts';

const question = reviewField.parse({
  type: 'items',
  title: 'Claims',
  from: 'sentences',
  labels: { yes: 'Yes', no: 'No' },
});
const content: ReviewContent = {
  title: 'Drink water.',
  language: 'en',
  under: 'response',
  blocks: [{ name: 'response', title: 'The answer', text: 'Drink warm water. Sleep early. Eat ghee.' }],
  proposed: {
    claims: [
      { id: 'c1', start: 0, end: 17, text: 'Drink warm water.', kind: null, facts: {}, passages: [] },
      { id: 'c2', start: -1, end: -1, text: 'Nowhere.', kind: null, facts: {}, passages: [] },
    ],
  },
  passages: [],
};
function claim(start: number, end: number, label: string): ItemAnswer {
  return { id: `${start}`, start, end, text: 'words', label, from: [] };
}
const view = { content, field: 'claims', question, part: null, answers: [] };

describe('where people differ', () => {
  it('is the proposed claim that the part names, or the place that it writes out', () => {
    expect(disputedPlaces({ ...view, part: 'c1' })).toEqual([{ start: 0, end: 17 }]);
    expect(disputedPlaces({ ...view, part: '18-30' })).toEqual([{ start: 18, end: 30 }]);
    expect(disputedPlaces({ ...view, part: '18-30#2' })).toEqual([{ start: 18, end: 30 }]);
  });

  it('is nowhere for a claim that has no place, and for questions about the whole', () => {
    expect(disputedPlaces({ ...view, part: 'c2' })).toEqual([]);
    expect(disputedPlaces({ ...view, part: 'constructor' })).toEqual([]);
    const whole = reviewField.parse({ type: 'choice', title: 'Class', options: { a: 'A' } });
    expect(disputedPlaces({ ...view, question: whole, part: '0-5' })).toEqual([]);
  });

  it('is every claim that not all lists hold alike, with overlapping ones as one place', () => {
    const first = [claim(0, 17, 'yes'), claim(18, 30, 'yes'), claim(31, 40, 'no')];
    const second = [claim(0, 17, 'yes'), claim(18, 40, 'yes')];
    const answers = [first, second].map((value) => ({ value, said: [], comment: null }));
    expect(disputedPlaces({ ...view, answers })).toEqual([{ start: 18, end: 40 }]);
  });

  it('tells claims apart by their label too', () => {
    const [first, second] = [[claim(0, 17, 'yes')], [claim(0, 17, 'no')]];
    expect(inAll(claim(0, 17, 'yes'), [first, first])).toBe(true);
    expect(inAll(claim(0, 17, 'yes'), [first, second])).toBe(false);
  });
});
