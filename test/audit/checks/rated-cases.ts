import { type Case, type Logged, makeCase } from '../../../src/data/case.ts';
import { makeItem } from '../../../src/data/item.ts';

/** Two questions, the first for three experts by two dimensions, the second for one person. */
export const RATED = {
  task: 'consult',
  measure: {
    relevance: { of: 'field-mean', kind: 'rating', field: 'value', direction: 'higher', range: [1, 5] },
  },
  review: {
    people: { expert: { title: 'experts', raters: 3 }, reader: { title: 'readers', raters: 1 } },
    show: [{ field: 'response', title: 'The answer' }],
    fields: {
      relevance: {
        type: 'scale',
        title: 'Is it right?',
        by: ['expert'],
        dimensions: { safety: 'Safe', use: 'Useful' },
      },
      plainness: { type: 'scale', title: 'Is it plain?', by: ['reader'] },
    },
  },
};

/** `question/dimension person value`. */
export type Word = `${string}/${string} ${string} ${number}`;

/** An answer with what people rated, and how many ratings the form wants for it. */
export function ratedCase(
  id: string,
  ratings: readonly Word[],
  expected: Readonly<Record<string, number>> = { relevance: 6, plainness: 1 },
): Case {
  const wanted = Object.entries(expected).map(([name, n]) => [`expected_${name}`, n] as const);
  const answer = makeItem({
    kind: 'answer',
    index: 0,
    label: 'answer',
    text: 'Rest.',
    fields: Object.fromEntries(wanted),
  });
  const items = ratings.map((word, index) => {
    const [path = '', reviewer = '', value = ''] = word.split(' ');
    const [question = '', dimension = ''] = path.split('/');
    const fields = { question, dimension, value: Number(value), given: 1, reviewer };
    return makeItem({ kind: 'rating', index, label: dimension, annotator: reviewer, fields });
  });
  return makeCase({
    id,
    logged: [answer, ...items].map((item): Logged => ({ item, verdict: 'excused', rule: 'logged' })),
  });
}
