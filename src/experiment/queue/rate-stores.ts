import type { RateStore } from '../limits/rate.ts';
import { KEY_PREFIX } from './jobs.ts';

/** The commands of a Redis client that limits need. */
export interface RedisCommands {
  eval(script: string, keys: number, ...values: (string | number)[]): Promise<unknown>;
}

/** The part of a pool of Postgres connections that limits need. */
export interface SqlPool {
  query(text: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly Record<string, unknown>[] }>;
}

// Written as text: Lua would cut the fractions off numbers that it returns, and round large ones that it stores.
const MOMENTS = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local at = redis.call('HMGET', KEYS[1], 'call', 'tokens', 'paused')
local call, tokens, paused = tonumber(at[1] or '0'), tonumber(at[2] or '0'), tonumber(at[3] or '0')
local function keep(...)
  redis.call('HSET', KEYS[1], ...)
  redis.call('PEXPIRE', KEYS[1], 86400000)
end
local function text(number) return string.format('%.3f', number) end
`;
const REDIS = {
  reserve: `${MOMENTS}
local start = math.max(now, call, tokens, paused)
keep('call', text(start + ARGV[1]), 'tokens', text(start + ARGV[2]))
return text(start - now)`,
  correct: `${MOMENTS} keep('tokens', text(tokens + ARGV[1])) return '0'`,
  pause: `${MOMENTS} keep('paused', text(math.max(paused, now + ARGV[1]))) return '0'`,
  pausedFor: `${MOMENTS} return text(math.max(0, paused - now))`,
};

/** Limits in Redis: each step is one script, by the clock of the server. */
export function redisRates(client: RedisCommands): RateStore {
  const run = async (script: string, key: string, ...values: number[]): Promise<number> =>
    Number(await client.eval(script, 1, `${KEY_PREFIX}:rate:${key}`, ...values));
  return {
    reserve: (key, callMs, tokenMs) => run(REDIS.reserve, key, callMs, tokenMs),
    correct: async (key, tokenMs) => void (await run(REDIS.correct, key, tokenMs)),
    pause: async (key, ms) => void (await run(REDIS.pause, key, ms)),
    pausedFor: (key) => run(REDIS.pausedFor, key),
  };
}

const NOW = 'extract(epoch from clock_timestamp()) * 1000';
const START = `greatest(${NOW}, r.call, r.tokens, r.paused)`;
const POSTGRES = {
  // What is lost in a crash are a few moments that calls were to wait for: no log of it is needed.
  create: `CREATE UNLOGGED TABLE IF NOT EXISTS assay.rates (key text PRIMARY KEY, call double precision NOT NULL DEFAULT 0,
    tokens double precision NOT NULL DEFAULT 0, paused double precision NOT NULL DEFAULT 0)`,
  reserve: `INSERT INTO assay.rates AS r (key, call, tokens) VALUES ($1, ${NOW} + $2, ${NOW} + $3)
    ON CONFLICT (key) DO UPDATE SET call = ${START} + $2, tokens = ${START} + $3
    RETURNING r.call - $2 - ${NOW} AS ms`,
  correct: `UPDATE assay.rates SET tokens = tokens + $2 WHERE key = $1`,
  pause: `INSERT INTO assay.rates AS r (key, paused) VALUES ($1, ${NOW} + $2)
    ON CONFLICT (key) DO UPDATE SET paused = greatest(r.paused, ${NOW} + $2)`,
  pausedFor: `SELECT greatest(0, paused - ${NOW}) AS ms FROM assay.rates WHERE key = $1`,
};

export async function createRateTable(pool: SqlPool): Promise<void> {
  await pool.query('CREATE SCHEMA IF NOT EXISTS assay');
  await pool.query(POSTGRES.create);
}

/** Limits in Postgres: each step is one statement, by the clock of the server. */
export function postgresRates(pool: SqlPool): RateStore {
  const run = async (statement: string, ...values: readonly (string | number)[]): Promise<number> =>
    Math.max(0, Number((await pool.query(statement, values)).rows[0]?.['ms'] ?? 0));
  return {
    reserve: (key, callMs, tokenMs) => run(POSTGRES.reserve, key, callMs, tokenMs),
    correct: async (key, tokenMs) => void (await run(POSTGRES.correct, key, tokenMs)),
    pause: async (key, ms) => void (await run(POSTGRES.pause, key, ms)),
    pausedFor: (key) => run(POSTGRES.pausedFor, key),
  };
}
