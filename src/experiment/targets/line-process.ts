import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { Socket } from 'node:net';

import { lineSplitter } from '../../data/lines.ts';
import { errorCode } from '../../data/source.ts';
import { defined } from '../defined.ts';
import type { Environment } from '../models/access.ts';

export interface LineProgram {
  /** One text goes to the shell. */
  readonly command: readonly string[] | string;
  readonly cwd?: string;
  readonly environment?: Environment;
  /** In bytes, 16 MiB unless told. */
  readonly longestLine?: number;
}

export interface LineEvents {
  readonly line: (bytes: Buffer) => void;
  /** A line that is longer than this is left out. */
  readonly tooLong: (mostBytes: number) => void;
  /** Once, with `exit code 1`, the name of a signal, or the error for which it could not be started. */
  readonly end: (how: string, wasStarted: boolean) => void;
}

const LONGEST_LINE = 16 << 20;
/** What was written just before the end is still on its way when the end is known. */
const LAST_WORDS_MS = 500;
const PATIENCE_MS = 2000;
/** What of its error output is kept: the end mostly shows why there is no answer. */
const KEPT_WORDS = 4096;

const running = new Set<LineProcess>();
const killAll = (): void => running.forEach((one) => one.kill());

/**
 * A running program that reads and writes lines, in its own group, so that what it starts ends with it. It does not
 * keep this process from ending: its caller holds a timer.
 */
export class LineProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #end = Promise.withResolvers<void>();
  readonly ended = this.#end.promise;
  /** Nothing further is read by it. */
  isOver = false;
  /** The end of what it wrote beside its answers. */
  lastWords = '';

  /** Throws where it cannot be started at all. */
  constructor({ command, cwd, environment, longestLine = LONGEST_LINE }: LineProgram, events: LineEvents) {
    const [program = '', ...args] = typeof command === 'string' ? [command] : command;
    this.#child = spawn(program, args, {
      ...defined({ cwd, env: environment }),
      shell: typeof command === 'string',
      stdio: 'pipe',
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    if (running.size === 0) process.on('exit', killAll);
    running.add(this);
    void this.ended.then(() => {
      running.delete(this);
      if (running.size === 0) process.off('exit', killAll);
    });
    const { stdin, stdout, stderr } = this.#child;
    const splitter = lineSplitter(events.line, longestLine, () => events.tooLong(longestLine));
    stdout.on('data', (chunk: Buffer) => splitter.push(chunk));
    stderr.setEncoding('utf8').on('data', (text: string) => {
      this.lastWords = (this.lastWords + text).slice(-KEPT_WORDS);
    });
    for (const stream of [stdin, stdout, stderr]) {
      // A pipe that breaks is the end of the program, which is reported when the program ends.
      stream.on('error', () => undefined);
      if (stream instanceof Socket) stream.unref();
    }
    this.#child.unref();
    this.#child.on('error', (error) => {
      this.isOver = true;
      events.end(errorCode(error), false);
      if (this.#child.pid === undefined) this.#end.resolve();
    });
    this.#child.on('exit', (code, signal) => {
      this.isOver = true;
      const ended = (): void => {
        clearTimeout(waited);
        this.#child.off('close', ended);
        this.#end.resolve();
        events.end(signal === null ? `exit code ${code ?? 0}` : signal, true);
      };
      const waited = setTimeout(ended, LAST_WORDS_MS);
      this.#child.on('close', ended);
    });
  }

  write(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  kill(): void {
    this.isOver = true;
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
    this.isOver = true;
    this.#child.stdin.end();
    const patience = setTimeout(() => this.kill(), PATIENCE_MS);
    await this.ended;
    clearTimeout(patience);
  }
}
