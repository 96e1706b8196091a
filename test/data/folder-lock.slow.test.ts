import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { LOCK_FILE } from '../../src/data/folder-lock.ts';
import { PROCESS, startOf } from '../../src/data/is-alive.ts';
import { temporaryFolder } from '../cli/run-assay.ts';

const RACERS = 6;
const ROUNDS = 150;
const DEAD = `999999999 5 ${PROCESS.machine} ${PROCESS.host} 00 2026-11-19T18:00:00.000Z 2026-11-19T18:00:00.000Z\n`;
const REUSED = DEAD.replace('999999999 5', `${process.pid} ${Number(startOf(process.pid) ?? 0) + 1}`);

async function answer(racer: ChildProcess): Promise<string> {
  return String(((await once(racer, 'message')) as [unknown])[0]);
}

it('of several processes at once exactly one takes a folder, also one that a dead process held', async () => {
  const place = temporaryFolder();
  const racers = Array.from({ length: RACERS }, () => fork(join(import.meta.dirname, 'lock-racer.ts')));
  onTestFinished(() => racers.forEach((racer) => void racer.kill('SIGKILL')));
  await Promise.all(racers.map(answer));
  const tell = async (message: string | null): Promise<string[]> => {
    const answers = Promise.all(racers.map(answer));
    for (const racer of racers) racer.send(message as string);
    return await answers;
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const folder = join(place, String(round));
    mkdirSync(folder);
    const lock = join(folder, LOCK_FILE);
    // Nobody's, a dead process's, that of one whose number was given away, and one that died while it took over.
    const left = ['', DEAD, REUSED, DEAD][round % 4]!;
    if (left !== '') writeFileSync(lock, left);
    if (round % 4 === 3) writeFileSync(`${lock}.next`, DEAD);
    const answers = await tell(folder);
    expect(
      answers.filter((one) => one === 'taken'),
      `round ${round}`,
    ).toHaveLength(1);
    for (const one of answers)
      expect(one).toMatch(
        /^taken$|is being written to by another process \(\d+\) since \S+, which holds .*\.assay-lock/,
      );
    await tell(null);
    expect(readdirSync(folder)).toEqual([]);
  }
});
