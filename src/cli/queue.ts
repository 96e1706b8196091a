import { commandGroup } from './group.ts';

const HELP = `
Examples:
  $ assay queue status --queue redis://localhost:6379
  $ assay queue status --prometheus         the queue of ASSAY_QUEUE`;

export default commandGroup('queue', HELP, {
  status: [
    'show the jobs, workers and runs of a queue',
    async () => (await import('./queue/status.ts')).queueStatusCommand,
  ],
});
