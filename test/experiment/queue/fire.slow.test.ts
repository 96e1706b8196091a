import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import type { ExperimentSummary } from '../../../src/experiment/summary.ts';
import { startUnrulyServer } from '../unruly-server.ts';
import { bytesOf, experimentFolder, keepWorking, startRun, temporary } from './queue-run.ts';
import { QUEUE_SERVERS, startQueueServer } from './queue-server.ts';

/**
 * ASSAY_FIRE=10 makes ten rounds on each queue server, each with its own seed, and prints a table. Without it nothing is
 * done: the other tests of queues have these troubles one at a time.
 */
const ROUNDS = Number(process.env['ASSAY_FIRE'] ?? 0);
const ITEMS = 300;
const UNRULY = {
  seed: 11,
  latencyMs: [150, 450],
  passing: { 'rate-ms': 0.02, 'server-error': 0.02, dropped: 0.02 },
  lasting: { schema: 0.02, 'no-json-content': 0.02 },
} as const;

const target = (url: string): string => `{ use: graph-extractor, model: openai-compatible/unruly, baseUrl: '${url}' }`;

/** The same sequence for a seed, on every machine (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

let undisturbed: Record<string, string> = {};
beforeAll(async () => {
  if (ROUNDS === 0) return;
  const model = await startUnrulyServer({ ...UNRULY, latencyMs: [1, 2] });
  const folder = experimentFolder(ITEMS, target(model.url));
  await startRun(folder, null, '--quiet').ended;
  undisturbed = bytesOf(folder);
  return () => model.close();
});

describe.runIf(ROUNDS > 0).each(QUEUE_SERVERS)('kills and stalls on %s', (kind) => {
  test.each(Array.from({ length: Math.max(1, ROUNDS) }, (_, round) => round + 1))(
    'round %i: the bytes are those of one process, and every call that was paid is accounted for',
    async (round) => {
      const server = await startQueueServer(kind);
      onTestFinished(() => server.close());
      const model = await startUnrulyServer(UNRULY);
      onTestFinished(() => model.close());
      const folder = temporary(experimentFolder(ITEMS, target(model.url)));
      const chance = seeded(round * 97 + (kind === 'redis' ? 0 : 1));
      const counts = { workers: 0, coordinators: 0, stalls: 0, servers: 0 };
      const workers = [1, 2, 3].map(() => keepWorking(folder, server.url));
      let run = startRun(folder, server.url, '--quiet');
      const disturb = async (): Promise<void> => {
        const kindOfTrouble = chance();
        const worker = workers[Math.floor(chance() * workers.length)]!;
        if (kindOfTrouble < 0.45) {
          worker.child().kill('SIGKILL');
          counts.workers += 1;
        } else if (kindOfTrouble < 0.65) {
          run.child.kill('SIGKILL');
          await run.ended;
          run = startRun(folder, server.url, '--quiet');
          counts.coordinators += 1;
        } else if (kindOfTrouble < 0.85) {
          // Longer than `--lost-after` of these workers: its jobs go to others while it sleeps.
          const child = worker.child();
          child.kill('SIGSTOP');
          await sleep(6000);
          child.kill('SIGCONT');
          counts.stalls += 1;
        } else {
          await server.restart(1000);
          counts.servers += 1;
        }
      };
      for (let trouble = 0; trouble < 7; trouble += 1) {
        await sleep(400 + chance() * 1600);
        if (run.child.exitCode !== null) break;
        await disturb();
      }
      const deadline = sleep(180_000, 'did not end within three minutes', { ref: false });
      let end = await Promise.race([run.ended, deadline]);
      // A run that begins while its server is away says so and ends: somebody begins it again.
      while (end === 2 && run.text().includes('cannot reach the queue')) {
        await sleep(1000);
        run = startRun(folder, server.url, '--quiet');
        end = await Promise.race([run.ended, deadline]);
      }
      expect([end, run.text()]).toEqual([0, expect.any(String)]);
      for (const worker of workers) await worker.stop();

      const { paid, contents } = await model.stats();
      const twice = Object.values(contents).filter((content) => content.paid > 1).length;
      const {
        answered,
        failed,
        calls,
        lostCalls = 0,
      } = JSON.parse(readFileSync(join(folder, 'runs/queued/summary.json'), 'utf8')) as ExperimentSummary;
      const sameBytes = JSON.stringify(bytesOf(folder)) === JSON.stringify(undisturbed);
      console.log(
        `| ${kind} | ${round} | ${counts.workers} | ${counts.stalls} | ${counts.coordinators} | ${counts.servers} | ${paid} | ${twice} | ${calls.made} | ${lostCalls} | ${sameBytes ? 'equal' : 'DIFFERENT'} |`,
      );
      expect(sameBytes).toBe(true);
      expect(answered + failed).toBe(ITEMS);
      // Whatever was paid is a call that was made or one that was begun.
      expect(calls.made + lostCalls).toBeGreaterThanOrEqual(paid);
    },
    300_000,
  );
});
