import { UsageError } from '../../../data/problems.ts';
import { LineProcess } from '../../../experiment/targets/line-process.ts';

const SHOWN_LINES = 5;
const MOST_LINE_BYTES = 1 << 26;
const MOST_UNASKED = 1000;

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
export class TurnProcess {
  readonly #options: ProcessOptions;
  readonly #process: LineProcess;
  /** Lines that came before they were asked for. */
  readonly #lines: string[] = [];
  #waiting: ((line: string | null) => void) | null = null;
  /** Why no further line will come. */
  #fault: string | null = null;
  /** Questions stand in line: the process answers one at a time. */
  #tail: Promise<unknown> = Promise.resolve();

  constructor(options: ProcessOptions) {
    this.#options = options;
    const { command } = options;
    this.#process = new LineProcess(
      { command, longestLine: MOST_LINE_BYTES },
      {
        line: (bytes) => this.#hear(bytes),
        tooLong: () => this.#over(UNREADABLE),
        end: (how, wasStarted) => {
          const ended = how.startsWith('exit code') ? `ended with ${how}` : `ended by ${how}`;
          this.#over(wasStarted ? ended : `cannot be started (${how})`);
        },
      },
    );
  }

  /** The first line, which says that it is ready. */
  ready(): Promise<string> {
    return this.#inTurn(() => this.#line(this.#options.startSeconds, 'did not get ready'));
  }

  ask(line: string): Promise<string> {
    return this.#inTurn(() => {
      if (!this.#process.isOver) this.#process.write(line);
      return this.#line(this.#options.answerSeconds, 'did not answer');
    });
  }

  /** Something is wrong with the process; its last words stand with it. */
  failure(message: string): UsageError {
    const { what, next, command } = this.#options;
    const words = this.#process.lastWords.trim().split('\n').slice(-SHOWN_LINES);
    return new UsageError(
      [
        `${what} (${command.join(' ')}): ${message}`,
        ...(words[0] === '' ? [] : ['Its last words:', ...words.map((line) => `  ${line}`)]),
      ],
      next,
    );
  }

  close(): Promise<void> {
    return this.#process.close();
  }

  /** A process that does not keep to the rules is not asked again. */
  kill(): void {
    this.#process.kill();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#tail.then(work);
    this.#tail = turn.catch(() => undefined);
    return turn;
  }

  async #line(seconds: number, late: string): Promise<string> {
    const line = this.#lines.shift() ?? (await this.#nextLine(seconds, late));
    if (line !== null) return line;
    throw this.failure(this.#fault ?? 'gave no answer');
  }

  #nextLine(seconds: number, late: string): Promise<string | null> {
    if (this.#fault !== null) return Promise.resolve(null);
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#over(`${late} within ${seconds} seconds`), seconds * 1000);
      this.#waiting = (line) => {
        clearTimeout(timer);
        this.#waiting = null;
        resolve(line);
      };
    });
  }

  #hear(bytes: Buffer): void {
    if (this.#fault !== null) return;
    let line: string;
    try {
      line = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      return this.#over(UNREADABLE);
    }
    if (line.trim() === '') return;
    if (this.#waiting !== null) this.#waiting(line);
    else if (this.#lines.push(line) > MOST_UNASKED) this.#over('it says more than it was asked');
  }

  #over(fault: string): void {
    this.#fault ??= fault;
    this.#process.kill();
    this.#waiting?.(null);
  }
}

const UNREADABLE = 'a line of its output is too long, or not UTF-8';
