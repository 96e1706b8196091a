import { existsSync } from 'node:fs';

import { parseDuration, safeJson, safeText, UsageError } from '../plugin.ts';
import { experimentJobs, openQueueServer, runWorker, type WorkerEvent } from '../experiment.ts';
import { judgeJobs } from '../review.ts';
import type { RunningServer } from '../server.ts';
import { replayJobs } from '../stream.ts';
import { command } from './command.ts';
import * as flag from './flags.ts';
import { politeStop } from './run/polite-stop.ts';
import { QUEUE_NAME_FLAG, queueFlag } from './run/queue-flags.ts';
import { HEALTH_FLAG, serveWorkerHealth, workerHealth } from './worker-health.ts';

const HELP = `
Makes the calls of assay run, assay review judge and assay stream replay or run
with --queue: takes jobs from the queue, asks the model for what they name, and
writes the answers into the folder of the run, which both must share. Start as
many as you like, on as many machines. No question and no answer goes through
the queue.

Paths in jobs start from --root: the folder that is called --root, or the
current folder, where assay run was started. Keys come from this worker’s
environment (GOOGLE_API_KEY, OPENAI_API_KEY, ANTHROPIC_API_KEY); a server that
only the experiment names gets one if ASSAY_KEY_SERVERS lists it.

Rates (limits: { requestsPerMinute, tokensPerMinute } of the experiment) hold for
all workers together, by provider, model and key. A worker that is killed loses
its jobs to the others after --lost-after; what it answered is not asked again.
Ctrl-C and SIGTERM finish the calls that are out and give back the rest, also
while the queue server is away. Jobs that need --allow-programs are left to other
workers.

ASSAY_QUEUE holds the address without showing a password to other users of the
machine. With --health, /healthz answers 200 while the worker takes jobs, and 503
once the queue server has been away for --lost-after.

Exit codes: 0 stopped or idle, 2 it cannot do its jobs: no key, no such folder,
refused by the queue server.

Examples:
  $ assay worker --queue redis://localhost:6379
  $ assay worker --health 0.0.0.0:9090      # with ASSAY_QUEUE, in Kubernetes
  $ assay worker --queue postgres://assay@db/assay --root /shared --concurrency 16
  $ assay worker --queue redis://queue:6379 --until-idle 5m   # for a batch job`;

export default command({
  name: 'worker',
  flags: {
    queue: flag.required(queueFlag('queue to take jobs from')),
    queueName: QUEUE_NAME_FLAG,
    root: flag.string('<folder>', 'folder that is shared with assay run', '.'),
    concurrency: flag.integer('<n>', 'maximum number of calls at once', { from: 1, to: 1000 }, 8),
    untilIdle: flag.duration('<time>', 'time without a job after which it exits, such as 5m (default: never)'),
    lostAfter: flag.string('<time>', 'time after which a worker that does not report has lost its jobs', '30s'),
    allowPrograms: flag.toggle('also run commands and modules that an experiment names: they are code'),
    health: HEALTH_FLAG,
    json: flag.toggle('print events as JSON lines on standard output instead of lines on standard error'),
    quiet: flag.QUIET,
  },
  help: HELP,
  async run({ queue, queueName: name, root, concurrency, untilIdle = null, lostAfter, allowPrograms, ...flags }) {
    if (!existsSync(root)) throw new UsageError(`--root ${root}: there is no such folder`, 'check the path');
    const lostAfterMs = lostAfterOf(lostAfter);
    const show = (event: WorkerEvent): void => {
      if (flags.json) process.stdout.write(safeJson({ at: new Date().toISOString(), ...event }, 0));
      else if (!flags.quiet) process.stderr.write(`${safeText(event.text)}\n`);
    };
    const problem = (text: string): void => show({ event: 'problem', text });
    const server = await openQueueServer(queue, { name, onError: problem });
    for (const text of server.warnings) problem(text);
    const health = workerHealth(server, lostAfterMs);
    const stop = politeStop((text) => show({ event: 'stopping', text }), { drains: true });
    stop.stop.addEventListener('abort', () => health.saw({ event: 'stopping', text: '' }));
    let served: RunningServer | null = null;
    try {
      served = flags.health === undefined ? null : await serveWorkerHealth(flags.health, health, problem);
      await runWorker({
        server,
        kinds: [experimentJobs, judgeJobs, replayJobs],
        root,
        concurrency,
        allowPrograms,
        lostAfterMs,
        untilIdleMs: untilIdle,
        environment: process.env,
        stop: stop.stop,
        abort: stop.abort,
        onEvent(event) {
          health.saw(event);
          show(event);
        },
      });
    } finally {
      stop.end();
      await served?.close();
      await server.close();
    }
  },
});

function lostAfterOf(written: string): number {
  const ms = parseDuration(written, '--lost-after');
  if (ms >= 1000) return ms;
  throw new UsageError(`--lost-after ${written}: expected at least 1s`, 'a busy machine may take that long to report');
}
