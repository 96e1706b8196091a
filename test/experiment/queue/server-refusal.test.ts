import { expect, test } from 'vitest';

import { metricText, queueMetrics } from '../../../src/experiment/queue/queue-metrics.ts';
import {
  PooledConnection,
  refusalGuard,
  serverProblem,
  serverRefusal,
} from '../../../src/experiment/queue/server-refusal.ts';

const PLACE = 'redis://host';
const replied = (message: string, code?: string): Error => Object.assign(new Error(message), code && { code });

// Replies as Redis 7 and Postgres 15 gave them; the one inside a script is of Redis 6, as in redis/redis#6565.
test.each([
  [replied('NOAUTH Authentication required.'), 'NOAUTH', 'user and password'],
  [replied('WRONGPASS invalid username-password pair or user is disabled.'), 'WRONGPASS', 'user and password'],
  [
    replied("NOPERM User bob has no permissions to run the 'eval' command"),
    'NOPERM',
    'all commands on the keys {assay}:*',
  ],
  [
    replied("READONLY You can't write against a read only replica. script: 5f2a, on @user_script:1."),
    'READONLY',
    'primary',
  ],
  [replied("OOM command not allowed when used memory > 'maxmemory'."), 'OOM', 'more room'],
  [
    replied(
      "ERR Error running script (call to f_5f2a): @user_script:1: @user_script: 1: -OOM command not allowed when used memory > 'maxmemory'.",
    ),
    'OOM',
    'more room',
  ],
  [replied('MISCONF Redis is configured to save RDB snapshots, but unable to persist on disk.'), 'MISCONF', 'its disk'],
  [replied("CROSSSLOT Keys in request don't hash to the same slot"), 'CROSSSLOT', 'keys with one {tag} together'],
  [replied('MOVED 3999 10.0.0.3:6381'), 'MOVED', 'holds the keys {assay}: 10.0.0.3:6381'],
  [replied('password authentication failed for user "bob"', '28P01'), '28P01', 'user and password'],
  [replied('permission denied for schema assay', '42501'), '42501', 'rights'],
  [replied('database "none" does not exist', '3D000'), '3D000', 'create the database'],
  [replied('sorry, too many clients already', '53300'), '53300', 'max_connections'],
  [
    replied('unsupported startup parameter: options', '08P01'),
    '08P01',
    'direct address of Postgres, not the pooled one',
  ],
  [new PooledConnection(), 'connection pooler', 'direct address of Postgres, not the pooled one'],
])('a server that refuses is reported by its word, with what to do: %s', (error, word, next) => {
  const refusal = serverRefusal(PLACE, error);
  expect(refusal?.message).toContain(word);
  expect(refusal?.next).toContain(next);
});

test.each([
  replied('connect ECONNREFUSED 127.0.0.1:6379', 'ECONNREFUSED'),
  replied('Connection is closed.'),
  replied('LOADING Redis is loading the dataset in memory'),
  replied('CLUSTERDOWN The cluster is down'),
  replied('terminating connection due to administrator command', '57P01'),
])('a server that is away, or will soon answer, refuses nothing: %s', (error) => {
  expect(serverRefusal(PLACE, error)).toBeNull();
});

test('the words for an error have nothing of its message, which may hold the password', () => {
  for (const text of ['redis://:secret@host', 'ERR secret', 'secret', 'WRONGPASS secret', 'MOVED 1 secret secret']) {
    const error = new Error(text);
    expect([serverProblem(error), serverRefusal(PLACE, error)?.message].join(' ')).not.toContain('secret');
  }
});

test('a refusal ends what is asked after 20 s in a row, also what never gets an answer; one that passes ends nothing', async () => {
  let now = 0;
  const guard = refusalGuard(PLACE, () => now);
  const oom = (): Promise<never> => guard.ask(() => Promise.reject(replied('OOM command not allowed')));
  const unanswered = guard.ask(() => new Promise<never>(() => undefined));
  unanswered.catch(() => undefined);
  for (now = 0; now < 19_000; now += 1000) await expect(oom()).rejects.toThrow('OOM command');
  // For 9 s the server took everything.
  for (now = 27_000; now < 47_000; now += 1000) await expect(oom()).rejects.toThrow('OOM command');
  expect(await guard.ask(() => Promise.resolve('answer'))).toBe('answer');
  now = 47_000;
  await expect(oom()).rejects.toThrow('refuses: OOM');
  await expect(unanswered).rejects.toThrow(`the queue ${PLACE} refuses: OOM`);
  await expect(guard.ask(() => Promise.resolve('answer'))).rejects.toThrow('refuses: OOM');
});

test('a queue as Prometheus reads it: labels are escaped, and what is unknown is left out', async () => {
  expect(metricText('m', 'help', 'gauge', [[{ a: 'q"\\\n' }, 1]])).toBe(
    '# HELP m help\n# TYPE m gauge\nm{a="q\\"\\\\\\n"} 1\n',
  );
  const run = { kind: 'experiment', folder: 'runs/a', run: 'r', done: 3, of: 9, jobs: 2 };
  const status = {
    name: 'assay',
    jobs: { waiting: 1, active: 1, completed: 0, failed: 0 },
    workers: ['a-x8'],
    oldestSeconds: null,
    runs: [run, { ...run, run: 's', done: null, of: null }],
  };
  const text = await queueMetrics({
    metrics: () => Promise.resolve('bullmq 1\n'),
    status: () => Promise.resolve(status),
  });
  expect(text.split('\n').filter((line) => !line.startsWith('#'))).toEqual([
    'bullmq 1',
    'assay_queue_workers{queue="assay"} 1',
    'assay_queue_oldest_waiting_seconds{queue="assay"} 0',
    'assay_queue_run_items_done{queue="assay",kind="experiment",folder="runs/a",run="r"} 3',
    'assay_queue_run_items{queue="assay",kind="experiment",folder="runs/a",run="r"} 9',
    'assay_queue_run_jobs{queue="assay",kind="experiment",folder="runs/a",run="r"} 2',
    'assay_queue_run_jobs{queue="assay",kind="experiment",folder="runs/a",run="s"} 2',
    '',
  ]);
});
