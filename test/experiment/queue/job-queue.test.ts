import { expect, test } from 'vitest';

import { jobQueue } from '../../../src/experiment/queue/job-queue.ts';
import { refusalGuard } from '../../../src/experiment/queue/server-refusal.ts';

const JOB = {
  format: 1,
  kind: 'experiment',
  folder: 'runs/a',
  run: 'r',
  session: 's',
  tasks: [[0, 1]],
  again: false,
  alone: false,
};

test('the runs of a queue: the latest progress of each counts, and jobs of other programs are no runs', async () => {
  const jobs: Record<string, object[]> = {
    waiting: [
      { timestamp: Date.now() - 5000, data: { ...JOB, progress: [40, 100] } },
      { timestamp: Date.now() - 9000, data: 'of another program' },
    ],
    active: [
      { timestamp: 0, data: { ...JOB, progress: [36, 100] } },
      { timestamp: 0, data: { ...JOB, kind: 'judge', folder: 'judging-1' } },
    ],
  };
  class Queue {
    readonly on = (): void => undefined;
    readonly getJobs = ([state]: [string]) => Promise.resolve(jobs[state]);
    readonly getJobCounts = () => Promise.resolve({ waiting: 2, active: 2, completed: 7, failed: 0 });
    readonly getWorkers = () => Promise.resolve([{ rawname: '{assay}:YXNzYXk=:w:a-x8' }]);
  }
  const options = {
    name: 'assay',
    guard: refusalGuard('redis://host'),
    report: () => undefined,
    isNotConnectionError: () => false,
    telemetry: undefined,
  };
  const queue = jobQueue({ Queue } as never, { connection: {} }, options);
  const { oldestSeconds, ...status } = await queue.status();
  expect(Math.round(oldestSeconds!)).toBe(9);
  expect(status).toEqual({
    name: 'assay',
    jobs: { waiting: 2, active: 2, completed: 7, failed: 0 },
    workers: ['a-x8'],
    runs: [
      { kind: 'experiment', folder: 'runs/a', run: 'r', done: 40, of: 100, jobs: 2 },
      { kind: 'judge', folder: 'judging-1', run: 'r', done: null, of: null, jobs: 1 },
    ],
  });
});
