import { parentPort, workerData } from 'node:worker_threads';

import { z } from 'zod';

import type { Overview } from '../../review/api.ts';
import { overviewOf } from '../../review/overview.ts';
import { reviewerNumbers } from '../../review/people.ts';
import { loadSnapshot, type ReviewSnapshot } from '../../review/snapshot.ts';
import { openStore } from '../../store/store.ts';
import { compareNatural } from '../../text/compare.ts';

/** A thread that works out the overview of one review, and ends. */
const { folder, name, blind } = z
  .object({ folder: z.string(), name: z.string(), blind: z.boolean() })
  .parse(workerData);
const store = openStore(folder, { readOnly: true });
try {
  const snapshot = loadSnapshot(store, name);
  parentPort?.postMessage(JSON.stringify(blind ? blindOverview(snapshot) : overviewOf(snapshot)), []);
} finally {
  store.close();
}

/** For readers who may be reviewers themselves: without names, and without anybody's answers. */
function blindOverview(snapshot: ReviewSnapshot): Overview {
  const overview = overviewOf(snapshot);
  const numbers = reviewerNumbers(snapshot.people);
  // The overview has people in the order of the snapshot.
  const people = snapshot.people.flatMap(({ id }, at) => {
    const [number, progress] = [numbers.get(id), overview.people[at]];
    if (number === undefined || progress === undefined) return [];
    return [{ ...progress, name: number, groups: [], lastAt: null }];
  });
  return { ...overview, people: people.toSorted((a, b) => compareNatural(a.name, b.name)), divided: [] };
}
