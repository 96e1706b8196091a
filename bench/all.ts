/** All benchmarks, each in a process of its own: `npm run bench`; a number makes the corpus of the first that large. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

for (const name of ['score.ts', 'intervals.ts', 'stream.ts', 'experiment.ts', 'sweep.ts', 'report.ts']) {
  const { status } = spawnSync(
    process.execPath,
    [...process.execArgv, join(import.meta.dirname, name), ...process.argv.slice(2)],
    { stdio: 'inherit' },
  );
  if (status !== 0) process.exitCode = status ?? 1;
  console.log('');
}
