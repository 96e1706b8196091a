import type { WriteStream } from 'node:tty';

import type { RunState } from '../../experiment.ts';
import { RunProgress } from '../run-progress.ts';
import { Progress } from '../progress.ts';

/** What is shown while a run goes on: how far it is, then what is being done with its answers. */
export class LiveRun {
  readonly #stream: WriteStream;
  readonly #quiet: boolean;
  #progress: RunProgress | null = null;
  #stage: Progress | null = null;

  constructor(stream: WriteStream, quiet: boolean) {
    this.#stream = stream;
    this.#quiet = quiet;
  }

  at(state: RunState): void {
    this.#progress ??= new RunProgress(this.#stream, state.total, this.#quiet);
    this.#progress.at(state);
  }

  stage(name: string): void {
    this.#progress?.end();
    this.#progress = null;
    this.#stage?.end();
    this.#stage = new Progress(this.#stream, this.#quiet);
    this.#stage.show(() => `${name} …`);
  }

  note(text: string): void {
    this.#stage?.end();
    const progress = this.#progress ?? new RunProgress(this.#stream, 0, this.#quiet);
    progress.note(text);
    if (this.#progress === null) progress.end();
  }

  end(): void {
    this.#progress?.end();
    this.#stage?.end();
  }
}
