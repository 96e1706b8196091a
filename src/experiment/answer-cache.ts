import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { makeFolders } from '../data/write-file.ts';
import type { Fields } from '../data/item.ts';
import { UsageError } from '../data/problems.ts';
import { sortedJson } from '../data/sorted-json.ts';
import { harmless } from '../data/visible.ts';
import { resultCode } from '../store/sqlite-problem.ts';
import { answerShape, type TargetAnswer, type TargetCase } from './targets/target.ts';

export const CACHE_FILE = 'answers.db';

/** What an answer is kept under: sha256 of everything that affects it. Each sampling repeat has its own. */
export function answerKey(identity: Fields, { input, repeat }: Pick<TargetCase, 'input' | 'repeat'>): string {
  return hash('sha256', sortedJson({ identity, input, repeat }));
}

const BUSY_MS = 10_000;
// SQLITE_ERROR (its tables are not ours), SQLITE_CORRUPT, SQLITE_NOTADB: the file will not get better by waiting.
const DAMAGED: readonly number[] = [1, 11, 26];

/** Cached answers, shared by several processes. A damaged or unwritable file is reported and never ends a run. */
export class AnswerCache {
  readonly #file: string;
  readonly #notice: (text: string) => void;
  readonly #said = new Set<string>();
  #database: DatabaseSync | null = null;
  /** Of the file that is open: one that another process has put in its place is another. */
  #inode = 0n;

  constructor(folder: string, notice: (text: string) => void = (text) => process.stderr.write(`assay: ${text}\n`)) {
    this.#file = join(folder, CACHE_FILE);
    this.#notice = notice;
    try {
      makeFolders(folder);
      this.#open();
    } catch (error) {
      const message = `cannot open the answer cache ${this.#file} (${errorText(error)})`;
      throw new UsageError(message, 'choose another place for it');
    }
  }

  /** What cannot be read is as good as not there. */
  get(key: string): TargetAnswer | null {
    const row = this.#tried((database) => database.prepare('SELECT answer FROM answers WHERE key = ?').get(key));
    try {
      return answerShape.parse(JSON.parse(String(row?.['answer'])));
    } catch {
      return null;
    }
  }

  put(key: string, answer: TargetAnswer): void {
    const text = JSON.stringify(answer);
    this.#tried((database) =>
      database.prepare('INSERT OR REPLACE INTO answers (key, answer) VALUES (?, ?)').run(key, text),
    );
  }

  close(): void {
    this.#database?.close();
    this.#database = null;
  }

  /** A cache that fails is one that has nothing. A damaged one is replaced first. */
  #tried<T>(work: (database: DatabaseSync) => T): T | null {
    if (this.#database === null) return null;
    try {
      try {
        return work(this.#database);
      } catch (error) {
        if (!isDamage(error)) throw error;
        this.close();
        if (this.#inode === inodeOf(this.#file)) this.#setAside();
        return work(this.#open());
      }
    } catch (error) {
      this.#say(`the answer cache ${this.#file} cannot be used (${errorText(error)}): the run goes on without it`);
      return null;
    }
  }

  #open(mayBeDamaged = true): DatabaseSync {
    // Answers can be as private as what was asked: a new file is for its owner only. One that is there is not touched:
    // closing it would drop the locks that other connections of this process have on it.
    if (!existsSync(this.#file)) closeSync(openSync(this.#file, 'a', 0o600));
    this.#inode = inodeOf(this.#file);
    const database = new DatabaseSync(this.#file, { timeout: BUSY_MS });
    try {
      // A process that is killed loses nothing that way; a power cut may cost the last answers.
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
      database.exec('CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, answer TEXT NOT NULL)');
      database.prepare('SELECT key, answer FROM answers LIMIT 0');
      return (this.#database = database);
    } catch (error) {
      database.close();
      if (!mayBeDamaged || !isDamage(error)) throw error;
      this.#setAside();
      return this.#open(false);
    }
  }

  #setAside(): void {
    let number = 1;
    while (existsSync(`${this.#file}.damaged-${number}`)) number += 1;
    const aside = `${this.#file}.damaged-${number}`;
    renameSync(this.#file, aside);
    // The log of one database must never be taken for that of the next.
    if (existsSync(`${this.#file}-wal`)) renameSync(`${this.#file}-wal`, `${aside}-wal`);
    rmSync(`${this.#file}-shm`, { force: true });
    this.#say(`the answer cache is damaged: it was set aside as ${aside}, and a new one begun`);
  }

  #say(text: string): void {
    if (!this.#said.has(text)) this.#notice(harmless(text));
    this.#said.add(text);
  }
}

function inodeOf(file: string): bigint {
  return statSync(file, { bigint: true }).ino;
}

function isDamage(error: unknown): boolean {
  return DAMAGED.includes(resultCode(error));
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
