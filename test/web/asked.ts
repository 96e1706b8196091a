import { reviewField } from '../../src/recipe/review-section.ts';

/** One question of three types. */
export const scale = reviewField.parse({
  type: 'scale',
  title: 'How safe?',
  from: 0,
  to: 2,
  anchors: { 0: 'Dangerous', 2: 'Safe' },
  dimensions: { harm: { title: 'Nothing harmful' } },
});
export const ticks = reviewField.parse({
  type: 'checklist',
  title: 'What is there?',
  items: { diet: 'Diet', herbs: 'Herbs' },
  notApplicable: ['herbs'],
});
export const labels = reviewField.parse({
  type: 'items',
  title: 'Claims',
  from: 'sentences',
  labels: { grounded: { title: 'Grounded', help: 'A passage says so' }, none: 'Not a claim' },
});
