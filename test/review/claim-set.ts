import type { ItemAnswer } from '../../src/store/review-records.ts';
import { claim, formOf, type MadeItem, type MadeWork } from './made-snapshot.ts';

/**
 * Two annotators on the claims of two answers, worked out by hand (g grounded, p paraphrased, h hallucinated).
 *
 *   answer A1      Dev   Esha          answer A2      Dev   Esha
 *    0-10           g     g             0-20           h     h
 *   11-20           g     g            21-30           g     p
 *   21-30           p     g            31-40           h     h
 *   31-40           h     h            41-60           g     41-50 g and 51-60 h (split)
 *   41-50           g     h
 *
 * The eight claims at the same places: g g, g g, p g, h h, g h, h h, g p, h h: five of eight the same, po = 5/8.
 * Dev: g 4, p 1, h 3. Esha: g 3, p 1, h 4. pe = (4·3 + 1·1 + 3·4) / 64 = 25/64.
 * Cohen's kappa = (40/64 − 25/64) / (1 − 25/64) = 15/39 = 5/13 = 0.384615
 *
 * Conflicts: 21-30 and 41-50 of A1, 21-30 of A2, and the stretch 41-60 of A2: four.
 * After decisions (A1 21-30 paraphrased, 41-50 hallucinated; A2 21-30 grounded, 41-60 as Esha split it) the final lists are
 * A1 g g p h h and A2 h g h g h: ten claims, five of them hallucinated, a share of 0.5.
 */
export const CLAIM_KAPPA = 5 / 13;

export const CLAIM_FORM = formOf({
  people: { annotator: { title: 'Annotators', raters: 2 } },
  fields: {
    claims: {
      type: 'items',
      title: 'Is each claim supported?',
      by: ['annotator'],
      from: 'sentences',
      labels: { grounded: 'Grounded', paraphrased: 'Paraphrased', hallucinated: 'Hallucinated', none: 'Not a claim' },
      allow: ['edit', 'split', 'merge', 'remove'],
      target: 0.75,
    },
    comment: { type: 'text', title: 'Anything else?' },
  },
});

export const ANNOTATORS = { Dev: ['annotator'], Esha: ['annotator'] } as const;

export const CLAIM_ITEMS: readonly MadeItem[] = [
  { id: 'A1', caseId: 'K1', system: 'rag' },
  { id: 'A2', caseId: 'K2', system: 'rag' },
];

const LABELS = { g: 'grounded', p: 'paraphrased', h: 'hallucinated' } as const;

/** `0-10 g, 11-20 h` as labelled claims. */
export function claims(text: string): ItemAnswer[] {
  if (text === '') return [];
  return text.split(', ').map((one) => {
    const [, start, end, letter] = /^(\d+)-(\d+) ([gph])$/.exec(one)!;
    return claim(Number(start), Number(end), LABELS[letter === 'g' || letter === 'p' ? letter : 'h']);
  });
}

export const CLAIM_WORK: readonly MadeWork[] = [
  { person: 'Dev', item: 'A1', cells: { claims: claims('0-10 g, 11-20 g, 21-30 p, 31-40 h, 41-50 g') } },
  {
    person: 'Esha',
    item: 'A1',
    cells: { claims: claims('0-10 g, 11-20 g, 21-30 g, 31-40 h, 41-50 h'), comment: 'The fifth is nowhere.' },
  },
  { person: 'Dev', item: 'A2', cells: { claims: claims('0-20 h, 21-30 g, 31-40 h, 41-60 g') } },
  { person: 'Esha', item: 'A2', cells: { claims: claims('0-20 h, 21-30 p, 31-40 h, 41-50 g, 51-60 h') } },
];

export const CLAIM_DECISIONS = [
  { itemId: 'A1', field: 'claims', part: '21-30', value: 'paraphrased' },
  { itemId: 'A1', field: 'claims', part: '41-50', value: 'hallucinated' },
  { itemId: 'A2', field: 'claims', part: '21-30', value: 'grounded' },
  { itemId: 'A2', field: 'claims', part: '41-60', value: claims('41-50 g, 51-60 h') },
];
