import { setTimeout as sleep } from 'node:timers/promises';

import { UsageError } from '../../data/problems.ts';
import { errorCode } from '../../data/source.ts';

/** A server that does not answer for so long is away. */
export const AWAY_MS = 5000;
/** A refusal that lasts so long ends the command: a failover takes less. */
const PATIENCE_MS = 20_000;
/** Refusals further apart than this are separate ones. */
const GAP_MS = 8000;

const USER = 'check user and password of the address';
const RIGHTS = 'give the user of the address the rights that are missing';
const ROOM = 'give the queue server more room, then run the same command again';
const SCHEMA = 'drop the schema assay, which is incomplete, and run the same command again';
const DIRECT = 'use the direct address of Postgres, not the pooled one';

/** Replies of servers that no new connection changes, with what to do. */
const NEXT: Readonly<Record<string, string>> = {
  NOAUTH: USER,
  WRONGPASS: USER,
  NOPERM: 'give the user of the address all commands on the keys {assay}:*',
  READONLY: 'use the address of the primary, not of a replica',
  OOM: ROOM,
  MISCONF: 'the server cannot write to its disk: see its log',
  CROSSSLOT: 'use a Redis server that keeps keys with one {tag} together',
  MOVED: 'use the address of the node that holds the keys {assay}',
  '08P01': DIRECT,
  '25006': 'use the address of the primary, not of a replica',
  '26000': DIRECT,
  '28000': USER,
  '28P01': USER,
  '3D000': 'create the database, or correct its name in the address',
  '42501': RIGHTS,
  '42P01': SCHEMA,
  '42883': SCHEMA,
  '42P05': DIRECT,
  '53100': ROOM,
  '53200': ROOM,
  '53300': 'raise max_connections or start fewer workers: each takes up to ten connections',
  '53400': ROOM,
};

/** A pooler gives every transaction another session: what BullMQ sets for a connection is lost. */
export class PooledConnection extends Error {}

/** Waits for `work`, but not for a server that is away; errors end the wait. */
export async function briefly(work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  await Promise.race([work, sleep(AWAY_MS, undefined, { signal: timer.signal })]).catch(() => undefined);
  timer.abort();
}

/** Null if the connection failed, or the server will soon answer. */
export function serverRefusal(place: string, error: unknown): UsageError | null {
  if (error instanceof PooledConnection)
    return new UsageError(`the queue ${place} is behind a connection pooler, which loses sessions`, DIRECT);
  const code = replyCode(error);
  const next = code === null ? undefined : NEXT[code];
  // The address of the node that holds the keys is the reply's third word.
  const [, node] = /^MOVED \d+ ([\w.:[\]-]{1,100})$/.exec(messageOf(error)) ?? [];
  const words = `the queue ${place} refuses: ${serverProblem(error)}`;
  return next === undefined ? null : new UsageError(words, node === undefined ? next : `${next}: ${node}`);
}

export type RefusalGuard = ReturnType<typeof refusalGuard>;

/** Ends what a server is asked once it has refused for a while; refusals that pass, as in a failover, end nothing. */
export function refusalGuard(place: string, now: () => number = Date.now) {
  const open = new Set<(error: UsageError) => void>();
  let [since, latest] = [-Infinity, -Infinity];
  let lasting: UsageError | null = null;

  const see = (error: unknown): void => {
    const refusal = serverRefusal(place, error);
    if (refusal === null) return;
    if (now() - latest > GAP_MS) since = now();
    latest = now();
    if (latest - since < PATIENCE_MS) return;
    lasting ??= refusal;
    for (const reject of open) reject(lasting);
    open.clear();
  };

  /** Rejects with a refusal that lasts, also where the server never answers because of it. */
  const until = <R>(work: () => Promise<R>): Promise<R> =>
    new Promise<R>((resolve, reject) => {
      if (lasting !== null) return reject(lasting);
      open.add(reject);
      work()
        .then(resolve, reject)
        .finally(() => open.delete(reject));
    });

  return {
    see,
    until,
    /** As `until`; the errors of the work count. */
    ask: <R>(work: () => Promise<R>): Promise<R> =>
      until(() =>
        work().catch((error: unknown) => {
          see(error);
          throw error;
        }),
      ),
  };
}

/** Messages of clients may hold the address, and with it a password: codes do not. */
export function serverProblem(error: unknown): string {
  const code = errorCode(error);
  if (/^[A-Z][A-Z0-9_]+$/.test(code)) return code;
  if (SQLSTATE.test(code)) return `SQLSTATE ${code}`;
  const [words] = /^(?:no answer within [\d.]+ s|Connection is closed)/.exec(messageOf(error)) ?? [];
  return words ?? replyCode(error) ?? 'the connection failed';
}

const SQLSTATE = /^\d[0-9A-Z]{4}$/;

/** The first word of a reply of Redis, or the SQLSTATE of Postgres. */
function replyCode(error: unknown): string | null {
  const code = errorCode(error);
  if (SQLSTATE.test(code)) return code;
  // Redis 6 quotes the reply that a script got inside the reply to the script.
  const [, quoted, word] =
    /^(?:ERR Error running script.{1,200}? -([A-Z]{3,12})|([A-Z]{3,12})) /.exec(messageOf(error)) ?? [];
  return quoted ?? word ?? null;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');
