import { parentPort, workerData } from 'node:worker_threads';

import { z } from 'zod';

import { openStore } from '../../store/store.ts';
import { overviewOf } from '../../review/overview.ts';
import { loadSnapshot } from '../../review/snapshot.ts';
import { blindOverview } from './blind-overview.ts';

/** A thread of its own that works out the overview of one review, and ends. */
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
