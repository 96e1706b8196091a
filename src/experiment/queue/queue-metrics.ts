import type { QueueServer } from './queue-server.ts';

/** A queue in the text format of Prometheus: the counts of BullMQ, then workers, waiting time and runs. */
export async function queueMetrics(server: Pick<QueueServer, 'status' | 'metrics'>): Promise<string> {
  const [counts, { name, workers, oldestSeconds, runs }] = await Promise.all([server.metrics(), server.status()]);
  const queue = { queue: name };
  const ofRuns = (value: (run: (typeof runs)[number]) => number | null): Sample[] =>
    runs.flatMap((run) => {
      const number = value(run);
      return number === null ? [] : [[{ ...queue, kind: run.kind, folder: run.folder, run: run.run }, number] as const];
    });
  return [
    `${counts.trimEnd()}\n`,
    metricText('assay_queue_workers', 'Workers that are connected', 'gauge', [[queue, workers.length]]),
    metricText('assay_queue_oldest_waiting_seconds', 'Age of the job that waits longest', 'gauge', [
      [queue, oldestSeconds ?? 0],
    ]),
    metricText(
      'assay_queue_run_items_done',
      'Items of a run that have ended',
      'gauge',
      ofRuns(({ done }) => done),
    ),
    metricText(
      'assay_queue_run_items',
      'Items of a run',
      'gauge',
      ofRuns(({ of }) => of),
    ),
    metricText(
      'assay_queue_run_jobs',
      'Jobs of a run in the queue',
      'gauge',
      ofRuns(({ jobs }) => jobs),
    ),
  ].join('');
}

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

/** One metric with its samples; nothing without samples. */
export function metricText(name: string, help: string, type: 'gauge' | 'counter', samples: readonly Sample[]): string {
  if (samples.length === 0) return '';
  const lines = samples.map(([labels, value]) => {
    const list = Object.entries(labels).map(([key, text]) => `${key}="${escaped(text)}"`);
    return `${name}${list.length === 0 ? '' : `{${list.join(',')}}`} ${value}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

const escaped = (text: string): string =>
  text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`);
