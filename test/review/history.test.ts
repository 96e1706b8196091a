import { expect, test } from 'vitest';

import { loadSnapshot, reviewHistory } from '../../src/review/snapshot.ts';
import { openStore } from '../../src/store/store.ts';
import { temporaryFolder } from '../cli/run-assay.ts';

test('every answer and decision is there in its order, also those that were changed or taken back', () => {
  const store = openStore(temporaryFolder());
  const form = {
    show: [{ field: 'text', title: 'Text' }],
    fields: { kind: { type: 'choice', title: 'Which?', options: { a: 'A', b: 'B' } } },
  };
  const person = { groups: [], generation: 0, expiresAt: '2099-01-01T00:00:00.000Z', revokedAt: null } as const;
  store.reviews.create({
    name: 'pilot',
    seed: 1,
    task: 'consult',
    form,
    origin: null,
    items: [{ id: 'i1', kind: 'answer', caseId: 'C1', system: 's', language: 'en', content: {}, hidden: {} }],
    people: [
      { ...person, id: 'p1', name: 'Asha', role: 'reviewer', tokenHash: 'x1' },
      { ...person, id: 'p2', name: 'Jo', role: 'adjudicator', tokenHash: 'x2' },
    ],
    assignments: [{ personId: 'p1', itemId: 'i1', position: 0 }],
  });
  const given = { itemId: 'i1', personId: 'p1', field: 'kind', part: null, origin: 'app' } as const;
  store.reviews.append([{ ...given, id: 'e1', value: 'a' }]);
  store.reviews.append([{ ...given, id: 'e2', value: 'b' }]);
  store.reviews.append([{ ...given, id: 'e3', value: null }]);
  store.reviews.append([{ ...given, id: 'e4', field: '#commit', value: true }]);
  store.reviews.decide({
    id: 'd1',
    itemId: 'i1',
    field: 'kind',
    part: null,
    value: 'a',
    personId: 'p2',
    because: 'plain',
  });
  const history = reviewHistory(store, loadSnapshot(store, 'pilot'));
  expect(
    history.map(({ kind, who, case_id: id, system, field, value, because }) => [
      kind,
      who,
      id,
      system,
      field,
      value,
      because,
    ]),
  ).toEqual([
    ['answer', 'Asha', 'C1', 's', 'kind', 'a', null],
    ['answer', 'Asha', 'C1', 's', 'kind', 'b', null],
    ['answer', 'Asha', 'C1', 's', 'kind', null, null],
    ['commit', 'Asha', 'C1', 's', '#commit', true, null],
    ['decision', 'Jo', 'C1', 's', 'kind', 'a', 'plain'],
  ]);
  store.close();
});
