import { vi } from 'vitest';

import { judgeCommand } from '../../../src/cli/review/judge.ts';
import { UsageError } from '../../../src/data/problems.ts';
import { loadSnapshot, type ReviewSnapshot } from '../../../src/review/snapshot.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { temporaryFolder } from '../../cli/run-assay.ts';
import { makeReview } from '../../server/review/serving-review.ts';
import { type Answering, judgeServer } from './judge-server.ts';

export const KEY = 'sk-test-0123456789abcdef';

/** The garden review of makeReview in a store of its own. */
export function reviewFolder(name = 'pilot'): string {
  const folder = temporaryFolder();
  inStore(folder, (store) => makeReview(store, { name, people: [{ name: 'Asha' }, { name: 'Ravi' }] }));
  return folder;
}

export function inStore<T>(folder: string, work: (store: Store) => T): T {
  const store = openStore(folder);
  try {
    return work(store);
  } finally {
    store.close();
  }
}

export const snapshotOf = (folder: string): ReviewSnapshot => inStore(folder, (store) => loadSnapshot(store, 'pilot'));

export interface JudgingResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly error: string | null;
  /** What it says should be done. */
  readonly next: string | null;
}

/** The command within this process, on the review `pilot`, without a terminal. */
export const judge = (folder: string, url: string, ...more: string[]): Promise<JudgingResult> =>
  judgeReview('pilot', folder, url, ...more);

/** A review with a model's server; `ask` is the command with the words of a line. */
export async function judging(answer: Answering) {
  const folder = reviewFolder();
  const server = await judgeServer(answer);
  const ask = (line: string, ...more: string[]) => judge(folder, server.url, ...line.split(' '), ...more);
  return { folder, server, ask };
}

export async function judgeReview(
  name: string,
  folder: string,
  url: string,
  ...more: string[]
): Promise<JudgingResult> {
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((chunk) => {
      written[stream] += String(chunk);
      return true;
    }),
  );
  vi.stubEnv('OPENAI_COMPATIBLE_API_KEY', KEY);
  vi.stubEnv('OPENAI_API_KEY', KEY);
  const model = more.includes('--model') ? [] : ['--model', 'openai-compatible/test'];
  const flags = [...model, '--base-url', url, '--data', folder, ...more];
  try {
    await judgeCommand(() => {})
      .exitOverride()
      .parseAsync([name, ...flags], { from: 'user' });
    return { ...written, error: null, next: null };
  } catch (error) {
    return { ...written, error: String(error), next: error instanceof UsageError ? error.next : null };
  } finally {
    vi.unstubAllEnvs();
    for (const spy of spies) spy.mockRestore();
  }
}
