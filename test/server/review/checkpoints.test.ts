import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { openStore } from '../../../src/store/store.ts';
import { temporaryFolder } from '../../cli/run-assay.ts';
import { cell, servingReview } from './serving-review.ts';

const ONE = { people: [{ name: 'Anna' }] };
const EVENTS = '/items/answer-1/events';

/** What a plain copy of the one file has of the first review, as a person would take it. */
function eventsInCopyOf(file: string): number {
  const folder = temporaryFolder();
  copyFileSync(file, join(folder, 'store.db'));
  const copy = openStore(folder);
  try {
    const [review] = copy.reviews.list();
    return review === undefined ? 0 : copy.reviews.history(review.id).length;
  } finally {
    copy.close();
  }
}

describe('while the server runs', () => {
  it('the file alone has what was saved, soon after the last save', async () => {
    const { as, store } = await servingReview(ONE, { checkpoints: { quietMs: 30, mostMs: 10_000 } });
    for (const text of ['one', 'two', 'three'])
      expect((await as('Anna')('POST', EVENTS, { events: [cell('comment', null, text)] })).status).toBe(200);
    await vi.waitFor(() => expect(eventsInCopyOf(store.file)).toBe(3), { timeout: 3000, interval: 50 });
  });

  it('also has it while people never stop saving', async () => {
    const { as, store } = await servingReview(ONE, { checkpoints: { quietMs: 60_000, mostMs: 50 } });
    await as('Anna')('POST', EVENTS, { events: [cell('comment', null, 'first')] });
    await pause(60);
    await as('Anna')('POST', EVENTS, { events: [cell('comment', null, 'second')] });
    await vi.waitFor(() => expect(eventsInCopyOf(store.file)).toBeGreaterThanOrEqual(1), { timeout: 3000 });
  });

  it('has it later where somebody reads what was before', async () => {
    const { as, store } = await servingReview(ONE, { checkpoints: { quietMs: 20, mostMs: 100 } });
    const reader = new DatabaseSync(store.file, { readOnly: true });
    onTestFinished(() => reader.close());
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM review_events').get();
    await as('Anna')('POST', EVENTS, { events: [cell('comment', null, 'x')] });
    await pause(100);
    expect(store.checkpoint()).toBe(false);
    reader.exec('COMMIT');
    await vi.waitFor(() => expect(eventsInCopyOf(store.file)).toBe(1), { timeout: 3000, interval: 50 });
  });

  it('a store that has been closed meanwhile is left alone', async () => {
    const { as, store } = await servingReview(ONE, { checkpoints: { quietMs: 10, mostMs: 10 } });
    await as('Anna')('POST', EVENTS, { events: [cell('comment', null, 'x')] });
    store.close();
    await pause(40);
    expect(eventsInCopyOf(store.file)).toBe(1);
    expect(store.checkpoint()).toBe(true);
  });
});
