import { onTestFinished } from 'vitest';

import { memorySource } from '../../../src/data/source.ts';
import { readSheet, type SheetReading } from '../../../src/review/sheets/read-sheet.ts';
import { sheetsFor } from '../../../src/review/sheets/write-sheets.ts';
import { loadSnapshot, type ReviewSnapshot } from '../../../src/review/snapshot.ts';
import type { CellValue, ReviewCell } from '../../../src/store/review-records.ts';
import { openStore } from '../../../src/store/store.ts';
import { temporaryFolder } from '../../cli/run-assay.ts';
import { sheetReview } from './sheet-review.ts';

/** The small review of sheet-review.ts in a store of its own, with sheets read in as `assay review import` does. */
export function keptReview(made: ReviewSnapshot = sheetReview()) {
  const store = openStore(temporaryFolder());
  onTestFinished(() => store.close());
  const { review, people, items, assignments } = made;
  const { id } = store.reviews.create({
    name: 'pilot',
    seed: 1,
    task: review.task,
    form: made.form,
    origin: null,
    items: items.map(({ reviewId: _of, ...item }) => item),
    people: people.map(({ reviewId: _of, ...person }) => ({ ...person, tokenHash: person.id })),
    assignments,
  });
  let count = 0;
  const snapshot = (): ReviewSnapshot => loadSnapshot(store, 'pilot');
  return {
    snapshot,
    sheet: (personId: string, name: 'human' | 'hallucination'): string =>
      sheetsFor(snapshot(), personId).find((sheet) => sheet.name.includes(name))!.content,
    async bringIn(content: string): Promise<SheetReading> {
      const reading = await readSheet(snapshot(), null, memorySource('s.csv', content), (itemId, personId) =>
        store.reviews.history(id, { itemId, personId }),
      );
      store.reviews.append(reading.events);
      return reading;
    },
    /** What the app sends. */
    answer(personId: string, itemId: string, field: string, part: string | null, value: CellValue): void {
      count += 1;
      store.reviews.append([{ id: `app-${count}`, itemId, personId, field, part, value, origin: 'app' }]);
    },
    cells: (personId: string, itemId: string): readonly ReviewCell[] =>
      store.reviews.state(itemId, personId)?.cells ?? [],
    valueOf: (personId: string, itemId: string, field: string, part: string | null): CellValue =>
      store.reviews.state(itemId, personId)?.cells.find((cell) => cell.field === field && cell.part === part)?.value ??
      null,
    events: (): number => store.reviews.history(id).length,
  };
}
