import { parentPort, workerData } from 'node:worker_threads';

import { z } from 'zod';

import { openStore } from '../../store/store.ts';
import { overviewOf } from '../overview.ts';
import { loadSnapshot } from '../snapshot.ts';

/** A thread of its own that works out the overview of one review, and ends. */
const { folder, name } = z.object({ folder: z.string(), name: z.string() }).parse(workerData);
const store = openStore(folder, { readOnly: true });
try {
  parentPort?.postMessage(JSON.stringify(overviewOf(loadSnapshot(store, name))), []);
} finally {
  store.close();
}
