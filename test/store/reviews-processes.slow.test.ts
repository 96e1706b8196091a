import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';

import { expect, it } from 'vitest';

import { PILOT } from './reviews-scratch.ts';
import { scratchFolder, scratchStore } from './scratch-store.ts';

const MAIN = fileURLToPath(new URL('reviews-writer-main.ts', import.meta.url));
const ROUNDS = 40;

async function review(folder: string, name: string, person: string): Promise<unknown> {
  const args = ['--conditions=assay-source', MAIN, folder, name, person, String(ROUNDS)];
  const [code]: unknown[] = await once(
    spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] }),
    'exit',
  );
  return code;
}

it('four processes that review at once, two of them the same person on the same item, lose nothing', async () => {
  const folder = scratchFolder();
  const { reviews, file } = scratchStore(folder);
  const { id } = reviews.create(PILOT);
  const writers = [
    ['w1', 'anna'],
    ['w2', 'anna'],
    ['w3', 'ben'],
    ['w4', 'ben'],
  ] as const;
  expect(await Promise.all(writers.map(([name, person]) => review(folder, name, person)))).toEqual([0, 0, 0, 0]);

  const history = reviews.history(id);
  // Two of each round are a writer's own, and one is both processes' of a person.
  expect(history).toHaveLength(4 * 2 * ROUNDS + 2 * ROUNDS);
  expect(history.map(({ seq }) => seq)).toEqual(Array.from(history, (_, at) => at + 1));
  expect(history.map(({ at }) => at)).toEqual(history.map(({ at }) => at).toSorted());
  for (const [name] of writers)
    expect(history.filter(({ field }) => field === `of ${name}`).map(({ value }) => value)).toEqual(
      Array.from({ length: ROUNDS }, (_, at) => at),
    );
  for (const person of ['anna', 'ben']) {
    const cells = new Map(reviews.state('a', person)?.cells.map(({ field, value }) => [field, value]));
    const names = writers.filter(([, own]) => own === person).map(([name]) => name);
    expect([...cells.keys()].toSorted()).toEqual(['comment', ...names.map((name) => `of ${name}`), 'shared']);
    expect(names.map((name) => cells.get(`of ${name}`))).toEqual([ROUNDS - 1, ROUNDS - 1]);
    expect(cells.get('shared')).toBe(ROUNDS - 1);
    const last = reviews.history(id, { personId: person, field: 'comment' }).at(-1);
    expect(cells.get('comment')).toBe(last?.value);
  }
  const raw = new DatabaseSync(file, { readOnly: true });
  expect(raw.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  expect(raw.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
  raw.close();
});
