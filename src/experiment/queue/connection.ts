import { randomUUID } from 'node:crypto';

import { loadOptional } from '../../data/optional-package.ts';
import { UsageError } from '../../data/problems.ts';
import { visible } from '../../data/visible.ts';
import type { RateStore } from '../limits/rate.ts';
import { jobQueue, RECONNECT_MS } from './job-queue.ts';
import { KEY_PREFIX, QUEUE_NAME } from './jobs.ts';
import type { QueueServer } from './queue-server.ts';
import { createRateTable, postgresRates, redisRates, type SqlPool } from './rate-stores.ts';
import { createHoldTable, postgresHolds, redisHolds, type RunHolds } from './run-holds.ts';
import {
  briefly,
  PooledConnection,
  type RefusalGuard,
  refusalGuard,
  serverProblem,
  serverRefusal,
} from './server-refusal.ts';
import { queueTelemetry } from './telemetry.ts';

const KINDS = {
  redis: { protocols: ['redis:', 'rediss:'], packages: ['bullmq', 'ioredis'] },
  postgres: { protocols: ['postgres:', 'postgresql:'], packages: ['bullmq', 'pg'] },
} as const;
type ServerKind = keyof typeof KINDS;

const EXAMPLES = 'such as redis://localhost:6379 or postgres://user@localhost/assay';
/** How long a server may take to answer at the start; later, one that is away is waited for. */
const START_MS = 5000;

/** The kind of server that an address names, and the address as messages may show it. */
export function parseQueueUrl(url: string): { readonly kind: ServerKind; readonly place: string } {
  const parsed = URL.parse(url);
  const kind = Object.entries(KINDS).find(([, { protocols }]) =>
    protocols.some((one) => one === parsed?.protocol),
  )?.[0];
  if (parsed === null || (kind !== 'redis' && kind !== 'postgres'))
    throw new UsageError(
      parsed === null || parsed.host === ''
        ? '--queue or ASSAY_QUEUE: expected the address of a Redis or Postgres server'
        : `--queue or ASSAY_QUEUE: expected an address that begins with redis:// or postgres://, found ${visible(`${parsed.protocol}//`)}`,
      EXAMPLES,
    );
  return { kind, place: `${parsed.protocol}//${parsed.host}${parsed.pathname}` };
}

export interface QueueServerOptions {
  /** Several teams can share a server: each has the jobs and workers of its queue. */
  readonly name?: string | undefined;
  readonly onError?: (text: string) => void;
}

/** What both kinds of server are opened with. */
interface Opening {
  readonly url: string;
  readonly name: string;
  readonly place: string;
  readonly guard: RefusalGuard;
  readonly report: (error: unknown) => void;
}

/** Connects within a few seconds or throws UsageError. Later losses of the connection are waited out. */
export async function openQueueServer(
  url: string,
  { name = QUEUE_NAME, onError = () => undefined }: QueueServerOptions = {},
): Promise<QueueServer> {
  const { kind, place } = parseQueueUrl(url);
  if (!/^[\w.-]{1,20}$/.test(name))
    throw new UsageError(`--queue-name ${visible(name)}: expected up to 20 letters, digits, ".", "_" or "-"`);
  const reported = new Set<string>();
  const guard = refusalGuard(place);
  const report = (error: unknown): void => {
    guard.see(error);
    const text = `the queue ${place}: ${serverProblem(error)}; trying again`;
    if (!reported.has(text)) onError(text);
    reported.add(text);
  };
  const opening = { url, name, place, guard, report };
  return kind === 'redis' ? openRedis(opening) : openPostgres(opening);
}

/** Fails where a script may not use two keys of a queue, and where the server takes no writes. */
const PROBE = `for _, key in ipairs(KEYS) do redis.call('SET', key, '1', 'PX', 1000) end return 'done'`;

async function openRedis({ url, name, place, guard, report }: Opening): Promise<QueueServer> {
  const [{ withBackend, createRedisBackend, isNotConnectionError }, { Redis }] = await loadPackages('redis', () =>
    Promise.all([import('bullmq'), import('ioredis')]),
  );
  const client = new Redis(url, {
    maxRetriesPerRequest: null,
    lazyConnect: true,
    retryStrategy: () => RECONNECT_MS,
    // After a failover the name of the address means another server (laravel/framework#57685).
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
  });
  let lastError: unknown = null;
  client.on('error', (error) => (lastError = error));
  const start = async (): Promise<string> => {
    await client.connect();
    await client.eval(PROBE, 2, `${KEY_PREFIX}:probe:1`, `${KEY_PREFIX}:probe:2`);
    return client.info();
  };
  const info = await reached(place, start(), () => lastError).catch((error: unknown) => {
    client.disconnect();
    throw error;
  });
  client.on('error', report);
  const field = (key: string): string => new RegExp(`^${key}:(.*)$`, 'm').exec(info)?.[1]?.trim() ?? '';
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
  const connection = { connection: client, skipVersionCheck: true, prefix: KEY_PREFIX };
  const options = { name, guard, report, isNotConnectionError, telemetry: await queueTelemetry() };
  const queue = jobQueue(classes, connection, options);
  return {
    ...queue,
    ...seen(place, queue),
    warnings,
    rates: guardedRates(redisRates(client), guard),
    holds: guardedHolds(redisHolds(client), guard),
    async close() {
      await briefly(queue.close());
      client.disconnect();
    },
  };
}

async function openPostgres({ url, name, place, guard, report }: Opening): Promise<QueueServer> {
  const [{ withBackend, createPostgresBackend, isNotConnectionError }, { default: pg }] = await loadPackages(
    'postgres',
    () => Promise.all([import('bullmq'), import('pg')]),
  );
  const settings = { connectionString: url, connectionTimeoutMillis: START_MS, keepAlive: true };
  const pool = new pg.Pool({ ...settings, max: 4, options: `-c search_path=${SCHEMA}` });
  pool.on('error', () => undefined);
  const sql = { query: (text: string, values: readonly unknown[] = []) => pool.query(text, [...values]) };
  const connection = { connection: { ...settings, schema: SCHEMA, migrate: true, max: 4 } };
  const options = { name, guard, report, isNotConnectionError, telemetry: await queueTelemetry() };
  const start = async (): Promise<ReturnType<typeof jobQueue>> => {
    await refusePooler(() => pool.connect());
    // Several workers may come to an empty database at the same moment: the second one finds what the first made.
    await createRateTable(sql).catch(() => createRateTable(sql));
    await createHoldTable(sql).catch(() => createHoldTable(sql));
    const queue = jobQueue(withBackend(createPostgresBackend), connection, options);
    await queue.ready();
    return queue;
  };
  const queue = await reached(place, start(), () => null).catch((error: unknown) => {
    void pool.end();
    throw error;
  });
  return {
    ...queue,
    ...seen(place, queue),
    warnings: [],
    rates: guardedRates(postgresRates(sql), guard),
    holds: guardedHolds(postgresHolds(sql), guard),
    async close() {
      await briefly(Promise.all([queue.close(), pool.end()]));
    },
  };
}

const SCHEMA = 'assay';

/**
 * Throws where a session does not last, as behind PgBouncer in transaction mode: workers would never hear of new jobs.
 * While another client is in a transaction, a pooler has to give the first one a session that it did not prepare.
 */
async function refusePooler(connect: () => Promise<SqlPool & { release(): void }>): Promise<void> {
  const [client, busy] = [await connect(), await connect()];
  try {
    const mark = randomUUID();
    await client.query(`SELECT set_config('assay.session', $1, false)`, [mark]);
    await busy.query('BEGIN');
    const { rows } = await client.query(
      `SELECT current_setting('assay.session', true) AS mark, current_setting('search_path') AS path`,
    );
    await busy.query('ROLLBACK');
    if (rows[0]?.['mark'] !== mark || rows[0]['path'] !== SCHEMA) throw new PooledConnection();
  } finally {
    client.release();
    busy.release();
  }
}

/** For those who look once: within a few seconds, or UsageError. */
function seen(place: string, { status, metrics }: Pick<QueueServer, 'status' | 'metrics'>) {
  return {
    place,
    status: () => reached(place, status(), () => null),
    metrics: () => reached(place, metrics(), () => null),
  };
}

function guardedRates(rates: RateStore, { ask }: RefusalGuard): RateStore {
  return {
    reserve: (...call) => ask(() => rates.reserve(...call)),
    correct: (...call) => ask(() => rates.correct(...call)),
    pause: (...call) => ask(() => rates.pause(...call)),
    pausedFor: (...call) => ask(() => rates.pausedFor(...call)),
  };
}

function guardedHolds(holds: RunHolds, { ask }: RefusalGuard): RunHolds {
  return {
    hold: (...call) => ask(() => holds.hold(...call)),
    release: (...call) => ask(() => holds.release(...call)),
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
    const refusal = serverRefusal(place, error) ?? serverRefusal(place, lastError());
    throw (
      refusal ??
      new UsageError(
        `cannot reach the queue ${place}: ${serverProblem(lastError() ?? error)}`,
        'start the server, or check host, port, user and password of its address',
      )
    );
  } finally {
    clearTimeout(timer);
  }
}
