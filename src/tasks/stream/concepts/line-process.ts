import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';

import { readLines } from '../../../data/lines.ts';
import { Problems, UsageError } from '../../../data/problems.ts';
import { errorCode } from '../../../data/source.ts';

/** What of its error output is kept, to show when it dies: the end says why. */
const KEPT_WORDS = 4000;
const SHOWN_LINES = 5;
const MOST_LINE_BYTES = 1 << 26;
const MOST_UNASKED = 1000;
/** How long it may take to end once its input has ended. */
const PATIENCE_MS = 3000;

export interface ProcessOptions {
  readonly command: readonly string[];
  /** What the process is, for messages: "scispaCy". */
  readonly what: string;
  /** What to do when it does not work. */
  readonly next: string;
  readonly startSeconds: number;
  readonly answerSeconds: number;
}

/** A process that says a line when it is ready and then answers each line with one line, one after the other. */
export class LineProcess {
  readonly #options: ProcessOptions;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Lines that came before they were asked for. */
  readonly #lines: string[] = [];
  #waiting: ((line: string | null) => void) | null = null;
  #ended = false;
  #spawnError: string | null = null;
  /** What it did that no answer does. */
  #fault: string | null = null;
  #words = '';
  /** Questions stand in line: the process answers one at a time. */
  #tail: Promise<unknown> = Promise.resolve();

  constructor(options: ProcessOptions) {
    this.#options = options;
    const [program, ...args] = options.command;
    this.#child = spawn(program!, args, { stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
    this.#child.on('error', (error) => {
      this.#spawnError = errorCode(error);
      this.#end();
    });
    // A process that is gone is noticed when its output ends; that its input is gone too is no news.
    this.#child.stdin.on('error', () => undefined);
    this.#child.stderr.on('data', (chunk: Buffer) => {
      this.#words = (this.#words + chunk.toString('utf8')).slice(-KEPT_WORDS);
    });
    void this.#listen();
    // Whoever waits for an answer holds a timer; a process that nobody asks must not keep the program from ending.
    this.#child.unref();
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr])
      if (stream instanceof Socket) stream.unref();
  }

  /** The first line, which says that it is ready. */
  ready(): Promise<string> {
    return this.#inTurn(() => this.#line(this.#options.startSeconds, 'did not get ready'));
  }

  ask(line: string): Promise<string> {
    return this.#inTurn(async () => {
      if (!this.#ended) this.#child.stdin.write(`${line}\n`);
      return this.#line(this.#options.answerSeconds, 'did not answer');
    });
  }

  /** Something is wrong with the process; its last words stand with it. */
  failure(message: string): UsageError {
    const { what, next, command } = this.#options;
    const words = this.#words.trim().split('\n').slice(-SHOWN_LINES);
    return new UsageError(
      [
        `${what} (${command.join(' ')}): ${message}`,
        ...(words[0] === '' ? [] : ['Its last words:', ...words.map((line) => `  ${line}`)]),
      ],
      next,
    );
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null || this.#spawnError !== null) return;
    const gone = new Promise<void>((done) => this.#child.once('exit', () => done()));
    this.#child.stdin.end();
    const late = setTimeout(() => this.#child.kill('SIGKILL'), PATIENCE_MS);
    await gone;
    clearTimeout(late);
  }

  /** A process that does not keep to the rules is not asked again. */
  kill(): void {
    this.#child.kill('SIGKILL');
    this.#end();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#tail.then(work);
    this.#tail = turn.catch(() => undefined);
    return turn;
  }

  async #line(seconds: number, late: string): Promise<string> {
    const line = this.#lines.shift() ?? (await this.#nextLine(seconds, late));
    if (line !== null) return line;
    if (this.#spawnError !== null) throw this.failure(`cannot be started (${this.#spawnError})`);
    if (this.#fault !== null) throw this.failure(this.#fault);
    const { exitCode, signalCode } = await this.#afterExit();
    throw this.failure(`ended ${signalCode === null ? `with exit code ${exitCode ?? 'unknown'}` : `by ${signalCode}`}`);
  }

  #nextLine(seconds: number, late: string): Promise<string | null> {
    if (this.#ended) return Promise.resolve(null);
    return new Promise((done, refuse) => {
      const timer = setTimeout(() => {
        this.#waiting = null;
        this.kill();
        refuse(this.failure(`${late} within ${seconds} seconds`));
      }, seconds * 1000);
      this.#waiting = (line) => {
        clearTimeout(timer);
        this.#waiting = null;
        done(line);
      };
    });
  }

  /** Output ends a moment before the exit code is known. */
  async #afterExit(): Promise<{ readonly exitCode: number | null; readonly signalCode: string | null }> {
    if (this.#child.exitCode === null && this.#child.signalCode === null)
      await new Promise<void>((done) => {
        const timer = setTimeout(done, PATIENCE_MS);
        this.#child.once('exit', () => {
          clearTimeout(timer);
          done();
        });
      });
    return this.#child;
  }

  async #listen(): Promise<void> {
    const problems = new Problems();
    const options = { file: this.#options.what, problems, maxBytes: MOST_LINE_BYTES };
    try {
      for await (const batch of readLines(this.#child.stdout, options)) {
        for (const { text } of batch) this.#heard(text);
        if (problems.count > 0) this.#fault ??= 'a line of its output is too long, or not UTF-8';
        if (this.#fault !== null) break;
      }
    } catch {
      // Its output broke off: the same as an end.
    }
    if (this.#fault === null) this.#end();
    else this.kill();
  }

  #heard(line: string): void {
    if (this.#waiting !== null) this.#waiting(line);
    else if (this.#lines.push(line) > MOST_UNASKED) this.#fault = 'it says more than it was asked';
  }

  #end(): void {
    this.#ended = true;
    this.#waiting?.(null);
  }
}
