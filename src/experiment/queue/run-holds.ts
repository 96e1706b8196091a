import { z } from 'zod';

import { KEY_PREFIX } from './jobs.ts';
import type { RedisCommands, SqlPool } from './rate-stores.ts';

/** Who coordinates a run, on the queue server: two coordinators may have copies of one run on different disks. */
export interface RunHolds {
  /** Takes or renews a hold for some time, also that of `replaces`; null if it is ours, else its holder. */
  hold(run: string, holder: string, ms: number, replaces?: string): Promise<string | null>;
  release(run: string, holder: string): Promise<void>;
}

const REDIS = {
  hold: `local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] and holder ~= ARGV[3] then return holder end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return ''`,
  release: `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end return ''`,
};

export function redisHolds(client: RedisCommands): RunHolds {
  const keyOf = (run: string): string => `${KEY_PREFIX}:run:${run}`;
  return {
    hold: async (run, holder, ms, replaces = '') =>
      String(await client.eval(REDIS.hold, 1, keyOf(run), holder, ms, replaces)) || null,
    release: async (run, holder) => void (await client.eval(REDIS.release, 1, keyOf(run), holder)),
  };
}

const POSTGRES = {
  // A crash of the server loses holds, which their holders renew within seconds.
  create: `CREATE UNLOGGED TABLE IF NOT EXISTS assay.holds (run text PRIMARY KEY, holder text NOT NULL,
    until timestamptz NOT NULL)`,
  hold: `INSERT INTO assay.holds AS h (run, holder, until)
    VALUES ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')
    ON CONFLICT (run) DO UPDATE SET holder = $2, until = clock_timestamp() + $3 * interval '1 millisecond'
    WHERE h.holder IN ($2, $4) OR h.until < clock_timestamp() RETURNING holder`,
  holder: 'SELECT holder FROM assay.holds WHERE run = $1',
  release: 'DELETE FROM assay.holds WHERE run = $1 AND holder = $2 OR until < clock_timestamp()',
};

export async function createHoldTable(pool: SqlPool): Promise<void> {
  await pool.query(POSTGRES.create);
}

export function postgresHolds(pool: SqlPool): RunHolds {
  return {
    async hold(run, holder, ms, replaces = '') {
      if ((await pool.query(POSTGRES.hold, [run, holder, ms, replaces])).rows.length > 0) return null;
      const holders = await pool.query(POSTGRES.holder, [run]);
      return z.object({ holder: z.string() }).safeParse(holders.rows[0]).data?.holder ?? null;
    },
    release: async (run, holder) => void (await pool.query(POSTGRES.release, [run, holder])),
  };
}
