import type { ReviewField } from '../../../src/recipe/review-section.ts';
import type { ItemView } from '../../../src/review/api.ts';
import type { ReviewContent } from '../../../src/review/content.ts';

const shared = { help: '', section: '', by: [], of: 'answer', languages: [] } as const;

/** A small form with one question of each type. */
export const FORM = {
  rating: {
    type: 'scale',
    ...shared,
    by: [],
    languages: [],
    title: 'How good is it?',
    optional: false,
    from: 1,
    to: 3,
    anchors: { '1': 'Poor', '3': 'Good' },
    dimensions: { safety: { title: 'Safety', help: '' }, clarity: { title: 'Clarity', help: '' } },
  },
  kind: {
    type: 'choice',
    ...shared,
    by: [],
    languages: [],
    title: 'Which kind?',
    optional: false,
    options: { diet: { title: 'Diet', help: '' }, rest: { title: 'Rest', help: '' } },
  },
  parts: {
    type: 'checklist',
    ...shared,
    by: [],
    languages: [],
    title: 'What is in it?',
    optional: true,
    items: { food: { title: 'Food', help: '' }, herbs: { title: 'Herbs', help: '' } },
    notApplicable: ['herbs'],
  },
  claims: {
    type: 'items',
    ...shared,
    by: [],
    languages: [],
    title: 'Is it supported?',
    optional: false,
    from: 'sentences',
    labels: { yes: { title: 'Supported', help: '' }, no: { title: 'Not supported', help: '' } },
    allow: ['edit', 'split', 'merge', 'add', 'remove'],
    passages: 0,
  },
  comment: { type: 'text', ...shared, by: [], languages: [], title: 'Anything else?', optional: true },
} satisfies Record<string, ReviewField>;

export const FIELDS = Object.keys(FORM);

export const TEXT = 'Eat rice and sleep. Drink water.';

export const CONTENT: ReviewContent = {
  title: 'Eat rice',
  language: 'en',
  blocks: [{ name: 'response', title: 'The answer', text: TEXT }],
  under: 'response',
  proposed: {
    claims: [
      { id: 's1', start: 0, end: 19, text: 'Eat rice and sleep.', kind: null, facts: {}, passages: [] },
      { id: 's2', start: 20, end: 32, text: 'Drink water.', kind: null, facts: {}, passages: [] },
    ],
  },
  passages: [],
};

export const VIEW: ItemView = {
  item: 'i1',
  kind: 'answer',
  content: CONTENT,
  fields: FIELDS,
  cells: [],
  committed: false,
  version: 0,
  revealed: null,
};
