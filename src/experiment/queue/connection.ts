import type { BackendClasses, IQueueBackend } from 'bullmq';

import { loadOptional } from '../../data/optional-package.ts';
import { UsageError } from '../../data/problems.ts';
import { errorCode } from '../../data/source.ts';
import { visible } from '../../data/visible.ts';
import type { RateStore } from '../limits/rate.ts';
import { type JobData, type JobReport, QUEUE_NAME } from './jobs.ts';
import { createRateTable, postgresRates, redisRates } from './rate-stores.ts';
import { createHoldTable, postgresHolds, redisHolds, type RunHolds } from './run-holds.ts';

const KINDS = {
  redis: { protocols: ['redis:', 'rediss:'], packages: ['bullmq', 'ioredis'] },
  postgres: { protocols: ['postgres:', 'postgresql:'], packages: ['bullmq', 'pg'] },
} as const;
type ServerKind = keyof typeof KINDS;

const EXAMPLES = 'such as redis://localhost:6379 or postgres://user@localhost/assay';
/** How long a server may take to answer at the start; later, one that is away is waited for. */
const START_MS = 5000;
const RECONNECT_MS = 1000;

/** A job that loses its worker is reported at once: the coordinator knows which of its calls were begun. */
const MOST_STALLS = 0;
/** Jobs are kept for a coordinator that comes back, not for ever. */
const KEPT = { age: 3600, count: 10_000 };

/** What is used of a job of BullMQ, without its types: it need not be installed for those of this package. */
interface StoredJob {
  readonly id?: string | undefined;
  readonly data: JobData;
  readonly returnvalue: JobReport | null;
  readonly failedReason: string;
}
type JobProcessor = (job: {
  readonly id: string;
  readonly data: unknown;
  readonly isRetry: boolean;
}) => Promise<JobReport>;

export interface JobWorkerOptions {
  readonly name: string;
  readonly concurrency: number;
  /** A worker that has not reported for so long has lost its jobs. */
  readonly lostAfterMs: number;
  readonly onError: (error: Error) => void;
  /** Other workers have these jobs now. */
  readonly onLost: (ids: readonly string[]) => void;
}

/** A queue server: jobs and limits, whichever program it is. */
export interface QueueServer {
  /** Its address without a password, for messages. */
  readonly place: string;
  readonly warnings: readonly string[];
  readonly rates: RateStore;
  readonly holds: RunHolds;
  add(jobs: readonly { readonly id: string; readonly data: JobData }[]): Promise<void>;
  /** `unknown`: the server does not have it (any more). */
  state(id: string): Promise<string>;
  job(id: string): Promise<StoredJob | null>;
  /** False if a worker has begun it. */
  withdraw(id: string): Promise<boolean>;
  jobs(state: 'active' | 'waiting'): Promise<readonly StoredJob[]>;
  /** The names of those that are connected. */
  workers(): Promise<readonly string[]>;
  work(process: JobProcessor, options: JobWorkerOptions): { close(): Promise<void> };
  close(): Promise<void>;
}

/** The kind of server that an address names, and the address as messages may show it. */
export function parseQueueUrl(url: string): { readonly kind: ServerKind; readonly place: string } {
  const parsed = URL.parse(url);
  const kind = Object.entries(KINDS).find(([, { protocols }]) =>
    protocols.some((one) => one === parsed?.protocol),
  )?.[0];
  if (parsed === null || (kind !== 'redis' && kind !== 'postgres'))
    throw new UsageError(
      parsed === null || parsed.host === ''
        ? '--queue: expected the address of a Redis or Postgres server'
        : `--queue: expected an address that begins with redis:// or postgres://, found ${visible(`${parsed.protocol}//`)}`,
      EXAMPLES,
    );
  return { kind, place: `${parsed.protocol}//${parsed.host}${parsed.pathname}` };
}

/** Connects within a few seconds or throws UsageError. Later losses of the connection are waited out. */
export async function openQueueServer(url: string, onError: (text: string) => void = () => undefined) {
  const { kind, place } = parseQueueUrl(url);
  const reported = new Set<string>();
  const report = (error: unknown): void => {
    const text = `the queue ${place}: ${problemOf(error)}; trying again`;
    if (!reported.has(text)) onError(text);
    reported.add(text);
  };
  return kind === 'redis' ? openRedis(url, place, report) : openPostgres(url, place, report);
}

async function openRedis(url: string, place: string, report: (error: unknown) => void): Promise<QueueServer> {
  const [{ withBackend, createRedisBackend, isNotConnectionError }, { Redis }] = await loadPackages('redis', () =>
    Promise.all([import('bullmq'), import('ioredis')]),
  );
  const client = new Redis(url, { maxRetriesPerRequest: null, lazyConnect: true, retryStrategy: () => RECONNECT_MS });
  let lastError: unknown = null;
  client.on('error', (error) => (lastError = error));
  const info = await reached(
    place,
    client.connect().then(() => client.info()),
    () => lastError,
  ).catch((error: unknown) => {
    client.disconnect();
    throw error;
  });
  client.on('error', report);
  const field = (name: string): string => new RegExp(`^${name}:(.*)$`, 'm').exec(info)?.[1]?.trim() ?? '';
  const version = field('redis_version');
  const policy = field('maxmemory_policy');
  const warnings = [
    ...(Number.parseFloat(version) < 6.2
      ? [`the queue ${place} is Redis ${version}: 6.2 or later is recommended, and 5 is the least`]
      : []),
    ...(policy === '' || policy === 'noeviction'
      ? []
      : [
          `the queue ${place} may drop jobs when its memory is full: set maxmemory-policy noeviction (it is ${policy})`,
        ]),
  ];
  const classes = withBackend(createRedisBackend);
  // BullMQ would print its warning on the console, where programs may read JSON.
  const queue = jobQueue(classes, isNotConnectionError, { connection: client, skipVersionCheck: true }, report);
  return {
    ...queue,
    place,
    warnings,
    rates: redisRates(client),
    holds: redisHolds(client),
    async close() {
      await queue.close();
      client.disconnect();
    },
  };
}

async function openPostgres(url: string, place: string, report: (error: unknown) => void): Promise<QueueServer> {
  const [{ withBackend, createPostgresBackend, isNotConnectionError }, { default: pg }] = await loadPackages(
    'postgres',
    () => Promise.all([import('bullmq'), import('pg')]),
  );
  const settings = { connectionString: url, connectionTimeoutMillis: START_MS, keepAlive: true };
  const pool = new pg.Pool({ ...settings, max: 4 });
  pool.on('error', () => undefined);
  const sql = { query: (text: string, values: readonly unknown[] = []) => pool.query(text, [...values]) };
  const connection = { ...settings, schema: 'assay', migrate: true, max: 4 };
  const start = async (): Promise<ReturnType<typeof jobQueue>> => {
    // Several workers may come to an empty database at the same moment: the second one finds what the first made.
    await createRateTable(sql).catch(() => createRateTable(sql));
    await createHoldTable(sql).catch(() => createHoldTable(sql));
    const queue = jobQueue(withBackend(createPostgresBackend), isNotConnectionError, { connection }, report);
    await queue.ready();
    return queue;
  };
  const queue = await reached(place, start(), () => null).catch((error: unknown) => {
    void pool.end();
    throw error;
  });
  return {
    ...queue,
    place,
    warnings: [],
    rates: postgresRates(sql),
    holds: postgresHolds(sql),
    async close() {
      await queue.close();
      await pool.end();
    },
  };
}

/** BullMQ has one API for both: this is all of it that is used. */
function jobQueue<Backend extends IQueueBackend, Connection>(
  { Queue, Worker }: BackendClasses<Backend, Connection>,
  isNotConnectionError: (error: Error) => boolean,
  options: { readonly connection: Connection; readonly skipVersionCheck?: boolean },
  report: (error: unknown) => void,
) {
  const queue = new Queue<JobData, JobReport>(QUEUE_NAME, options);
  queue.on('error', report);
  return {
    ready: () => queue.waitUntilReady(),
    async add(jobs: Parameters<QueueServer['add']>[0]) {
      const kept = { attempts: 1, removeOnComplete: KEPT, removeOnFail: KEPT };
      await queue.addBulk(jobs.map(({ id, data }) => ({ name: data.kind, data, opts: { jobId: id, ...kept } })));
    },
    state: (id: string) => queue.getJobState(id),
    job: async (id: string): Promise<StoredJob | null> => (await queue.getJob(id)) ?? null,
    withdraw: (id: string) =>
      queue.remove(id).then(
        (count) => count === 1,
        () => false,
      ),
    jobs: (state: 'active' | 'waiting') => queue.getJobs([state]),
    workers: async () => (await queue.getWorkers()).map(({ rawname = '' }) => rawname),
    work(process: JobProcessor, { name, concurrency, lostAfterMs, onError, onLost }: JobWorkerOptions) {
      const worker = new Worker<JobData, JobReport>(
        QUEUE_NAME,
        ({ id = '', data, attemptsStarted, stalledCounter }) =>
          process({ id, data, isRetry: attemptsStarted > 1 || stalledCounter > 0 }),
        {
          ...options,
          name,
          concurrency,
          lockDuration: lostAfterMs,
          stalledInterval: Math.max(500, Math.round(lostAfterMs / 3)),
          maxStalledCount: MOST_STALLS,
          // Jobs of a lost worker are looked for that often.
          drainDelay: 1,
          // After the server was away, work goes on at once.
          runRetryDelay: RECONNECT_MS,
        },
      );
      worker.on('error', (error) => (isNotConnectionError(error) ? onError(error) : report(error)));
      worker.on('lockRenewalFailed', onLost);
      return { close: () => worker.close() };
    },
    close: () => queue.close(),
  };
}

function loadPackages<T>(kind: ServerKind, load: () => Promise<T>) {
  return loadOptional(`--queue ${kind}://…`, KINDS[kind].packages, load);
}

async function reached<T>(place: string, start: Promise<T>, lastError: () => unknown): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${START_MS / 1000} s`)), START_MS);
  try {
    return await Promise.race([start, late]);
  } catch (error) {
    start.catch(() => undefined);
    throw new UsageError(
      `cannot reach the queue ${place}: ${problemOf(lastError() ?? error)}`,
      'start the server, or check host, port, user and password of --queue',
    );
  } finally {
    clearTimeout(timer);
  }
}

/** Messages of clients may hold the address they were given, and with it a password: codes do not. */
function problemOf(error: unknown): string {
  const code = errorCode(error);
  if (/^[A-Z][A-Z0-9_]+$/.test(code)) return code;
  if (/^[0-9A-Z]{5}$/.test(code)) return `SQLSTATE ${code}`;
  const message = error instanceof Error ? error.message : '';
  const known = /^(?:WRONGPASS|NOAUTH|NOPERM|LOADING|no answer within [\d.]+ s|Connection is closed)/.exec(
    message,
  )?.[0];
  return known ?? 'the connection failed';
}
