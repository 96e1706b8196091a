import { hash } from 'node:crypto';

import { z } from 'zod';

import { UsageError } from '../../data/problems.ts';
import { sideBySide } from '../../experiment/limits/side-by-side.ts';
import { decidedConflicts } from '../../review/conflicts.ts';
import { reviewInputName } from '../../review/review-lines.ts';
import { reviewProgress } from '../../review/review-progress.ts';
import { taskTitle } from '../../recipe/task-title.ts';
import { unlessDamaged } from '../../store/cells.ts';
import type { Store } from '../../store/store.ts';
import { plural } from '../../text/figures.ts';
import { KeptAnswers } from '../kept-answers.ts';
import {
  type Live,
  type LiveExperiment,
  type LiveFolder,
  type LiveReview,
  type RunHistory,
  seriesOf,
} from './live-data.ts';
import { LiveExperiments } from './live-experiment.ts';
import { type KnownRun, LiveRuns } from './live-run.ts';
import { realpathSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, resolve, sep } from 'node:path';
import { isAlive } from '../../data/is-alive.ts';
import { PARTIAL } from '../../data/write-file.ts';
import { compareNatural } from '../../text/compare.ts';

/** Runs that are looked at side by side. */
const ABREAST = 64;
/** Experiments of the store that are listed. */
const MOST_STORED = 200;

/** A run that can be opened: where it is, and what it was when it was looked at. */
export interface OpenableRun extends KnownRun {
  readonly folder: string;
}

/** What is in the folder, as it is sent: with a tag that changes when it does. */
export interface LiveAnswer {
  readonly json: string;
  readonly tag: string;
}

/** What is in a folder of runs and in a store, looked at again with every request. */
export class LiveState {
  readonly #root: string;
  readonly #runs = new LiveRuns();
  readonly #experiments = new LiveExperiments();
  readonly #store: Store;
  /** Many pages may ask at once: one look at a time, and what is this fresh is answered again. */
  readonly #looks = new KeptAnswers<Looked>({ leastMs: 500, timesItsCost: 0 });
  /** A large store takes its time, and requests that write to it come first. */
  readonly #stored = new KeptAnswers<LiveStored>({ leastMs: 0, timesItsCost: 10 });

  constructor(root: string, store: Store) {
    this.#root = resolve(root);
    this.#store = store;
  }

  async live(): Promise<Live> {
    return (await this.#look()).live;
  }

  async answer(): Promise<LiveAnswer> {
    const looked = await this.#look();
    return (looked.answer ??= answerOf(looked.live));
  }

  /** The run of a path of the list; null for any other path, so that no request ever names a place on the disk. */
  async run(path: string): Promise<OpenableRun | null> {
    const { runs } = await this.#look();
    // It may have been made since.
    return runs.get(path) ?? (await this.#look(true)).runs.get(path) ?? null;
  }

  async history({ run }: OpenableRun): Promise<RunHistory> {
    const { runs } = await this.#look();
    const series = run.about === null ? null : seriesOf(run.about);
    const alike = [...runs.values()].filter((one) => one.run.about !== null && seriesOf(one.run.about) === series);
    return {
      task: run.about?.task ?? '',
      recipe: run.about?.recipe ?? '',
      runs: alike
        .map(({ run: { path, date, about }, figures }) => ({ path, date, assay: about?.assay ?? '', figures }))
        .sort((a, b) => a.date - b.date || compareNatural(a.path, b.path)),
    };
  }

  /** A sentence without the place of the folder, which remote viewers should not see. */
  withoutRoot(sentence: string): string {
    const roots = [this.#root, realPath(this.#root)];
    return roots.reduce((text, root) => text.replaceAll(`${root}${sep}`, '').replaceAll(root, '.'), sentence);
  }

  #look(fresh = false): Promise<Looked> {
    return this.#looks.get('', () => this.#looked(), fresh);
  }

  async #looked(): Promise<Looked> {
    const { found, cut, exists, isFile, links } = await findFolders(this.#root);
    const looked = found.filter(({ kind }) => kind !== 'experiment');
    const runs = merged(
      await sideBySide(looked, ABREAST, async (one) => ({ folder: one.folder, ...(await this.#runs.of(one)) })),
    );
    const openable = new Map(runs.filter(({ run }) => run.about !== null).map((one) => [one.run.path, one]));
    const experiments: LiveExperiment[] = [];
    for (const folder of found)
      if (folder.kind === 'experiment') experiments.push(await this.#experiments.of(folder, [...openable.keys()]));
    const folders = new Set(found.map(({ folder }) => folder));
    this.#runs.keep(folders);
    this.#experiments.keep(folders);
    const known = new Set(experiments.map(({ name }) => name));
    const notices = [
      ...(cut ? ['There are too many folders to look at them all: serve one further down.'] : []),
      ...(isFile ? ['What is served is a file: serve the folder that the runs are in.'] : []),
      ...(links > 0 ? [linkNotice(links)] : []),
    ];
    const reviews: LiveReview[] = [];
    try {
      const stored = await this.#stored.get('', () => Promise.resolve(storedParts(this.#store)));
      experiments.push(...stored.experiments.filter(({ name }) => !known.has(name)));
      for (const { answers, review } of stored.reviews) {
        const results = runs.filter(
          (run) =>
            run.review === reviewInputName(review.name) &&
            run.run.date >= review.created &&
            run.predictions.some((file) => answers.has(file)),
        );
        reviews.push({ ...review, runs: results.map(({ run }) => run.path) });
      }
    } catch (error) {
      // Held by another program, or damaged: the runs can be shown anyway.
      if (!(error instanceof UsageError)) throw error;
      notices.push('The store cannot be read at the moment.');
    }
    const folder = basename(this.#root);
    return {
      runs: openable,
      live: { folder, exists, runs: runs.map(({ run }) => run), experiments, reviews, notices },
      answer: null,
    };
  }
}

interface Looked {
  readonly runs: ReadonlyMap<string, OpenableRun>;
  readonly live: Live;
  answer: LiveAnswer | null;
}

function answerOf(live: Live): LiveAnswer {
  const json = JSON.stringify(live);
  return { json, tag: `"${hash('sha256', json, 'base64url')}"` };
}

/** A run that is being scored again is one: as it was, and being written. */
function merged(looked: readonly OpenableRun[]): OpenableRun[] {
  const writing = new Map(looked.filter(({ run }) => run.state === 'writing').map(({ run }) => [run.path, run]));
  const there = new Set(looked.filter(({ run }) => run.state !== 'writing').map(({ run }) => run.path));
  return looked.flatMap((one): OpenableRun[] => {
    const { run } = one;
    const again = writing.get(run.path);
    if (run.state === 'writing') return there.has(run.path) || again !== run ? [] : [one];
    return [again === undefined ? one : { ...one, run: { ...run, state: 'writing', written: again.written } }];
  });
}

function linkNotice(links: number): string {
  return `${plural(links, 'link')} ${links === 1 ? 'is' : 'are'} not followed: only what is in the folder itself is shown.`;
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

/** What a store has to show. */
interface LiveStored {
  readonly experiments: readonly LiveExperiment[];
  /** `answers`: hashes of the files with the answers that are reviewed. */
  readonly reviews: readonly { readonly review: Omit<LiveReview, 'runs'>; readonly answers: ReadonlySet<string> }[];
}

/** What `review create` records of where the items come from. */
const reviewOrigin = z.looseObject({
  recipe: z.string().nullable().catch(null),
  files: z.array(z.looseObject({ role: z.string(), sha256: z.string() })).catch([]),
});
const WITHOUT_ANSWERS: ReadonlySet<string> = new Set(['cases', 'items', 'gold']);

/** Experiments and reviews as lists show them. The answers of reviewers are for `assay review serve` only. */
function storedParts(store: Store): LiveStored {
  const { rows } = store.runs.experiments({}, { page: 1, limit: MOST_STORED });
  const experiments = rows.map(({ name, items, startTime, endTime, datasetId }): LiveExperiment => ({
    path: null,
    name,
    dataset: datasetId === null ? null : (unlessDamaged(() => store.datasets.byId(datasetId))?.name ?? null),
    state: 'stored',
    done: items,
    failed: 0,
    total: null,
    runs: [],
    changed: Date.parse(endTime ?? startTime) || null,
    started: Date.parse(startTime) || null,
    spent: null,
    scores: [],
  }));
  const reviews = store.reviews.list().map(({ id, name, task, createdAt, origin }) => {
    const { items, people, total: assigned, begun, done: finished } = reviewProgress(store, id);
    const { recipe = null, files = [] } = reviewOrigin.safeParse(origin).data ?? {};
    const answers = new Set(files.filter(({ role }) => !WITHOUT_ANSWERS.has(role)).map(({ sha256 }) => sha256));
    const review = {
      name,
      task: taskTitle(task),
      recipe,
      created: Date.parse(createdAt),
      items,
      people,
      assigned,
      begun,
      finished,
      decided: decidedConflicts(store, { id, name }),
    };
    return { review, answers };
  });
  return { experiments, reviews };
}

interface FolderSearch {
  readonly found: LiveFolder[];
  readonly cut: boolean;
  readonly exists: boolean;
  readonly isFile: boolean;
  readonly links: number;
}

const DEEPEST = 5;
const MOST_FOLDERS = 5000;
const MOST_LINKS = 1000;
const PASSED_OVER = /^\.|^node_modules$|\.replaced-\d+$/;

/**
 * Runs and experiments below a folder, in natural order. Links are not followed, to folders or files: only what is in
 * the folder itself is shown.
 */
async function findFolders(root: string): Promise<FolderSearch> {
  const top = await realpath(root).catch(() => null);
  if (top === null || !(await isFolder(top)))
    return { found: [], cut: false, exists: false, isFile: top !== null, links: 0 };
  let left = MOST_FOLDERS;
  let links = 0;
  const look = async (folder: string, path: string, depth: number): Promise<LiveFolder[]> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const has = (file: string): boolean => entries.some((entry) => entry.name === file && entry.isFile());
    const own = path === '' ? '.' : path;
    if (has('manifest.json')) return [{ path: own, folder, kind: 'run' }];
    const found: LiveFolder[] = has('experiment.json') ? [{ path: own, folder, kind: 'experiment' }] : [];
    if (depth === DEEPEST) return found;
    for (const { name } of entries.filter((entry) => entry.isSymbolicLink() && !PASSED_OVER.test(entry.name)))
      if (links < MOST_LINKS && (await isFolder(join(folder, name)))) links += 1;
    const inner = entries
      .filter((entry) => entry.isDirectory() && !PASSED_OVER.test(entry.name))
      .map(({ name }) => name)
      .sort(compareNatural)
      .slice(0, left);
    left -= inner.length;
    const below = await Promise.all(
      inner.map(async (name) => {
        const place = path === '' ? name : `${path}/${name}`;
        const making = PARTIAL.exec(name);
        if (making === null) return await look(join(folder, name), place, depth + 1);
        // What an ended process left is not a run.
        return isAlive(Number(making[1]))
          ? [{ path: place.replace(PARTIAL, ''), folder: join(folder, name), kind: 'writing' as const }]
          : [];
      }),
    );
    return [...found, ...below.flat()];
  };
  const found = await look(top, '', 0);
  return { found, cut: left === 0, exists: true, isFile: false, links };
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() === true;
}
