import { setTimeout as sleep } from 'node:timers/promises';

import { isLoopback, safeText, UsageError } from '../plugin.ts';
import { metricText, queueMetrics, type QueueServer, type WorkerEvent } from '../experiment.ts';
import type { RunningServer } from '../server.ts';
import * as flag from './flags.ts';
import { DEFAULT_HOST, exposureWarning } from './serving.ts';

/** Probes of Kubernetes wait for a second. */
const ANSWER_MS = 800;

export const HEALTH_FLAG = flag.parsed(
  '<[host:]port>',
  'serve /healthz and /metrics there; 0.0.0.0:9090 also for probes of Kubernetes, 9090 for this machine only',
  healthPlace,
);

function healthPlace(written: string): { readonly host: string; readonly port: number } {
  const { host = DEFAULT_HOST, port = '' } = /^(?:(?<host>.+):)?(?<port>\d{1,5})$/.exec(written)?.groups ?? {};
  if (port === '' || Number(port) > 65_535)
    throw new UsageError(`--health ${written}: expected a port or an address`, 'such as 9090 or 0.0.0.0:9090');
  return { host: host.replaceAll(/^\[|\]$/g, ''), port: Number(port) };
}

/** What a worker reports of itself over HTTP. It is healthy while it takes jobs and the server has answered lately. */
export function workerHealth(server: QueueServer, lostAfterMs: number) {
  const totals = { jobs: 0, tasks: 0 };
  let [isTaking, answeredAt] = [false, Date.now()];
  const soon = async <T>(work: Promise<T>): Promise<T | null> => {
    const answer = await Promise.race([work, sleep(ANSWER_MS, null)]).catch(() => null);
    if (answer !== null) answeredAt = Date.now();
    return answer;
  };
  return {
    saw({ event, tasks = 0 }: WorkerEvent): void {
      if (event === 'started') isTaking = true;
      if (event === 'stopping' || event === 'stopped') isTaking = false;
      if (event === 'job') totals.jobs += 1;
      if (event === 'done' || event === 'given back') totals.tasks += tasks;
    },
    async isHealthy(): Promise<boolean> {
      await soon(server.workers());
      return isTaking && Date.now() - answeredAt < lostAfterMs;
    },
    async metrics(): Promise<string> {
      const queue = await soon(queueMetrics(server));
      return [
        metricText('assay_worker_queue_up', 'Whether the queue server answers', 'gauge', [
          [{}, queue === null ? 0 : 1],
        ]),
        metricText('assay_worker_jobs_total', 'Jobs that this worker has begun', 'counter', [[{}, totals.jobs]]),
        metricText('assay_worker_items_total', 'Items that this worker has done', 'counter', [[{}, totals.tasks]]),
        queue ?? '',
      ].join('');
    },
  };
}

/** Serves the health of a worker until it is closed. */
export async function serveWorkerHealth(
  { host, port }: ReturnType<typeof healthPlace>,
  health: ReturnType<typeof workerHealth>,
  say: (text: string) => void,
): Promise<RunningServer> {
  const { startHealthServer } = await import('../server.ts');
  const served = await startHealthServer({ host, port, ...health, log: (line) => say(safeText(line)) });
  say(`health and metrics: ${served.url}/healthz and /metrics`);
  if (!isLoopback(host)) say(exposureWarning(host, 'folder names and run ids').trimEnd());
  return served;
}
