import { openLineLog } from '../../../src/experiment/run/line-log.ts';
import { z } from 'zod';

/** Opens a log again and again, and confirms each line that it has written. */
const [path = '', rounds = '0'] = process.argv.slice(2);
const kind = { schema: z.unknown(), message: 'no JSON', next: 'remove it' };
for (let round = 0; round < Number(rounds); round += 1) {
  const log = await openLineLog(path, kind, () => undefined);
  await Promise.all([0, 1, 2].map((n) => log.append({ pid: process.pid, round, n, text: 'x'.repeat(5000) })));
  process.stdout.write(`${process.pid} ${round}\n`);
  await log.close();
}
