import { join } from 'node:path';

import type { CellValue } from '../../src/store/review-records.ts';
import { openStore } from '../../src/store/store.ts';
import { makeReview, type PersonSketch } from '../server/review/serving-review.ts';
import { assayHere } from './assay-here.ts';
import { type Finished, temporaryFolder } from './run-assay.ts';

/** What one person says of one item, by `field` or `field.part`; it is committed. */
export interface Said {
  readonly person: string;
  readonly item: string;
  readonly cells: Readonly<Record<string, CellValue>>;
}

/** The program in a folder whose store has a review of garden advice, as far as people have come with it. */
export function gardenReview(people: readonly PersonSketch[], said: readonly Said[] = []) {
  const folder = temporaryFolder();
  const store = openStore(join(folder, '.assay'));
  makeReview(store, { people });
  store.reviews.append(
    said.flatMap(({ person, item, cells }) => [
      ...Object.entries(cells).map(([key, value]) => {
        const [field = '', part = null] = key.split('.');
        return eventOf(person, item, field, part, value);
      }),
      eventOf(person, item, '#commit', null, true),
    ]),
  );
  store.close();
  const run = (...args: readonly string[]): Promise<Finished> =>
    assayHere(['review', ...args], { cwd: folder, env: { ASSAY_DATA: join(folder, '.assay') } });
  return { folder, data: join(folder, '.assay'), run };
}

function eventOf(person: string, itemId: string, field: string, part: string | null, value: CellValue) {
  const id = `${person} ${itemId} ${field} ${part ?? ''}`;
  return { id, itemId, personId: `p-pilot-${person}`, field, part, value, origin: 'library' as const };
}
