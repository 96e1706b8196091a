import { isUtf8 } from 'node:buffer';

import { LineProcess } from '../../experiment.ts';
import { UsageError } from '../../plugin.ts';

const SHOWN_LINES = 5;
const MOST_LINE_BYTES = 1 << 26;
const MOST_UNASKED = 1000;
const UNREADABLE = 'a line of its output is too long, or not UTF-8';

interface ProcessOptions {
  readonly command: readonly string[];
  /** What the process is, for messages: "scispaCy". */
  readonly what: string;
  /** What to do when it does not work. */
  readonly next: string;
  readonly startSeconds: number;
  readonly answerSeconds: number;
}

/** A process that writes a line when it is ready and then answers each line with one line, one after the other. */
export class TurnProcess {
  readonly #options: ProcessOptions;
  readonly #process: LineProcess;
  /** Lines that came before they were asked for. */
  readonly #lines: string[] = [];
  #wake: () => void = () => undefined;
  /** Why no further line will come. */
  #fault: string | null = null;
  /** Questions queue: the process answers one at a time. */
  #tail: Promise<unknown> = Promise.resolve();

  constructor(options: ProcessOptions) {
    this.#options = options;
    this.#process = new LineProcess(
      { command: options.command, longestLine: MOST_LINE_BYTES },
      {
        line: (bytes) => this.#hear(bytes),
        tooLong: () => this.#end(UNREADABLE),
        end: (how, wasStarted) =>
          this.#end(
            wasStarted ? `ended ${how.startsWith('exit') ? 'with' : 'by'} ${how}` : `cannot be started (${how})`,
          ),
      },
    );
  }

  /** The first line, which reports that it is ready. */
  ready(): Promise<string> {
    return this.#inTurn(null, this.#options.startSeconds, 'did not get ready');
  }

  ask(line: string): Promise<string> {
    return this.#inTurn(line, this.#options.answerSeconds, 'did not answer');
  }

  /** Something is wrong with the process; its last words are part of the message. */
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

  /** A process that breaks the protocol is not asked again. */
  kill(): void {
    this.#process.kill();
  }

  #inTurn(question: string | null, seconds: number, late: string): Promise<string> {
    const turn = this.#tail.then(async () => {
      if (question !== null && !this.#process.isOver) this.#process.write(question);
      if (this.#lines.length === 0 && this.#fault === null) {
        const timer = setTimeout(() => this.#end(`${late} within ${seconds} seconds`), seconds * 1000);
        await new Promise<void>((resolve) => (this.#wake = resolve));
        clearTimeout(timer);
      }
      const line = this.#lines.shift();
      if (line === undefined) throw this.failure(this.#fault ?? 'gave no answer');
      return line;
    });
    this.#tail = turn.catch(() => undefined);
    return turn;
  }

  #hear(bytes: Buffer): void {
    if (this.#fault !== null) return;
    if (!isUtf8(bytes)) return this.#end(UNREADABLE);
    const line = bytes.toString('utf8');
    if (line.trim() === '') return;
    if (this.#lines.push(line) > MOST_UNASKED) return this.#end('it writes more than it was asked');
    this.#wake();
  }

  #end(fault: string): void {
    this.#fault ??= fault;
    this.#process.kill();
    this.#wake();
  }
}
