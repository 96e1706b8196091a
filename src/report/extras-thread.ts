import type { Worker } from 'node:worker_threads';

import type { Audit } from '../audit/finding.ts';
import type { Case } from '../data/case.ts';
import { isSpanCase } from '../data/span-case.ts';
import { buffersOf, type SpanBlock, SpanTape } from '../data/span-tape.ts';
import { startThread } from '../data/thread.ts';
import type { PlanOrigin } from '../recipe/plan.ts';
import type { RunNaming } from '../score/run-about.ts';
import type { FileFact, Run } from '../score/run.ts';
import type { OpenRunWatch, RunWatch } from '../score/score-to-folder.ts';
import type { Texts } from './html/report-data.ts';
import type { ReportFilesOptions } from './html/watch-report.ts';

/** What the thread is started with. */
export interface ExtrasOrder {
  readonly origin: PlanOrigin;
  readonly texts: Texts | 'off';
  readonly aside: string;
  readonly naming: RunNaming;
}

export type ExtrasWork = { readonly block: SpanBlock } | { readonly case: Case } | { readonly run: Run };

/** Posted for each piece of work, in their order. */
export type ExtrasNews =
  | { readonly done: { readonly audit: Audit | null; readonly files: Readonly<Record<string, FileFact>> } | null }
  | { readonly fault: { readonly message: string; readonly code: string } };

/** Pieces of work that may wait: beyond it the scoring waits, so that memory stays bounded. */
const MOST_WAITING = 16;

/** The files of `reportFiles`, made in a thread beside the scoring. For plans that can be made again from their origin. */
export function reportFilesInThread(origin: PlanOrigin, { texts = 'full', onAudit }: ReportFilesOptions): OpenRunWatch {
  return async (_, files, naming = {}): Promise<RunWatch> => {
    const order: ExtrasOrder = { origin, texts, aside: files.aside, naming };
    const thread = new Extras(startThread('extras-worker', import.meta.url, order), (fault) =>
      files.guard(() => {
        throw Object.assign(new Error(fault.message), { code: fault.code });
      }),
    );
    return {
      sink: { scored: ({ given }) => thread.add(given), ready: () => thread.ready() },
      async finish(run) {
        const done = await thread.finish(run);
        if (done?.audit) onAudit?.(done.audit, run);
        files.adopt(done?.files ?? {});
      },
    };
  };
}

type Fault = Extract<ExtrasNews, { fault: object }>['fault'];
type Done = Extract<ExtrasNews, { done: unknown }>['done'];

class Extras {
  readonly #worker: Worker;
  readonly #refuse: (fault: Fault) => never;
  readonly #tape = new SpanTape();
  #waiting = 0;
  #fault: Fault | null = null;
  #done: Done = null;
  /** Called when a piece of work is done, or none will ever be. */
  #resume: () => void = () => undefined;

  constructor(worker: Worker, refuse: (fault: Fault) => never) {
    this.#worker = worker;
    this.#refuse = refuse;
    worker.on('message', (news: ExtrasNews) => {
      this.#waiting -= 1;
      if ('fault' in news) this.#fault ??= news.fault;
      else this.#done = news.done;
      this.#resume();
    });
    worker.on('error', (error: unknown) => this.#fail(error instanceof Error ? (error.stack ?? '') : String(error)));
    // Its last news may be heard at its end only, before anybody who waits for it can go on.
    worker.on('exit', () => {
      if (this.#done === null) this.#fail('the thread that makes the reports ended before it was done');
    });
  }

  add(given: Case): void {
    if (isSpanCase(given)) {
      if (this.#tape.add(given)) this.#postBlock();
      return;
    }
    this.#postBlock();
    // Functions cannot be posted.
    this.#post({ case: { ...given, offsets: null } });
  }

  ready(): Promise<void> | null {
    if (this.#fault !== null) this.#refuse(this.#fault);
    return this.#waiting < MOST_WAITING ? null : this.#until(() => this.#waiting < MOST_WAITING);
  }

  async finish(run: Run): Promise<Done> {
    this.#postBlock();
    this.#post({ run });
    await this.#until(() => this.#waiting === 0);
    if (this.#fault !== null) this.#refuse(this.#fault);
    this.#worker.removeAllListeners('exit');
    return this.#done;
  }

  #postBlock(): void {
    if (this.#tape.isEmpty) return;
    const block = this.#tape.take();
    this.#post({ block }, buffersOf(block));
  }

  #post(work: ExtrasWork, owned: readonly ArrayBuffer[] = []): void {
    this.#waiting += 1;
    this.#worker.postMessage(work, [...owned]);
  }

  #fail(message: string): void {
    this.#fault ??= { message, code: message };
    this.#resume();
  }

  async #until(isSo: () => boolean): Promise<void> {
    // A thread that nothing waits for does not keep the process alive: this wait does.
    this.#worker.ref();
    while (!isSo() && this.#fault === null) await new Promise<void>((resume) => (this.#resume = resume));
    this.#worker.unref();
  }
}
