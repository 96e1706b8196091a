import { expect, onTestFinished, test, vi } from 'vitest';

import type { QueueServer } from '../../../src/experiment/queue/queue-server.ts';
import { UsageError } from '../../../src/data/problems.ts';
import { type CoordinatorOptions, openCoordinator } from '../../../src/experiment/queue/coordinator.ts';
import type { JobData, JobReport, JobTask } from '../../../src/experiment/queue/jobs.ts';
import { memoryRates } from '../../../src/experiment/limits/rate.ts';

interface HeldJob {
  readonly id: string;
  readonly data: JobData;
  state: string;
  returnvalue: JobReport;
  failedReason: string;
}

/** A server that holds jobs; the test decides what becomes of them. */
function heldServer(names: readonly string[] = ['a-x4', 'b-x4']) {
  const jobs = new Map<string, HeldJob>();
  const report: JobReport = { done: [], refused: null, hopeless: null };
  const server: QueueServer = {
    place: 'held',
    warnings: [],
    rates: memoryRates(),
    holds: { hold: () => Promise.resolve(null), release: () => Promise.resolve() },
    add: (added) => {
      for (const job of added) jobs.set(job.id, { ...job, state: 'waiting', returnvalue: report, failedReason: '' });
      return Promise.resolve();
    },
    state: (id) => Promise.resolve(jobs.get(id)?.state ?? 'unknown'),
    job: (id) => Promise.resolve(jobs.get(id) ?? null),
    withdraw: (id) => Promise.resolve(jobs.get(id)?.state === 'waiting' && jobs.delete(id)),
    jobs: (state) => Promise.resolve([...jobs.values()].filter((job) => job.state === state)),
    workers: () => Promise.resolve(names),
    status: () => Promise.reject(new Error('nobody asks')),
    metrics: () => Promise.reject(new Error('nobody asks')),
    work: () => ({ close: () => Promise.resolve() }),
    close: () => Promise.resolve(),
  };
  return { server, jobs };
}

const JOB = { kind: 'x', folder: '.', run: 'r', session: 's' };
const tasksOf = (count: number): JobTask[] => Array.from({ length: count }, (_, at) => [at, 1] as const);

async function open(
  { server, jobs }: ReturnType<typeof heldServer>,
  over = { isOver: false },
  most: number | null = null,
  unanswered?: CoordinatorOptions<string>['unanswered'],
) {
  const notices: string[] = [];
  const coordinator = await openCoordinator<string>({
    server,
    job: JOB,
    most,
    ...(unanswered === undefined ? {} : { unanswered }),
    look: () => Promise.resolve(),
    checkMs: 100,
    find: ([number]) => Promise.resolve(`found ${number}`),
    isOver: () => over.isOver,
    abort: new AbortController().signal,
    onNotice: (text) => notices.push(text),
  });
  const end = (change: (job: HeldJob) => void): void => {
    for (const job of jobs.values()) if (job.state === 'waiting') change(job);
  };
  return { coordinator, notices, end };
}

test('tasks are handed out as jobs, never more than keep the workers busy', async () => {
  const held = heldServer();
  const { coordinator } = await open(held);
  const results = tasksOf(1000).map((task) => coordinator.do(task));
  await vi.waitFor(() => expect(held.jobs.size).toBeGreaterThan(0));
  const out = held.jobs.values().reduce((sum, { data }) => sum + data.tasks.length, 0);
  expect([out, held.jobs.size]).toEqual([64, 16]);
  const first = [...held.jobs.values()];
  for (const { data } of first) for (const task of data.tasks) coordinator.settle(task, 'seen');
  expect(await results[0]).toEqual({ value: 'seen' });
  await vi.waitFor(() => expect(held.jobs.size).toBeGreaterThan(16));
  await coordinator.close();
});

test('a limit on calls at once is a limit on what is out', async () => {
  const held = heldServer();
  const { coordinator } = await open(held, { isOver: false }, 3);
  for (const task of tasksOf(10)) void coordinator.do(task);
  await vi.waitFor(() => expect(held.jobs.size).toBe(3));
  expect(coordinator.state()).toEqual({ workers: 2, out: 3, capacity: 8 });
  await coordinator.close();
});

test('what a worker gives back is handed out again; what it reports as done is looked up', async () => {
  const held = heldServer();
  const { coordinator, notices, end } = await open(held);
  const [done, left] = [coordinator.do([0, 1]), coordinator.do([1, 1])];
  await vi.waitFor(() => expect(held.jobs.size).toBe(2));
  end((job) => {
    job.state = 'completed';
    const isFirst = job.data.tasks[0]?.[0] === 0;
    job.returnvalue = { done: isFirst ? job.data.tasks : [], refused: isFirst ? null : 'no key', hopeless: null };
  });
  expect(await done).toEqual({ value: 'found 0' });
  await vi.waitFor(() => expect(held.jobs.size).toBe(3), 5000);
  const again = [...held.jobs.values()].at(-1)!.data;
  expect(again).toMatchObject({ tasks: [[1, 1]], again: true, alone: false });
  expect(notices).toEqual(['a worker cannot do this: no key']);
  coordinator.settle([1, 1], 'seen');
  expect(await left).toEqual({ value: 'seen' });
  await coordinator.close();
});

test('a job that ends its workers is taken apart; the task that does it alone is reported', async () => {
  const held = heldServer();
  const { coordinator, end } = await open(held);
  const results = tasksOf(64).map((task) => coordinator.do(task));
  await vi.waitFor(() => expect(held.jobs.size).toBe(16));
  const [first] = held.jobs.values();
  first!.state = 'failed';
  first!.failedReason = 'job stalled more than allowable limit';
  await vi.waitFor(() => expect(held.jobs.size).toBe(20), 5000);
  const singles = [...held.jobs.values()].slice(-4);
  expect(singles.map(({ data }) => [data.tasks, data.alone])).toEqual([0, 1, 2, 3].map((at) => [[[at, 1]], true]));
  for (const attempt of [1, 2, 3]) {
    end((job) => {
      if (job.data.alone) job.state = job.data.tasks[0]?.[0] === 2 ? 'failed' : 'completed';
      job.returnvalue = { done: job.data.tasks, refused: null, hopeless: null };
      job.failedReason = 'stalled';
    });
    await vi.waitFor(() => expect(held.jobs.size).toBe(20 + Math.min(attempt, 2)), 5000);
  }
  expect(await Promise.all(results.slice(0, 4))).toEqual([
    { value: 'found 0' },
    { value: 'found 1' },
    { crashed: 'stalled' },
    { value: 'found 3' },
  ]);
  await coordinator.close();
});

test('a worker that ends is held only against tasks whose call was begun, and given up after three that ran alone', async () => {
  const held = heldServer();
  const begun = new Map([[1, { calls: 1, alone: 0 }]]);
  const { coordinator } = await open(held, { isOver: false }, null, ([at]) => begun.get(at) ?? { calls: 0, alone: 0 });
  const results = tasksOf(64).map((task) => coordinator.do(task));
  await vi.waitFor(() => expect(held.jobs.size).toBe(16));
  const fail = (job: HeldJob | undefined): void =>
    void Object.assign(job!, { state: 'failed', failedReason: 'job stalled more than allowable limit' });
  fail(held.jobs.values().next().value);
  await vi.waitFor(() => expect(held.jobs.size).toBe(20), 5000);
  const singles = [...held.jobs.values()].slice(-4).map(({ data }) => [data.tasks[0]?.[0], data.alone]);
  expect(singles).toEqual([
    [1, true],
    [0, false],
    [2, false],
    [3, false],
  ]);
  const jobOf = (task: number): HeldJob | undefined =>
    [...held.jobs.values()].findLast(({ data }) => data.tasks[0]?.[0] === task);
  // Machines that end again and again before they begin anything.
  for (let jobs = 20; jobs < 25; jobs += 1) {
    fail(jobOf(0));
    await vi.waitFor(() => expect(held.jobs.size).toBe(jobs + 1), 5000);
    expect(jobOf(0)?.data.alone).toBe(false);
  }
  for (const alone of [1, 2, 3]) {
    begun.set(1, { calls: 1 + alone, alone });
    fail(jobOf(1));
    await vi.waitFor(() => expect(held.jobs.size).toBe(25 + Math.min(alone, 2)), 5000);
  }
  expect(await results[1]).toEqual({ crashed: 'job stalled more than allowable limit' });
  coordinator.settle([0, 1], 'seen');
  expect(await results[0]).toEqual({ value: 'seen' });
  await coordinator.close();
}, 120_000);

test('once it is over, nothing is handed out, and jobs that nobody has begun are withdrawn', async () => {
  const held = heldServer();
  const over = { isOver: false };
  const { coordinator } = await open(held, over);
  const results = tasksOf(100).map((task) => coordinator.do(task));
  await vi.waitFor(() => expect(held.jobs.size).toBe(16));
  const [begun] = held.jobs.values();
  begun!.state = 'active';
  over.isOver = true;
  await vi.waitFor(() => expect(held.jobs.size).toBe(1));
  for (const task of begun!.data.tasks) coordinator.settle(task, 'late');
  const ends = await Promise.all(results);
  expect(ends.filter((end) => end !== null)).toEqual(Array.from({ length: 4 }, () => ({ value: 'late' })));
  await coordinator.close();
});

test('once it is over, a server that is away is not waited for, and what is out stays out', async () => {
  const held = heldServer();
  const over = { isOver: false };
  const server = { ...held.server };
  const { coordinator } = await open({ ...held, server }, over);
  const first = coordinator.do([0, 1]);
  await vi.waitFor(() => expect(held.jobs.size).toBe(1));
  const never = (): Promise<never> => new Promise(() => undefined);
  Object.assign(server, { add: never, state: never, workers: never, withdraw: never });
  const second = coordinator.do([1, 1]);
  await vi.waitFor(() => expect(coordinator.state().out).toBe(2));
  over.isOver = true;
  const now = Date.now();
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now + 6000);
  onTestFinished(() => clock.mockRestore());
  expect(await Promise.all([first, second, coordinator.do([2, 1])])).toEqual([null, null, null]);
  expect(coordinator.state().out).toBe(2);
  await coordinator.close();
});

test('a server that refuses for good ends those who wait, with the reason', async () => {
  const held = heldServer();
  const refuse = (): Promise<never> => Promise.reject(new UsageError('the queue held refuses: OOM'));
  const { coordinator } = await open({ ...held, server: { ...held.server, add: refuse } });
  await expect(coordinator.do([0, 1])).rejects.toThrow('refuses: OOM');
  await coordinator.close();
});

test('where no call can succeed, all who wait get the reason', async () => {
  const held = heldServer();
  const { coordinator, end } = await open(held);
  const result = coordinator.do([0, 1]);
  await vi.waitFor(() => expect(held.jobs.size).toBe(1));
  end((job) => {
    job.state = 'completed';
    job.returnvalue = { done: [], refused: null, hopeless: 'the key is refused' };
  });
  await expect(result).rejects.toThrow('no call can succeed: the key is refused');
  await expect(coordinator.do([1, 1])).rejects.toThrow('the key is refused');
  await coordinator.close();
});

test('jobs of a coordinator that was killed: those in work are waited for, the others are handed out again', async () => {
  const held = heldServer();
  const data: JobData = { format: 1, ...JOB, session: 'old', tasks: [[0, 1]], again: false, alone: false };
  await held.server.add([
    { id: 'old.1', data },
    { id: 'old.2', data: { ...data, tasks: [[1, 1]] } },
    { id: 'other.1', data: { ...data, run: 'another' } },
  ]);
  held.jobs.get('old.1')!.state = 'active';
  const { coordinator } = await open(held);
  const results = [coordinator.do([0, 1]), coordinator.do([1, 1])];
  await vi.waitFor(() => expect([...held.jobs.keys()]).toEqual(['old.1', 'other.1', 's.1']));
  expect(held.jobs.get('s.1')!.data.tasks).toEqual([[1, 1]]);
  coordinator.settle([0, 1], 'late');
  coordinator.settle([1, 1], 'new');
  expect(await Promise.all(results)).toEqual([{ value: 'late' }, { value: 'new' }]);
  await coordinator.close();
});
