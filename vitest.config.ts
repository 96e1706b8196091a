import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const SLOW = 'test/**/*.slow.test.ts';
/** Half a minute and more each: one of them begun last would leave the other workers without work. */
const LONGEST = [
  'tools/package',
  'experiment/queue/queue',
  'cli/run/unruly',
  'report/browser/serve',
  'cli/run/batch',
  'tools/runtimes',
  'data/span-scanner',
  'experiment/queue/server-away',
  'cli/run/batch-money',
  'experiment/queue/server-refuses',
  'stats/ratio-coverage',
  'stats/null-comparison',
  'tools/container-build',
  'report/browser/looks',
].map((name) => `/test/${name}.slow.test.ts`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(name));
      return at < 0 ? LONGEST.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  // `import 'assay'` means the sources here, as it does for tsc and tools/runtime/run.js. Without Vite's `module`, which
  // Node does not know either: packages have files there that only a bundler can read.
  ssr: { resolve: { conditions: ['assay-source', 'node', 'development|production'] } },
  test: {
    reporters: ['default'],
    pool: 'forks',
    // Vitest leaves one core free. Tests wait for processes, servers and pages, so one worker more than cores fills them.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    // Many tests start processes, and machines are shared.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        // One worker process for many files is several times quicker: tests put back what they change in `process`.
        test: { name: 'main', include: ['test/**/*.test.ts'], exclude: [SLOW], isolate: false },
      },
      {
        extends: true,
        // Pages are looked at until they show what they should, which takes what it takes where others run beside them.
        test: {
          name: 'slow',
          include: [SLOW],
          // Laws are tried more often than in the main suite: test/many-runs.ts.
          env: { MANY_RUNS: '1' },
          testTimeout: 300_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 30_000 } },
        },
      },
    ],
  },
});
