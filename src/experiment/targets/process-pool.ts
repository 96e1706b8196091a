import { isRecord } from '../../data/record-fields.ts';
import { errorCode } from '../../data/source.ts';
import { shorten, visible } from '../../data/visible.ts';
import { fieldsWithoutSecrets, withoutSecrets } from '../models/secrets.ts';
import { parseJson } from './answer-json.ts';
import { LineProcess, type LineProgram } from './line-process.ts';
import { Faults, lastWordsTail } from './program-faults.ts';
import { givenUp, TargetError } from './target.ts';

export interface CommandProgram extends LineProgram {
  readonly secrets: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

interface Waiting {
  readonly resolve: (said: Fields) => void;
  readonly reject: (error: TargetError) => void;
}

const EXPECTED = 'Expected {"id": …, "output": …} on one line; anything else goes to stderr';

/** A process of the command that is given one JSON line for each item and answers with one. */
class AskedProcess {
  readonly #process: LineProcess;
  readonly #waiting = new Map<string, Waiting>();
  readonly #secrets: readonly string[];
  readonly #onFault: (reason: string) => void;

  /** `onFault`: it ended of itself while it had items, or wrote what is no answer. Throws where it cannot be started. */
  constructor({ secrets, ...program }: CommandProgram, onFault: (reason: string) => void) {
    this.#secrets = secrets;
    this.#onFault = onFault;
    this.#process = new LineProcess(program, {
      line: (bytes) => this.#take(bytes.toString('utf8')),
      tooLong: (most) => this.#fault(`the command wrote a line of more than ${most >> 20} MiB`),
      end: (how, wasStarted) => {
        const message = `the command ended (${how}) before it answered`;
        if (!wasStarted) return this.#failAll('access', `the command cannot be started (${how})`);
        if (this.#waiting.size > 0) this.#onFault(this.#told(message));
        this.#failAll('program', message);
      },
    });
  }

  /** No further item may be given to it. */
  get isOver(): boolean {
    return this.#process.isOver;
  }

  get inHand(): number {
    return this.#waiting.size;
  }

  /** Resolves when it is gone. */
  get ended(): Promise<void> {
    return this.#process.ended;
  }

  has(id: string): boolean {
    return this.#waiting.has(id);
  }

  /** What it says to a line. It has an id once at a time. */
  ask(id: string, line: string): Promise<Fields> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#process.write(line);
    });
  }

  /** Ends it at once; the items that it has fail for this reason. */
  abandon(reason: string): void {
    this.#process.kill();
    this.#failAll('program', reason);
  }

  close(): Promise<void> {
    return this.#process.close();
  }

  #take(line: string): void {
    // What it still says once nobody waits is of no interest.
    if (line.trim() === '' || (this.isOver && this.#waiting.size === 0)) return;
    const { value, fault } = parseJson(line);
    if (!isRecord(value)) {
      const shown = withoutSecrets(line, this.#secrets);
      // What is wrong is told with words of the line.
      const why = fault === undefined ? 'no object' : (parseJson(shown).fault ?? 'not JSON');
      return this.#fault(`the command wrote ${visible(shorten(shown, 80))}: ${why}. ${EXPECTED}`);
    }
    const id = typeof value['id'] === 'number' ? String(value['id']) : value['id'];
    if (typeof id !== 'string') return this.#fault(`the command gave an answer with no id. ${EXPECTED}`);
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) {
      const shown = visible(shorten(withoutSecrets(id, this.#secrets)));
      return this.#fault(`the command gave an answer with the id ${shown}, which it was not asked for. ${EXPECTED}`);
    }
    this.#waiting.delete(id);
    waiting.resolve(fieldsWithoutSecrets(value, this.#secrets));
  }

  #fault(message: string): void {
    this.#onFault(this.#told(message));
    this.abandon(message);
  }

  #failAll(kind: 'program' | 'access', message: string): void {
    const told = this.#told(message);
    for (const { reject } of this.#waiting.values()) reject(new TargetError({ kind, message: told }));
    this.#waiting.clear();
  }

  #told(message: string): string {
    return `${message}${lastWordsTail(this.#process.lastWords, this.#secrets)}`;
  }
}

interface Turn {
  readonly id: string;
  readonly begin: (process: AskedProcess) => void;
  readonly fail: (error: TargetError) => void;
}

export interface PoolSettings {
  /** How many processes may run. */
  readonly processes: number;
  /** How many items each may have at once. */
  readonly parallel: number;
}

/** The processes of a command, and the items that wait for one of them. */
export class ProcessPool {
  readonly #program: CommandProgram;
  readonly #settings: PoolSettings;
  readonly #running = new Set<AskedProcess>();
  readonly #waiting = new Set<Turn>();
  readonly #faults = new Faults('the command');
  #isClosed = false;

  constructor(program: CommandProgram, settings: PoolSettings) {
    this.#program = program;
    this.#settings = settings;
  }

  /** What the command says to a line. The time it waits for its turn is not in its latency. */
  async ask(
    id: string,
    line: string,
    signal: AbortSignal,
  ): Promise<{ readonly said: Fields; readonly latencyMs: number }> {
    if (signal.aborted) throw givenUp(signal);
    const { promise, resolve, reject } = Promise.withResolvers<Fields>();
    let holder: AskedProcess | null = null;
    let start = 0;
    const turn: Turn = {
      id,
      begin: (given) => {
        holder = given;
        start = performance.now();
        given.ask(id, line).then(resolve, reject);
      },
      fail: reject,
    };
    const onAbort = (): void => {
      reject(givenUp(signal));
      // Its answer could come late, and be taken for that of another item.
      holder?.abandon('the command was ended because it had not answered another item in time');
    };
    signal.addEventListener('abort', onAbort, { once: true });
    this.#waiting.add(turn);
    this.#serve();
    try {
      const said = await promise;
      this.#faults.forget();
      return { said, latencyMs: Math.round(performance.now() - start) };
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#waiting.delete(turn);
      this.#serve();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#serve();
    await Promise.all([...this.#running].map((one) => one.close()));
  }

  /** Gives waiting items to processes that have room, starting some where there may be more. */
  #serve(): void {
    for (const turn of this.#waiting) {
      const found = this.#processFor(turn.id);
      if (found === null) continue;
      this.#waiting.delete(turn);
      if (found instanceof TargetError) turn.fail(found);
      else turn.begin(found);
    }
  }

  /** An idle one, else a new one, else the one with most room; null where the item has to wait. */
  #processFor(id: string): AskedProcess | TargetError | null {
    if (this.#isClosed) return new TargetError({ kind: 'aborted', message: 'the target was closed' });
    const { processes, parallel } = this.#settings;
    const alive = [...this.#running].filter(({ isOver }) => !isOver).sort((a, b) => a.inHand - b.inHand);
    // Two items of one id, as sampling repeats are, could not be told apart by their answers.
    const free = alive.find((one) => one.inHand < parallel && !one.has(id)) ?? null;
    if (free?.inHand === 0 || alive.length >= processes) return free;
    return this.#faults.tooMany ?? this.#start();
  }

  #start(): AskedProcess | TargetError {
    let started: AskedProcess;
    try {
      started = new AskedProcess(this.#program, (reason) => this.#faults.note(reason));
    } catch (error) {
      return new TargetError({ kind: 'access', message: `the command cannot be started (${errorCode(error)})` });
    }
    this.#running.add(started);
    void started.ended.then(() => this.#running.delete(started));
    return started;
  }
}
