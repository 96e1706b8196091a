import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { writeAside } from '../../data/write-file.ts';
import { type AnswerLog, isBegunCall, type LogEntry } from '../run/answer-log.ts';
import { OpenCalls, outcomeKey } from '../run/open-calls.ts';
import type { QueueAccess } from '../run/run-settings.ts';
import { openCoordinator } from './coordinator.ts';
import { type JobTask, newSession, pathFromRoot, QUEUE_FILE } from './jobs.ts';
import { logPartReader, removeLogParts } from './log-parts.ts';
import type { QueueFile } from './question-jobs.ts';

export interface QueueAnswersOptions {
  readonly access: QueueAccess;
  readonly kind: string;
  /** It holds the items; workers write their answers there. */
  readonly folder: string;
  readonly run: string;
  readonly file: Omit<QueueFile, 'format' | 'session'>;
  readonly most: number | null;
  readonly progress?: (() => JobTask) | undefined;
  /** Answers that were there before are known by now. */
  readonly parts?: ReturnType<typeof logPartReader>;
  /** Has every answer that is taken. */
  readonly log?: Pick<AnswerLog, 'calls' | 'keepCalls'>;
  readonly isOver: () => boolean;
  readonly abort: AbortSignal;
  /** An answer that nobody waits for: one of an earlier coordinator's, or a second one to the same question. */
  readonly onStray: (entry: LogEntry) => Promise<void>;
  readonly onNotice?: ((text: string) => void) | undefined;
}

export type QueueAnswers = Awaited<ReturnType<typeof openQueueAnswers>>;

/** Answers that workers give. They come through files in the folder of the run; the queue only holds who asks what. */
export async function openQueueAnswers(options: QueueAnswersOptions) {
  const { access, kind, folder, run, file, most, isOver, abort, onStray, onNotice } = options;
  const session = newSession();
  const parts = options.parts ?? logPartReader(folder);
  const calls = options.log?.calls ?? new OpenCalls();
  const asked = new Map<string, JobTask>();
  /** Items by the number in their task. */
  const items = new Map<number, string>();
  const job = { kind, folder: pathFromRoot(access.root, folder), run, session };
  const queueFile: QueueFile = { format: 1, session, ...file };
  const path = join(folder, QUEUE_FILE);
  writeAside(path, `${JSON.stringify(queueFile)}\n`, { next: 'choose another place with --out' });

  let looking = Promise.resolve();
  const lookOnce = async (): Promise<void> => {
    for (const entry of await parts.read()) {
      if (isBegunCall(entry)) {
        calls.begin(entry);
        continue;
      }
      if (options.log === undefined) calls.end(entry);
      const key = outcomeKey(entry.item, entry.repeat);
      const task = asked.get(key);
      asked.delete(key);
      if (task === undefined || !coordinator.settle(task, entry)) await onStray(entry);
    }
  };
  // One after the other: two readers at once would see the same lines twice.
  const look = (): Promise<void> => (looking = looking.then(lookOnce));

  const coordinator = await openCoordinator<LogEntry>({
    server: access.server,
    job,
    most,
    progress: options.progress,
    look,
    unanswered: ([number, repeat]) => calls.unanswered(items.get(number) ?? '', repeat),
    isOver,
    abort,
    ...(onNotice === undefined ? {} : { onNotice }),
  });
  return {
    state: () => coordinator.state(),
    /** Null if the question was given up. */
    async ask(task: JobTask, item: string): Promise<LogEntry | null> {
      asked.set(outcomeKey(item, task[1]), task);
      items.set(task[0], item);
      const ended = await coordinator.do(task);
      if (ended === null) return null;
      return 'value' in ended ? ended.value : crashedEntry(item, task[1], ended.crashed);
    },
    async close(): Promise<void> {
      const { out } = coordinator.state();
      await coordinator.close();
      await look();
      // A worker that still asks finds its part gone and begins another, which the next start of the run reads.
      rmSync(path, { force: true });
      if (out > 0) return;
      await options.log?.keepCalls();
      removeLogParts(folder);
    },
  };
}

function crashedEntry(item: string, repeat: number, reason: string): LogEntry {
  const now = new Date().toISOString();
  const isStalled = reason.includes('stalled');
  return {
    item,
    repeat,
    outcome: 'failed',
    kind: 'program',
    message: isStalled
      ? 'the worker process ended each time this item was asked'
      : `no worker could ask this: ${reason}`,
    usage: null,
    cost: null,
    latencyMs: null,
    raw: null,
    // Its calls were begun, and count as lost.
    attempts: 0,
    cached: false,
    startedAt: now,
    endedAt: now,
  };
}
