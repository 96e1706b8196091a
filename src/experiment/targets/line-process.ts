import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

import { isRecord } from '../../data/record-fields.ts';
import { errorCode } from '../../data/source.ts';
import { shorten, visible } from '../../data/visible.ts';
import type { Environment } from '../models/access.ts';
import { parseJson } from './json-text.ts';
import { LastWords } from './last-words.ts';
import { LineSplitter } from './line-splitter.ts';
import { fieldsWithoutSecrets, withoutSecrets } from '../models/secrets.ts';
import { TargetError } from './target.ts';

export interface LineProgram {
  /** One text goes to the shell. */
  readonly command: readonly string[] | string;
  readonly cwd: string;
  readonly environment: Environment;
  readonly secrets: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

interface Waiting {
  readonly resolve: (said: Fields) => void;
  readonly reject: (error: TargetError) => void;
}

/** What was written just before the end is still on its way when the end is known. */
const LAST_WORDS_MS = 500;
/** How long it may take to end of itself. */
const PATIENCE_MS = 2000;

/**
 * A running program that is given one JSON line for each item and answers with one. It has a group of its own, so that
 * what it starts ends with it; where this process dies, it sees the end of its standard input.
 */
export class LineProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<string, Waiting>();
  readonly #secrets: readonly string[];
  readonly #end = Promise.withResolvers<void>();
  readonly #onFault: (reason: string) => void;
  readonly #lastWords: LastWords;
  #isOver = false;

  /** `onFault`: it ended of itself while it had items, or wrote what is no answer. Throws where it cannot be started. */
  constructor({ command, cwd, environment, secrets }: LineProgram, onFault: (reason: string) => void) {
    this.#secrets = secrets;
    this.#lastWords = new LastWords(secrets);
    this.#onFault = onFault;
    const [program = '', ...args] = typeof command === 'string' ? [command] : command;
    this.#child = spawn(program, args, {
      cwd,
      env: { ...environment },
      shell: typeof command === 'string',
      stdio: 'pipe',
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const { stdin, stdout, stderr } = this.#child;
    const lines = new LineSplitter(
      (line) => this.#take(line),
      (longest) => this.#fault(`the command wrote a line of more than ${longest >> 20} MiB`),
    );
    stdout.on('data', (chunk: Buffer) => lines.push(chunk));
    stderr.setEncoding('utf8').on('data', (text: string) => this.#lastWords.hear(text));
    // A pipe that breaks is the end of the program, which is told by the program's end.
    for (const stream of [stdin, stdout, stderr]) stream.on('error', () => undefined);
    this.#child.on('error', (error) => {
      this.#failAll('access', `the command cannot be started (${errorCode(error)})`);
      if (this.#child.pid === undefined) this.#end.resolve();
    });
    this.#child.on('exit', (code, signal) => {
      this.#isOver = true;
      const how = signal === null ? `exit code ${code ?? 0}` : signal;
      const waited = setTimeout(() => this.#ended(how), LAST_WORDS_MS);
      this.#child.on('close', () => {
        clearTimeout(waited);
        this.#ended(how);
      });
    });
  }

  /** No further item may be given to it. */
  get isOver(): boolean {
    return this.#isOver;
  }

  get inHand(): number {
    return this.#waiting.size;
  }

  /** Resolves when it is gone. */
  get ended(): Promise<void> {
    return this.#end.promise;
  }

  has(id: string): boolean {
    return this.#waiting.has(id);
  }

  /** What it says to a line. It has an id once at a time. */
  ask(id: string, line: string): Promise<Fields> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#child.stdin.write(`${line}\n`);
    });
  }

  /** Ends it at once; the items that it has fail for this reason. */
  abandon(reason: string): void {
    this.#failAll('program', reason);
    this.kill();
  }

  kill(): void {
    const { pid, exitCode, signalCode } = this.#child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    try {
      if (process.platform === 'win32') this.#child.kill('SIGKILL');
      else process.kill(-pid, 'SIGKILL');
    } catch {
      // It has ended in the meantime.
    }
  }

  /** Lets it end of itself, since nothing more will come, and sees to it that it does. */
  async close(): Promise<void> {
    this.#isOver = true;
    this.#child.stdin.end();
    const patience = setTimeout(() => this.kill(), PATIENCE_MS);
    await this.ended;
    clearTimeout(patience);
  }

  #take(line: string): void {
    // What it still says once nobody waits is of no interest.
    if (line.trim() === '' || (this.#isOver && this.#waiting.size === 0)) return;
    const { value, fault } = parseJson(line);
    if (!isRecord(value)) {
      const shown = withoutSecrets(line, this.#secrets);
      // What is wrong is told with words of the line.
      const why = fault === undefined ? 'no object' : (parseJson(shown).fault ?? 'not JSON');
      this.#fault(`the command wrote ${visible(shorten(shown, 80))}: ${why}. ${EXPECTED}`);
      return;
    }
    const id = typeof value['id'] === 'number' ? String(value['id']) : value['id'];
    const waiting = typeof id === 'string' ? this.#waiting.get(id) : undefined;
    if (waiting === undefined || typeof id !== 'string') {
      const which =
        typeof id === 'string'
          ? `the id ${visible(shorten(withoutSecrets(id, this.#secrets)))}, which it was not asked for`
          : 'no id';
      this.#fault(`the command gave an answer with ${which}. ${EXPECTED}`);
      return;
    }
    this.#waiting.delete(id);
    waiting.resolve(fieldsWithoutSecrets(value, this.#secrets));
  }

  #fault(message: string): void {
    this.#onFault(`${message}${this.#lastWords.tail}`);
    this.abandon(message);
  }

  #ended(how: string): void {
    const message = `the command ended (${how}) before it answered`;
    if (this.#waiting.size > 0) this.#onFault(`${message}${this.#lastWords.tail}`);
    this.#failAll('program', message);
    this.#end.resolve();
  }

  #failAll(kind: 'program' | 'access', message: string): void {
    this.#isOver = true;
    const told = `${message}${this.#lastWords.tail}`;
    for (const { reject } of this.#waiting.values()) reject(new TargetError({ kind, message: told }));
    this.#waiting.clear();
  }
}

const EXPECTED = 'Expected {"id": …, "output": …} on one line; anything else goes to stderr';
