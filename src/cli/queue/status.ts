import { safeJson, UsageError } from '../../plugin.ts';
import { openQueueServer, queueMetrics, type QueueServer } from '../../experiment.ts';
import { command } from '../command.ts';
import * as flag from '../flags.ts';
import { QUEUE_NAME_FLAG, queueFlag } from '../run/queue-flags.ts';

const HELP = `
Shows the queue of assay run --queue: jobs by state (finished ones for an hour),
workers that are connected, how long the oldest job has waited, and the runs that
have jobs in it with the number of items done.

Examples:
  $ assay queue status --queue redis://localhost:6379
  $ assay queue status --queue postgres://assay@db/assay --json
  $ assay queue status --prometheus         the queue of ASSAY_QUEUE, as metrics`;

export const queueStatusCommand = command({
  name: 'status',
  flags: {
    queue: flag.required(queueFlag('queue to look at')),
    queueName: QUEUE_NAME_FLAG,
    json: flag.JSON_ALONE,
    prometheus: flag.toggle('print the status in the text format of Prometheus'),
  },
  help: HELP,
  async run({ queue, queueName: name, json, prometheus }, terminal) {
    if (json && prometheus) throw new UsageError('--json and --prometheus exclude each other', 'leave out one');
    const server = await openQueueServer(queue, { name });
    try {
      if (prometheus) process.stdout.write(await queueMetrics(server));
      else if (json) process.stdout.write(safeJson({ place: server.place, ...(await server.status()) }));
      else terminal.say(...(await statusLines(server)));
    } finally {
      await server.close();
    }
  },
});

async function statusLines(server: QueueServer): Promise<string[]> {
  const { name, jobs, workers, oldestSeconds, runs } = await server.status();
  const waited = oldestSeconds === null ? '' : `; the oldest has waited ${Math.round(oldestSeconds)} s`;
  return [
    `Queue ${name} on ${server.place}`,
    `Jobs     ${jobs.waiting} waiting, ${jobs.active} active, ${jobs.completed} completed, ${jobs.failed} failed${waited}`,
    `Workers  ${workers.length}`,
    ...workers.map((worker) => `         ${worker}`),
    ...runs.map(({ kind, folder, run, done, of, jobs: count }) => {
      const items = done === null || of === null ? '' : `${done} of ${of} done, `;
      return `Run      ${folder} (${kind} ${run}): ${items}${count} ${count === 1 ? 'job' : 'jobs'}`;
    }),
  ];
}
