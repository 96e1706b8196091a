import { expect, it } from 'vitest';

import { casesOf, jsonl, shown } from '../reading.ts';

it.each([
  ['entities', { entities: [{ id: 1, label: 'PER', start_offset: 0, end_offset: 3 }], relations: [] }],
  ['annotations', { annotations: [{ label: 'PER', start_offset: 0, end_offset: 3, user: 1 }] }],
  ['label', { label: [[0, 3, 'PER']] }],
])('a text without annotations is read from an export of doccano with %s', async (name, annotated) => {
  const empty = { id: 2, text: 'Nothing.', relations: [], [name]: [] };
  const gold = jsonl({ id: 1, text: 'Ann left.', ...annotated }, empty);
  const predictions = jsonl({ id: '1', spans: [] }, { id: '2', spans: [] });
  const cases = await casesOf({ gold, predictions });
  expect(cases.map((one) => shown(one.gold))).toEqual([[expect.stringContaining('PER Ann 0..3')], []]);
});
