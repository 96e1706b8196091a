import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll } from 'vitest';

import { score } from '../../../src/report/score.ts';
import { BIN, ROOT } from '../../cli/run-assay.ts';

const JOURNAL = join(ROOT, 'examples/journal');

/** A folder of runs for the tests of a file. */
export interface ServedFolder {
  /** Below it are `runs` and `data`. */
  readonly place: string;
  /** Scores the example into a run. `b` has better predictions. */
  score(name: string, predictions?: 'a' | 'b', set?: readonly string[]): Promise<void>;
}

export interface Served {
  readonly url: string;
  readonly link: string;
  stop(): Promise<void>;
}

export function useServedFolder(): ServedFolder {
  let place = '';
  beforeAll(() => {
    place = mkdtempSync(join(tmpdir(), 'assay-served-'));
  });
  // Thousands of files, on a machine that others use too.
  afterAll(() => rmSync(place, { recursive: true, force: true }), 120_000);
  return {
    get place() {
      return place;
    },
    async score(name, predictions = 'a', set = []) {
      await score(
        'journal/ashwam',
        {
          cases: join(JOURNAL, 'journals.jsonl'),
          gold: join(JOURNAL, 'gold.jsonl'),
          predictions: join(JOURNAL, predictions === 'a' ? 'predictions.jsonl' : 'predictions-b.jsonl'),
        },
        { out: join(place, 'runs', name), set: ['interval.resamples=200', ...set] },
      );
    },
  };
}

/** The real command over a folder, until it is stopped or the tests of the file are over. */
export async function serveFolder(place: string, args: readonly string[] = []): Promise<Served> {
  const port = args.includes('--port') ? [] : ['--port', '0'];
  const flags = [...port, '--json', '--runs', join(place, 'runs'), '--data', join(place, 'data'), ...args];
  const child = spawn(process.execPath, [BIN, 'serve', ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  let told = '';
  child.stderr.on('data', (part: Buffer) => (told += part.toString()));
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (part: Buffer) => resolve(part.toString()));
    child.once('exit', () => reject(new Error(`assay serve ended: ${told}`)));
  });
  const { url, link } = JSON.parse(line) as { url: string; link: string };
  return {
    url,
    link,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
