import { DatabaseSync } from 'node:sqlite';

import { describe, expect, it, vi } from 'vitest';

import { openStore } from '../../src/store/store.ts';
import { fillStore, TRACE } from './filled-store.ts';
import { ALL, scratchFolder } from './scratch-store.ts';

describe('a cell that cannot be read', () => {
  it('is left out with its row and reported once, and the other rows are there', () => {
    const folder = scratchFolder();
    fillStore(folder);
    const said = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
    const store = openStore(folder);
    const file = new DatabaseSync(store.file);
    try {
      file.exec('UPDATE observations SET prompt_version = 9007199254740993');
      store.traces.saveObservation({ id: 'good', traceId: TRACE, promptVersion: 2, startTime: '2026-05-02T00:00:00Z' });
      for (let times = 0; times < 2; times += 1) {
        const { rows, total, places } = store.traces.listObservations({}, ALL);
        expect([rows.map(({ id }) => id), total, places]).toEqual([['good'], 3, [0]]);
      }
      expect(() => store.traces.observation('observation-0')).toThrow('column prompt_version holds');
      expect(said.mock.calls.map(([line]) => line)).toEqual(
        [2, 1].map(
          (row) =>
            `assay: ${store.file}: row ${row} of observations is left out: its column prompt_version cannot be read\n`,
        ),
      );
    } finally {
      said.mockRestore();
      file.close();
      store.close();
    }
  });

  it('of a dataset’s items or of an answer is refused instead: figures over fewer would be others', () => {
    const folder = scratchFolder();
    fillStore(folder);
    const store = openStore(folder);
    const file = new DatabaseSync(store.file);
    try {
      file.exec(
        "UPDATE dataset_item_states SET input = '{'; DROP TRIGGER review_events_hold; UPDATE review_events SET value = '{'",
      );
      expect(() => [...store.datasets.items('d')]).toThrow('the store is damaged: column input holds');
      expect(() => store.reviews.states('review-pilot')).toThrow('the store is damaged: column value holds');
    } finally {
      file.close();
      store.close();
    }
  });
});
