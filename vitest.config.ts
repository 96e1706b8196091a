import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';

const SLOW = 'test/**/*.slow.test.ts';

export default defineConfig({
  // `import 'assay'` means the sources here, as it does for tsc and tools/runtime/run.js. Without Vite's `module`, which
  // Node does not know either: packages have files there that only a bundler can read.
  ssr: { resolve: { conditions: ['assay-source', 'node', 'development|production'] } },
  test: {
    reporters: ['default'],
    pool: 'forks',
    // Vitest leaves one core free, which on two is half of them.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Many tests start processes, and machines are shared.
    testTimeout: 60_000,
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
