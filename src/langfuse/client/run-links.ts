import { hash } from 'node:crypto';

import type { ItemTrace, RunInfo } from '../../experiment/backend.ts';
import type { Connection } from './connection.ts';
import { hasDatasetRuns, linkItem, listRunItems, runIdOf } from './older-api.ts';
import { sideBySide } from '../../experiment/limits/side-by-side.ts';

const LINKS_AT_A_TIME = 8;

/** How traces become parts of a run. */
export interface RunLinks {
  /** Links them, and answers with the id of the run. Those that are linked already are left alone. */
  link(traces: readonly ItemTrace[]): Promise<string>;
  /** Null where the run is not there yet. */
  id(): Promise<string | null>;
}

/** By the server's own dataset runs where it has them, else by attributes on the spans. */
export async function runLinks(connection: Connection, run: RunInfo): Promise<RunLinks> {
  const { generation } = connection;
  const hasRuns = generation === null ? await hasDatasetRuns(connection, run.dataset.name) : generation === 3;
  return hasRuns ? new LinksByCalls(connection, run) : linksByAttributes(run);
}

/** Langfuse 4: the attributes say all, and the id is made from the run, so that it is the same when it is sent again. */
function linksByAttributes({ dataset, name }: RunInfo): RunLinks {
  const id = hash('sha256', JSON.stringify([dataset.id, name])).slice(0, 16);
  return { link: async () => id, id: async () => id };
}

/** Langfuse 3: one call for each trace. Linking twice would make two links, so the server is asked what it has. */
class LinksByCalls implements RunLinks {
  readonly #connection: Connection;
  readonly #run: RunInfo;
  #known: { runId: string | null; readonly traces: Set<string> } | null = null;

  constructor(connection: Connection, run: RunInfo) {
    this.#connection = connection;
    this.#run = run;
  }

  async link(traces: readonly ItemTrace[]): Promise<string> {
    const known = await this.#read();
    const missing = traces.filter(({ traceId }) => !known.traces.has(traceId));
    const linkOne = async ({ traceId, rootId, item }: ItemTrace): Promise<void> => {
      const init = { datasetItemId: item.id, traceId, observationId: rootId };
      known.runId = (await linkItem(this.#connection, this.#run, init)).datasetRunId;
      known.traces.add(traceId);
    };
    // The first by itself: it may have to make the run, and two at once might make two.
    const alone = known.runId === null ? 1 : 0;
    for (const first of missing.slice(0, alone)) await linkOne(first);
    await sideBySide(missing.slice(alone), LINKS_AT_A_TIME, linkOne);
    if (known.runId === null) throw new Error('a run has no id though traces were linked to it');
    return known.runId;
  }

  async id(): Promise<string | null> {
    return this.#known?.runId ?? runIdOf(this.#connection, this.#run);
  }

  async #read(): Promise<{ runId: string | null; readonly traces: Set<string> }> {
    if (this.#known === null) {
      const items = (await listRunItems(this.#connection, this.#run)) ?? [];
      this.#known = { runId: items[0]?.datasetRunId ?? null, traces: new Set(items.map(({ traceId }) => traceId)) };
    }
    return this.#known;
  }
}
