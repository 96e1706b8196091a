import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { openLineLog } from '../run/line-log.ts';
import type { BatchTokens } from './batch-protocol.ts';

export const BATCH_FILE = 'batches.jsonl';

const name = z.string();
const at = z.number();
const tokens = z.object({ inputTokens: z.number(), outputTokens: z.number() });

const batchEvent = z.discriminatedUnion('event', [
  /** Written before a batch is submitted: whether it was is looked up after a kill. */
  z.object({ event: z.literal('intent'), name, at, ids: z.array(z.string()).readonly() }),
  /** `found`: looked up, not returned by the call that submitted it. */
  z.object({ event: z.literal('submitted'), name, at, batch: z.string(), found: z.boolean().optional() }),
  /**
   * Its results have been read. They stay with the provider, for a process that is killed before it uses them. `again`:
   * requests whose answers could not be read go into another batch.
   */
  z.object({ event: z.literal('ended'), name, at, state: z.string(), again: z.boolean().optional() }),
  /** So many answers may have been paid for and cannot be read, with their tokens if the provider reports these. */
  z.object({ event: z.literal('unread'), name, at, answers: z.int(), usage: tokens.optional() }),
  /** The provider does not have it: its requests may be submitted again. */
  z.object({ event: z.literal('lost'), name, at }),
  /** The work in a slot is on the disk: what is asked in it from now on is new. */
  z.object({ event: z.literal('settled'), name, at }),
]);
type BatchEvent = Readonly<z.infer<typeof batchEvent>>;

const EVENTS = {
  schema: batchEvent,
  message: 'this line is no event of a batch: the log was changed or damaged',
  next: 'put the file back; without it, requests that a provider is working on are submitted and paid for again',
};

export interface LoggedBatch {
  readonly name: string;
  readonly ids: readonly string[];
  readonly at: number;
  /** The provider's id; null if it is not known whether it was submitted. */
  batch: string | null;
  isFound: boolean;
  isEnded: boolean;
  /** The provider may have taken it, and could not be asked. */
  isUnsure: boolean;
  /** Requests whose answers cannot be read may go into another batch. */
  isAskedAgain: boolean;
  unread: UnreadAnswers | null;
}

/** Answers of a batch that may have been paid for, and cannot be read. */
export interface UnreadAnswers {
  readonly answers: number;
  readonly usage?: BatchTokens | undefined;
}

export type BatchLog = Awaited<ReturnType<typeof openBatchLog>>;

/** What was submitted where, in a file that only grows. It holds hashes of requests, no texts and no keys. */
export async function openBatchLog(folder: string) {
  const batches = new Map<string, LoggedBatch>();
  const settled = new Map<string, number>();
  const note = (event: BatchEvent): void => {
    const known = batches.get(event.name);
    switch (event.event) {
      case 'intent':
        batches.set(event.name, {
          ...event,
          batch: null,
          isFound: false,
          isEnded: false,
          isUnsure: false,
          isAskedAgain: false,
          unread: null,
        });
        break;
      case 'submitted':
        if (known !== undefined) Object.assign(known, { batch: event.batch, isFound: event.found === true });
        break;
      case 'ended':
        if (known === undefined) break;
        if (event.again === true) known.isAskedAgain = true;
        else known.unread = null;
        known.isEnded = true;
        break;
      case 'unread':
        if (known !== undefined) known.unread = { answers: event.answers, usage: event.usage };
        break;
      case 'lost':
        batches.delete(event.name);
        break;
      case 'settled':
        settled.set(event.name, (settled.get(event.name) ?? 0) + 1);
        break;
    }
  };
  const lines = await openLineLog<BatchEvent>(join(folder, BATCH_FILE), EVENTS, note);
  return {
    batches,
    /** How often the work in a slot was finished. */
    timesSettled: (slot: string): number => settled.get(slot) ?? 0,
    /** Resolves when it is on the disk. */
    async append(event: BatchEvent): Promise<void> {
      await lines.append(event);
      note(event);
    },
    close: () => lines.close(),
  };
}

/** The batches that a run submitted; none without a log. */
export async function batchesIn(folder: string): Promise<readonly LoggedBatch[]> {
  if (!existsSync(join(folder, BATCH_FILE))) return [];
  const log = await openBatchLog(folder);
  await log.close();
  return [...log.batches.values()];
}
