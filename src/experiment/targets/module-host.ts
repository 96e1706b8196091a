import { Faults } from './program-faults.ts';
import { givenUp, TargetError } from './target.ts';
import { type ModuleProgram, ModuleThread, NotLoaded } from './module-thread.ts';

/** A module in a thread of its own, which is started again where the module ends it. */
export class ModuleHost {
  readonly #program: ModuleProgram;
  readonly #refuseChange: () => void;
  readonly #faults = new Faults('the module');
  #thread: ModuleThread;
  #starting: Promise<void> | null = null;
  #isClosed = false;

  private constructor(program: ModuleProgram, refuseChange: () => void) {
    this.#program = program;
    this.#refuseChange = refuseChange;
    this.#thread = this.#started();
  }

  /** Throws NotLoaded. `refuseChange` throws where the module is not what it was. */
  static async open(program: ModuleProgram, refuseChange: () => void): Promise<ModuleHost> {
    const host = new ModuleHost(program, refuseChange);
    await host.#thread.ready;
    return host;
  }

  /** What the function returns for an item, both as JSON. */
  async ask(given: string, signal: AbortSignal): Promise<{ readonly said: string; readonly latencyMs: number }> {
    await this.#usable(signal);
    const thread = this.#thread;
    const start = performance.now();
    try {
      const said = await thread.ask(given, signal);
      this.#faults.forget();
      return { said, latencyMs: Math.round(performance.now() - start) };
    } catch (error) {
      // That the function failed is an answer too.
      if (!thread.isOver && !signal.aborted) this.#faults.forget();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread.end(closed());
  }

  /** Not while it may be caught in a loop: the item would be lost with it. */
  async #usable(signal: AbortSignal): Promise<void> {
    for (;;) {
      await this.#thread.settled();
      if (this.#isClosed) throw closed();
      if (signal.aborted) throw givenUp(signal);
      if (!this.#thread.isOver && this.#starting === null) return;
      await (this.#starting ??= this.#restart().finally(() => (this.#starting = null)));
    }
  }

  async #restart(): Promise<void> {
    const { tooMany } = this.#faults;
    if (tooMany !== null) throw tooMany;
    this.#refuseChange();
    this.#thread = this.#started();
    try {
      await this.#thread.ready;
    } catch (error) {
      if (!(error instanceof NotLoaded)) throw error;
      this.#faults.note(error.message);
      throw new TargetError({ kind: 'program', message: `the module was to be loaded again: ${error.message}` });
    }
  }

  #started(): ModuleThread {
    return new ModuleThread(this.#program, (reason) => this.#faults.note(reason));
  }
}

function closed(): TargetError {
  return new TargetError({ kind: 'aborted', message: 'the target was closed' });
}
