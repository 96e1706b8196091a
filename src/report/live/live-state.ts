import { basename, resolve, sep } from 'node:path';

import { UsageError } from '../../data/problems.ts';
import type { Store } from '../../store/store.ts';
import { findFolders, type FoundFolder } from './find-folders.ts';
import type { Live, LiveExperiment, LiveReview, LiveRun } from './live-data.ts';
import { LiveExperiments } from './live-experiment.ts';
import { liveReviews } from './live-review.ts';
import { LiveRuns } from './live-run.ts';

/** Many pages may ask at once; what is this fresh is answered again. */
const FRESH_MS = 500;

/** A run that can be opened: where it is, and what it was when it was looked at. */
export interface OpenableRun {
  readonly folder: string;
  readonly run: LiveRun;
}

/** What is in a folder of runs and in a store, looked at again whenever somebody asks. */
export class LiveState {
  readonly #root: string;
  readonly #store: Store;
  readonly #runs = new LiveRuns();
  readonly #experiments = new LiveExperiments();
  #last: { readonly at: number; readonly look: Promise<Looked> } | null = null;

  constructor(root: string, store: Store) {
    this.#root = resolve(root);
    this.#store = store;
  }

  async live(): Promise<Live> {
    return (await this.#look()).live;
  }

  /** The run of a path of the list; null for any other path, so that no request ever names a place on the disk. */
  async run(path: string): Promise<OpenableRun | null> {
    const { folders, live } = await this.#look();
    const run = live.runs.find((one) => one.path === path && one.state === 'ready');
    const folder = folders.get(path);
    return run === undefined || folder === undefined ? null : { folder, run };
  }

  /** A sentence without the place of the folder, which is nobody's business who looks from elsewhere. */
  withoutRoot(sentence: string): string {
    return sentence.replaceAll(`${this.#root}${sep}`, '').replaceAll(this.#root, '.');
  }

  #look(): Promise<Looked> {
    const now = Date.now();
    if (this.#last === null || now - this.#last.at > FRESH_MS) this.#last = { at: now, look: this.#looked() };
    return this.#last.look;
  }

  async #looked(): Promise<Looked> {
    const { found, cut } = await findFolders(this.#root);
    const runs = await this.#liveRuns(found);
    const paths = new Set(runs.map(({ path }) => path));
    const experiments: LiveExperiment[] = [];
    for (const folder of found)
      if (folder.kind === 'experiment') experiments.push(await this.#experiments.of(folder, paths));
    const known = new Set(experiments.map(({ name }) => name));
    const notices = cut ? ['There are too many folders to look at them all: serve one further down.'] : [];
    const reviews: LiveReview[] = [];
    try {
      experiments.push(...this.#experiments.stored(this.#store, known));
      reviews.push(...liveReviews(this.#store));
    } catch (error) {
      // Held by another program, or damaged: the runs can be looked at all the same.
      if (!(error instanceof UsageError)) throw error;
      notices.push('The store cannot be read at the moment.');
    }
    return {
      folders: new Map(found.filter(({ kind }) => kind === 'run').map(({ path, folder }) => [path, folder])),
      live: { folder: basename(this.#root), runs, experiments, reviews, notices },
    };
  }

  async #liveRuns(found: readonly FoundFolder[]): Promise<LiveRun[]> {
    const runs: LiveRun[] = [];
    for (const folder of found) if (folder.kind !== 'experiment') runs.push(await this.#runs.of(folder));
    return runs;
  }
}

interface Looked {
  readonly folders: ReadonlyMap<string, string>;
  readonly live: Live;
}
