import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

import { UsageError } from '../../src/data/problems.ts';
import { conflictsOf } from '../../src/review/conflicts.ts';
import { reviewLines } from '../../src/review/review-lines.ts';
import { loadSnapshot } from '../../src/review/snapshot.ts';
import { COMMIT_FIELD } from '../../src/store/review-records.ts';
import { openStore } from '../../src/store/store.ts';
import { ANNOTATORS, CLAIM_DECISIONS, CLAIM_FORM, CLAIM_ITEMS, CLAIM_WORK } from './claim-set.ts';
import { madeSnapshot } from './made-snapshot.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-snapshot-'));
const store = openStore(folder);
afterAll(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

describe('a snapshot of a review in the store', () => {
  const made = madeSnapshot({
    form: CLAIM_FORM,
    reviewers: ANNOTATORS,
    others: { judy: 'adjudicator' },
    items: CLAIM_ITEMS,
    work: CLAIM_WORK,
    decisions: CLAIM_DECISIONS,
  });
  store.reviews.create({
    name: 'pilot',
    seed: 1,
    task: 'consult',
    form: CLAIM_FORM,
    origin: {},
    items: made.items,
    people: made.people.map((person) => ({ ...person, tokenHash: person.name })),
    assignments: ['Dev', 'Esha'].flatMap((personId) =>
      made.items.map(({ id }, position) => ({ personId, itemId: id, position })),
    ),
  });
  let events = 0;
  for (const { itemId, personId, cells } of made.states)
    store.reviews.append(
      [...cells, { field: COMMIT_FIELD, part: null, value: true }].map((cell) => {
        events += 1;
        return { ...cell, id: `e${events}`, itemId, personId, origin: 'library' as const };
      }),
    );
  for (const decision of made.decisions) store.reviews.decide(decision);

  it('gives the same lines and conflicts as its parts do', () => {
    const loaded = loadSnapshot(store, 'pilot');
    expect(loaded.form).toEqual(CLAIM_FORM);
    const timeless = (lines: ReturnType<typeof reviewLines>) => lines.map((line) => ({ ...line, at: null }));
    expect(timeless(reviewLines(loaded))).toEqual(timeless(reviewLines(made)));
    expect(conflictsOf(loaded).map(({ id }) => id)).toEqual(conflictsOf(made).map(({ id }) => id));
    expect(conflictsOf(loaded).every(({ decision }) => decision !== null)).toBe(true);
  });

  it('is refused for a name that is not there, with the nearest', () => {
    const refused = (name: string): unknown => {
      try {
        return loadSnapshot(store, name);
      } catch (error) {
        return error;
      }
    };
    expect(refused('pliot')).toBeInstanceOf(UsageError);
    expect(refused('pliot')).toMatchObject({
      message: 'there is no review named "pliot"',
      next: 'did you mean "pilot"?',
    });
    expect(refused('\u001b[2Jother')).toMatchObject({ next: 'reviews: "pilot"' });
  });
});
