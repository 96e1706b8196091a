import { errorCode } from '../../data/source.ts';
import { Faults } from './faults.ts';
import { givenUp, TargetError } from './target.ts';
import { LineProcess, type LineProgram } from './line-process.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Turn {
  readonly id: string;
  readonly begin: (process: LineProcess) => void;
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
  readonly #program: LineProgram;
  readonly #settings: PoolSettings;
  readonly #running = new Set<LineProcess>();
  readonly #waiting = new Set<Turn>();
  readonly #faults = new Faults('the command');
  #isClosed = false;

  constructor(program: LineProgram, settings: PoolSettings) {
    this.#program = program;
    this.#settings = settings;
    process.on('exit', this.#killAll);
  }

  /** What the command says to a line. The time it waits for its turn is not in its latency. */
  async ask(
    id: string,
    line: string,
    signal: AbortSignal,
  ): Promise<{ readonly said: Fields; readonly latencyMs: number }> {
    if (signal.aborted) throw givenUp(signal);
    const { promise, resolve, reject } = Promise.withResolvers<Fields>();
    let holder: LineProcess | null = null;
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
    process.off('exit', this.#killAll);
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
  #processFor(id: string): LineProcess | TargetError | null {
    if (this.#isClosed) return new TargetError({ kind: 'aborted', message: 'the target was closed' });
    const { processes, parallel } = this.#settings;
    const alive = [...this.#running].filter(({ isOver }) => !isOver).sort((a, b) => a.inHand - b.inHand);
    // Two items of one id, as sampling repeats are, could not be told apart by their answers.
    const free = alive.find((one) => one.inHand < parallel && !one.has(id)) ?? null;
    if (free?.inHand === 0 || alive.length >= processes) return free;
    return this.#faults.tooMany ?? this.#start();
  }

  #start(): LineProcess | TargetError {
    let started: LineProcess;
    try {
      started = new LineProcess(this.#program, (reason) => this.#faults.note(reason));
    } catch (error) {
      return new TargetError({ kind: 'access', message: `the command cannot be started (${errorCode(error)})` });
    }
    this.#running.add(started);
    void started.ended.then(() => this.#running.delete(started));
    return started;
  }

  readonly #killAll = (): void => {
    for (const one of this.#running) one.kill();
  };
}
