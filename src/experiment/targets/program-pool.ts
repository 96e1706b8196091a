import { errorCode } from '../../data/source.ts';
import { withinTime } from '../limits/call-with-limits.ts';
import { withoutSecrets } from '../models/secrets.ts';
import { LineProcess, type LineProgram } from './line-process.ts';
import { type FailureKind, abortError, TargetError } from './target.ts';

const MOST_FAULTS = 10;
const SHOWN_WORDS = 300;

/** What a program reports to the pool: that it failed without an answer, and that it may take an item again. */
export interface ProgramEvents {
  readonly fault: (reason: string) => void;
  readonly changed: () => void;
}

interface Answered<Said> {
  readonly said: Said;
  readonly latencyMs: number;
}

interface Asked<Said> extends PromiseWithResolvers<Answered<Said>> {
  readonly id: string;
  readonly text: string;
  /** When a program was given it, and which. */
  start: number;
  holder: AskedProgram<Said> | null;
}

/** How a kind of program is spoken to. */
interface Protocol {
  /** Resolves when it takes items. */
  readonly ready: Promise<void>;
  /** Whether an item with this id may be given to it now. It has an id once at a time. */
  takes(id: string): boolean;
  /** Nobody waits for the answer to an item any more. */
  giveUp(id: string, error: TargetError): void;
  hear(line: string): void;
  /** It ended, with `exit code 1` or the name of a signal. */
  end(how: string): void;
}

/** A running program of the user's, and the items that it has. */
export class AskedProgram<Said> {
  readonly #asked = new Map<string, Asked<Said>>();
  readonly #secrets: readonly string[];
  readonly #events: ProgramEvents;
  readonly protocol: Protocol;
  readonly process: LineProcess;

  /** Throws TargetError where it cannot be started. */
  constructor(
    who: string,
    program: LineProgram,
    secrets: readonly string[],
    events: ProgramEvents,
    protocolOf: (program: AskedProgram<Said>) => Protocol,
  ) {
    this.#secrets = secrets;
    this.#events = events;
    this.protocol = protocolOf(this);
    try {
      this.process = new LineProcess(program, {
        line: (bytes) => this.protocol.hear(bytes.toString('utf8')),
        tooLong: (most) => this.fault(`${who} wrote a line of more than ${most >> 20} MiB`),
        end: (how, wasStarted) =>
          wasStarted ? this.protocol.end(how) : this.failAll(this.told(`${who} cannot be started (${how})`), 'access'),
      });
    } catch (error) {
      throw new TargetError({ kind: 'access', message: `${who} cannot be started (${errorCode(error)})` });
    }
  }

  get inHand(): number {
    return this.#asked.size;
  }

  has(id: string): boolean {
    return this.#asked.has(id);
  }

  ask(asked: Asked<Said>): void {
    asked.holder = this;
    this.#asked.set(asked.id, asked);
    const send = (): void => {
      asked.start = performance.now();
      if (this.has(asked.id)) this.process.write(asked.text);
    };
    void this.protocol.ready.then(send, () => undefined);
  }

  close(): Promise<void> {
    this.failAll('the target was closed', 'aborted');
    return this.process.close();
  }

  /** False where it was not asked for this item. */
  answered(id: string, said: Said): boolean {
    const asked = this.#asked.get(id);
    asked?.resolve({ said, latencyMs: Math.round(performance.now() - asked.start) });
    return this.forget(id);
  }

  forget(id: string): boolean {
    return this.#asked.delete(id);
  }

  /** Something is wrong with the program: it is ended, and after a few times not started again. */
  fault(message: string): void {
    this.#events.fault(this.told(message));
    this.abandon(message);
  }

  abandon(message: string): void {
    this.process.kill();
    this.failAll(this.told(message));
  }

  /** It has ended by itself, which is a fault only where it had something to do. */
  over(message: string): void {
    const told = this.told(message);
    if (this.inHand > 0) this.#events.fault(told);
    this.failAll(told);
  }

  failAll(message: string, kind: FailureKind = 'program'): void {
    for (const { reject } of this.#asked.values()) reject(new TargetError({ kind, message }));
    this.#asked.clear();
  }

  /** A reason with what the program last wrote behind it. */
  told(message: string): string {
    const words = withoutSecrets(this.process.lastWords, this.#secrets)
      .trim()
      .replaceAll(/\s*\n\s*/g, ' | ');
    return words === '' ? message : `${message}; it last wrote: ${words.slice(-SHOWN_WORDS)}`;
  }
}

/** The running copies of a program, at most `most`, and the items that wait. `startOne` throws TargetError. */
export function programPool<Said>(
  who: string,
  most: number,
  timeoutMs: number,
  startOne: (events: ProgramEvents) => AskedProgram<Said>,
) {
  const running = new Set<AskedProgram<Said>>();
  const waiting = new Set<Asked<Said>>();
  /** How often in a row it ended without an answer, and why: it is not started for ever. */
  let faults = 0;
  let lastFault = '';
  let isClosed = false;

  /** Starts a copy, whether or not there is an item for it. */
  const start = (): AskedProgram<Said> => {
    const fault = (reason: string): void => {
      faults += 1;
      lastFault = reason;
    };
    const program = startOne({ fault, changed: serve });
    running.add(program);
    void program.process.ended.then(() => {
      running.delete(program);
      serve();
    });
    return program;
  };

  /** An idle one, else a new one, else the one with most room; null where the item has to wait. */
  const programFor = (id: string): AskedProgram<Said> | null => {
    if (isClosed) throw new TargetError({ kind: 'aborted', message: 'the target was closed' });
    const alive = [...running].filter((program) => !program.process.isOver).sort((a, b) => a.inHand - b.inHand);
    const free = alive.find((program) => program.protocol.takes(id)) ?? null;
    if (free?.inHand === 0 || alive.length >= most) return free;
    if (faults < MOST_FAULTS) return start();
    // The reason last: where the message is too long, its end is cut.
    const times = `${who} failed ${faults} times in a row without an answer, and is not started again`;
    const again = 'once it is put right, --only-failed asks for these items again';
    throw new TargetError({ kind: 'access', message: `${times} (${again}); the last time: ${lastFault}` });
  };

  /** Gives waiting items to programs that have room, starting some where there may be more. */
  function serve(): void {
    for (const asked of waiting)
      try {
        const program = programFor(asked.id);
        if (program === null) continue;
        waiting.delete(asked);
        program.ask(asked);
      } catch (error) {
        waiting.delete(asked);
        asked.reject(error);
      }
  }

  return {
    start,

    /** The program's answer to an item. The time it waits for its turn is not in its latency. */
    async ask(id: string, text: string, signal: AbortSignal): Promise<Answered<Said>> {
      const asked: Asked<Said> = { id, text, start: 0, holder: null, ...Promise.withResolvers<Answered<Said>>() };
      const answer = (over: AbortSignal): Promise<Answered<Said>> => {
        over.addEventListener('abort', () => asked.holder?.protocol.giveUp(id, abortError(over)), { once: true });
        waiting.add(asked);
        serve();
        return asked.promise;
      };
      try {
        const answered = await withinTime(answer, timeoutMs, signal);
        faults = 0;
        return answered;
      } finally {
        waiting.delete(asked);
        serve();
      }
    },

    async close(): Promise<void> {
      isClosed = true;
      serve();
      await Promise.all([...running].map((program) => program.close()));
    },
  };
}
