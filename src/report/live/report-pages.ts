import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { compareRuns } from '../../runs/compare-runs.ts';
import { buildReport } from '../html/build-report.ts';
import type { OpenableRun } from './live-state.ts';

const KEPT = 4;
/** The policy stands in the first lines. */
const POLICY_WITHIN = 4096;
const CLOSED = Buffer.from("default-src 'none';");
const ASKING = Buffer.from("default-src 'none'; connect-src 'self';");

type Page = readonly Uint8Array[];

/**
 * The screens of runs as a server shows them: the file that stands in a run folder, or one made for the occasion. They may
 * ask this server whether anything has changed, which a file on a disk has nobody to ask.
 */
export class ReportPages {
  readonly #made = new Map<string, Promise<Page>>();

  async ofRun({ folder, run }: OpenableRun): Promise<Page> {
    const file = await readFile(join(folder, 'report.html')).catch(() => null);
    if (file !== null) return asking([file]);
    return this.#once(`run ${run.path} ${run.version}`, () => made([folder]));
  }

  ofComparison(runs: readonly OpenableRun[], force: boolean): Promise<Page> {
    const key = `compare ${force ? 'all' : 'alike'} ${runs.map(({ run }) => `${run.path} ${run.version}`).join(' ')}`;
    return this.#once(key, () =>
      made(
        runs.map(({ folder }) => folder),
        force,
      ),
    );
  }

  #once(key: string, make: () => Promise<Page>): Promise<Page> {
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const page = make();
    this.#made.set(key, page);
    // What failed is tried again, and of what was made the newest few are kept.
    page.catch(() => this.#made.delete(key));
    for (const old of [...this.#made.keys()].slice(0, -KEPT)) this.#made.delete(old);
    return page;
  }
}

async function made(folders: readonly string[], force = false): Promise<Page> {
  const comparison = folders.length < 2 ? null : await compareRuns(folders, { slices: true, force });
  const pieces: Uint8Array[] = [];
  await buildReport(folders, { comparison, write: (piece) => pieces.push(Buffer.from(piece, 'utf8')) });
  return asking(pieces);
}

function asking([first, ...rest]: Page): Page {
  if (first === undefined) return [];
  const head = Buffer.from(first.subarray(0, POLICY_WITHIN));
  const at = head.indexOf(CLOSED);
  if (at < 0) return [first, ...rest];
  return [first.subarray(0, at), ASKING, first.subarray(at + CLOSED.length), ...rest];
}
