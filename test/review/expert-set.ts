import { formOf, type MadeWork } from './made-snapshot.ts';

/**
 * Three experts on the constitution of seven people, worked out by hand.
 *
 *   case  Asha   Bina   Chand   vata pitta kapha   agreeing pairs / 3   majority
 *   K1    vata   vata   vata     3    0     0       3/3                  vata (all)
 *   K2    pitta  pitta  vata     1    2     0       1/3                  pitta
 *   K3    vata   pitta  kapha    1    1     1       0/3                  disputed
 *   K4    kapha  kapha  kapha    0    0     3       3/3                  kapha (all)
 *   K5    pitta  pitta  pitta    0    3     0       3/3                  pitta (all)
 *   K6    kapha  pitta  kapha    0    1     2       1/3                  kapha
 *   K7    vata   kapha  pitta    1    1     1       0/3                  disputed
 *                                6    8     7   of 21
 *
 * Fleiss' kappa: P = (1 + 1/3 + 0 + 1 + 1 + 1/3 + 0) / 7 = (11/3) / 7 = 11/21 = 0.523810
 * Pe = (6² + 8² + 7²) / 21² = (36 + 64 + 49) / 441 = 149/441 = 0.337868
 * κ = (11/21 − 149/441) / (1 − 149/441) = (231 − 149) / (441 − 149) = 82/292 = 0.280822
 */
export const EXPERT_KAPPA = 82 / 292;

export const EXPERT_FORM = formOf({
  people: { expert: { title: 'Experts', raters: 3 } },
  fields: {
    prakriti: {
      type: 'choice',
      of: 'case',
      title: 'Which constitution?',
      by: ['expert'],
      options: { vata: 'Vata', pitta: 'Pitta', kapha: 'Kapha', tridosha: 'Tridosha' },
    },
    comment: { type: 'text', of: 'case', title: 'Anything else?' },
  },
});

export const EXPERTS = { Asha: ['expert'], Bina: ['expert'], Chand: ['expert'] } as const;

const TABLE: readonly (readonly [string, string, string, string])[] = [
  ['K1', 'vata', 'vata', 'vata'],
  ['K2', 'pitta', 'pitta', 'vata'],
  ['K3', 'vata', 'pitta', 'kapha'],
  ['K4', 'kapha', 'kapha', 'kapha'],
  ['K5', 'pitta', 'pitta', 'pitta'],
  ['K6', 'kapha', 'pitta', 'kapha'],
  ['K7', 'vata', 'kapha', 'pitta'],
];

export const EXPERT_ITEMS = TABLE.map(([id]) => ({ id, kind: 'case' }) as const);

/** Case after case, a minute apart. */
export const EXPERT_WORK: readonly MadeWork[] = TABLE.flatMap(([item, ...classes], minute) =>
  Object.keys(EXPERTS).map((person, at) => ({
    person,
    item,
    cells: { prakriti: classes[at]! },
    at: `2026-01-01T10:0${minute}:0${at}.000Z`,
  })),
);
