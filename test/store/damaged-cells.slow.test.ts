import { describe, expect, it, vi } from 'vitest';

import { UsageError } from '../../src/data/problems.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { StoreConflict } from '../../src/store/store-conflict.ts';
import { assayHere } from '../cli/assay-here.ts';
import { DAMAGES, damagedStores } from './damage-cells.ts';
import { fillStore, TRACE } from './filled-store.ts';
import { ALL, scratchFolder } from './scratch-store.ts';

/** Lists: a row that cannot be read is left out. */
const READS: Readonly<Record<string, (store: Store) => unknown>> = {
  'datasets.list': ({ datasets }) => datasets.list(ALL, { archived: true }),
  'datasets.listItems': ({ datasets }) => datasets.listItems({}, ALL),
  'prompts.list': ({ prompts }) => [prompts.list({}, ALL), prompts.list({ tag: 't', label: 'production' }, ALL)],
  'traces.list': ({ traces }) => [traces.list({}, ALL), traces.list({ tags: ['x'], userId: 'u' }, ALL)],
  'traces.observationsOf': ({ traces }) => traces.observationsOf(TRACE),
  'traces.listObservations': ({ traces }) => traces.listObservations({}, ALL),
  'scores.list': ({ scores }) => [scores.list({}, ALL), scores.list({ value: 0, operator: '>' }, ALL)],
  'scores.ofTrace': ({ scores }) => scores.ofTrace(TRACE),
  'runs.traces': ({ runs }) => runs.traces({ datasetName: 'd' }, ALL),
  'runs.experiments': ({ runs }) => runs.experiments({}, ALL),
  'runs.experimentItems': ({ runs }) => runs.experimentItems({}, ALL),
  'reviews.list': ({ reviews }) => reviews.list(),
};

/** One thing, or what figures are made of: where a cell is damaged it is refused with a word for the user. */
const CAREFUL_READS: Readonly<Record<string, (store: Store) => unknown>> = {
  'datasets.get': ({ datasets }) => datasets.get('d'),
  'datasets.item': ({ datasets }) => datasets.item('i1'),
  'traces.get': ({ traces }) => traces.get(TRACE),
  'traces.observation': ({ traces }) => traces.observation('observation-0'),
  'scores.get': ({ scores }) => scores.get('s0'),
  'runs.get': ({ runs }) => runs.get('d', 'r'),
  'runs.list': ({ runs }) => runs.list('d', ALL),
  'runs.items': ({ runs }) => runs.items(runs.get('d', 'r')?.id ?? ''),
  'datasets.items': ({ datasets }) => [...datasets.items('d', { archived: true })],
  'datasets.version': ({ datasets }) => datasets.version('d'),
  'datasets.versions': ({ datasets }) => datasets.versions('d'),
  'prompts.get': ({ prompts }) => prompts.get('p'),
  'reviews.find': ({ reviews }) => reviews.find('pilot'),
  'reviews.people': ({ reviews }) => reviews.people('review-pilot'),
  'reviews.items': ({ reviews }) => reviews.items('review-pilot'),
  'reviews.assignments': ({ reviews }) => reviews.assignments('review-pilot'),
  'reviews.states': ({ reviews }) => reviews.states('review-pilot'),
  'reviews.history': ({ reviews }) => reviews.history('review-pilot'),
  'reviews.decisions': ({ reviews }) => reviews.decisions('review-pilot'),
  'reviews.decisionHistory': ({ reviews }) => reviews.decisionHistory('review-pilot'),
  'reviews.judgements': ({ reviews }) => reviews.judgements('review-pilot'),
};

/** The commands that list, and some that look at one thing. */
const COMMANDS = [
  ['dataset', 'list', '--local', '--archived'],
  ['dataset', 'show', 'd', '--local'],
  ['dataset', 'version', 'd', '--local'],
  ['dataset', 'traces', 'd'],
  ['dataset', 'export', 'd', '--local'],
  ['prompt', 'list', '--local'],
  ['prompt', 'show', 'p', '--local'],
  ['review', 'status'],
  ['review', 'status', 'pilot'],
  ['review', 'links', 'pilot'],
  ['review', 'history', 'pilot'],
] as const;

describe('a cell that cannot be read', () => {
  it('never makes a read fail with anything but a word for the user', { timeout: 600_000 }, () => {
    const folder = scratchFolder();
    fillStore(folder);
    const said = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
    let seen = 0;
    try {
      for (const { folder: copy, what } of damagedStores(folder, scratchFolder(), DAMAGES.slice(0, 3))) {
        seen += 1;
        const store = openStore(copy, { readOnly: true });
        for (const [name, read] of Object.entries(READS))
          expect(() => read(store), `${name} with ${what}`).not.toThrow();
        for (const [name, read] of Object.entries(CAREFUL_READS))
          expect(
            problemOf(() => read(store)),
            `${name} with ${what}`,
          ).toBeNull();
        store.close();
      }
    } finally {
      said.mockRestore();
    }
    // Some columns refuse some of the three.
    expect(seen).toBeGreaterThan(300);
  });

  it('never makes a command fail with a bug of ours', { timeout: 600_000 }, async () => {
    const folder = scratchFolder();
    fillStore(folder);
    for (const { folder: copy, what } of damagedStores(folder, scratchFolder(), DAMAGES.slice(0, 1))) {
      for (const args of COMMANDS) {
        const { code, stderr } = await assayHere([...args, '--data', copy], { cwd: copy });
        expect([0, 2], `${args.join(' ')} with ${what}: ${stderr}`).toContain(code);
      }
    }
  });
});

/** Null where all is well, or where the user is told. */
function problemOf(read: () => unknown): unknown {
  try {
    read();
    return null;
  } catch (error) {
    return error instanceof UsageError || error instanceof StoreConflict ? null : error;
  }
}
