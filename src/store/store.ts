import { join } from 'node:path';

import { AnnotationQueues } from './annotation-queues.ts';
import { type BackedUp, backUp } from './back-up.ts';
import { Comments } from './comments.ts';
import type { Database } from './database.ts';
import { Datasets } from './datasets.ts';
import { Media } from './media.ts';
import { isReadableOnly, openDatabase, openReadOnly } from './open-database.ts';
import { Prompts } from './prompts.ts';
import { Reviews } from './reviews.ts';
import { Runs } from './runs.ts';
import { ScoreConfigs } from './score-configs.ts';
import { Scores } from './scores.ts';
import { Traces } from './traces.ts';

export type { BackedUp } from './back-up.ts';
export type { Page, Paged } from './store-part.ts';

export const STORE_FILE = 'store.db';
export const DEFAULT_DATA_FOLDER = '.assay';

/**
 * Opens the store of a folder, making what is missing and bringing older tables up to date. What is newer, damaged or
 * no store at all is a UsageError, and is left as it is. A store that cannot be written is open for reading, and so is
 * one with `readOnly`: whatever would change it is refused.
 */
export function openStore(folder: string, { readOnly = false }: { readonly readOnly?: boolean } = {}): Store {
  const file = join(folder, STORE_FILE);
  const isReadOnly = readOnly || isReadableOnly(file);
  return new Store(folder, isReadOnly ? openReadOnly(file) : openDatabase(file), isReadOnly);
}

/** Datasets, prompts, traces, scores, runs and reviews, in one SQLite file that several processes may have open. */
export class Store {
  readonly folder: string;
  readonly file: string;
  readonly readOnly: boolean;
  readonly datasets: Datasets;
  readonly prompts: Prompts;
  readonly traces: Traces;
  readonly scores: Scores;
  readonly scoreConfigs: ScoreConfigs;
  readonly runs: Runs;
  readonly reviews: Reviews;
  readonly comments: Comments;
  readonly annotationQueues: AnnotationQueues;
  readonly media: Media;
  readonly #database: Database;

  constructor(folder: string, database: Database, readOnly = false) {
    this.folder = folder;
    this.readOnly = readOnly;
    this.file = database.file;
    this.#database = database;
    this.datasets = new Datasets(database);
    this.prompts = new Prompts(database);
    this.traces = new Traces(database);
    this.scores = new Scores(database);
    this.scoreConfigs = new ScoreConfigs(database);
    this.runs = new Runs(database);
    this.reviews = new Reviews(database);
    this.comments = new Comments(database);
    this.annotationQueues = new AnnotationQueues(database);
    this.media = new Media(database);
  }

  /** All of it or nothing. One within another is a part of that. */
  transaction<T>(work: () => T): T {
    return this.#database.transaction(work);
  }

  /** Brings what was written into the file itself, as far as nobody else holds it up; whether all of it is there. */
  checkpoint(): boolean {
    return this.#database.checkpoint();
  }

  /** A copy of everything as it is now, also while others write. The file must not be there yet, unless it may go. */
  backUp(file: string, { overwrite = false }: { readonly overwrite?: boolean } = {}): BackedUp {
    return backUp(this.#database, file, overwrite);
  }

  /** Afterwards the file alone is everything, so that a copy of it is a backup, unless others still have it open. */
  close(): void {
    this.#database.close();
  }
}
