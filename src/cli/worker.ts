import { existsSync } from 'node:fs';

import { parseDuration, safeJson, safeText, UsageError } from '../plugin.ts';
import { experimentJobs, openQueueServer, runWorker, type WorkerEvent } from '../experiment.ts';
import { judgeJobs } from '../review.ts';
import { replayJobs } from '../stream.ts';
import { command } from './command.ts';
import * as flag from './flags.ts';
import { politeStop } from './run/polite-stop.ts';

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
Ctrl-C and SIGTERM finish the calls that are out and give back the rest.

Exit codes: 0 stopped or idle, 2 it cannot do its jobs: no key, no such folder.

Examples:
  $ assay worker --queue redis://localhost:6379
  $ assay worker --queue postgres://assay@db/assay --root /shared --concurrency 16
  $ assay worker --queue redis://queue:6379 --until-idle 5m   # for a batch job`;

export default command({
  name: 'worker',
  flags: {
    queue: flag.required(flag.string('<url>', 'queue to take jobs from: redis://… or postgres://…')),
    root: flag.string('<folder>', 'folder that is shared with assay run', '.'),
    concurrency: flag.integer('<n>', 'maximum number of calls at once', { from: 1, to: 1000 }, 8),
    untilIdle: flag.duration('<time>', 'time without a job after which it exits, such as 5m (default: never)'),
    lostAfter: flag.string('<time>', 'time after which a worker that does not report has lost its jobs', '30s'),
    allowPrograms: flag.toggle('also run commands and modules that an experiment names: they are code'),
    json: flag.toggle('print events as JSON lines on standard output instead of lines on standard error'),
    quiet: flag.QUIET,
  },
  help: HELP,
  async run({ queue, root, concurrency, untilIdle = null, lostAfter, allowPrograms, json, quiet }) {
    if (!existsSync(root)) throw new UsageError(`--root ${root}: there is no such folder`, 'check the path');
    const lostAfterMs = lostAfterOf(lostAfter);
    const show = (event: WorkerEvent): void => {
      if (json) process.stdout.write(safeJson({ at: new Date().toISOString(), ...event }, 0));
      else if (!quiet) process.stderr.write(`${safeText(event.text)}\n`);
    };
    const server = await openQueueServer(queue, (text) => show({ event: 'problem', text }));
    for (const text of server.warnings) show({ event: 'problem', text });
    const stop = politeStop((text) => show({ event: 'stopping', text }), { drains: true });
    try {
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
        onEvent: show,
      });
    } finally {
      stop.end();
      await server.close();
    }
  },
});

function lostAfterOf(written: string): number {
  const ms = parseDuration(written, '--lost-after');
  if (ms >= 1000) return ms;
  throw new UsageError(`--lost-after ${written}: expected at least 1s`, 'a busy machine may take that long to report');
}
