import { hash } from 'node:crypto';

import type { Fields } from '../../data/item.ts';
import { isRecord } from '../../data/record-fields.ts';
import { TargetError } from '../targets/target.ts';
import { anthropicBatch } from './anthropic-batch.ts';
import { batchCollector, type CollectorOptions } from './batch-collector.ts';
import { type BatchProtocol, jsonIn } from './batch-protocol.ts';
import { batchSlot, currentSlot, inSlot } from './batch-slot.ts';
import { googleBatch } from './google-batch.ts';
import { openaiBatch } from './openai-batch.ts';
import { singleCalls, type SingleCallOptions } from './single-calls.ts';

/** By the name of the provider. */
const PROTOCOLS: Readonly<Record<string, BatchProtocol>> = {
  openai: openaiBatch,
  'openai-compatible': openaiBatch,
  anthropic: anthropicBatch,
  google: googleBatch,
};

export interface BatchOptions extends CollectorOptions {
  /** What a batch does not answer fails, instead of being asked by a single call. */
  readonly only: boolean;
  readonly single: SingleCallOptions;
}

/** So many calls may wait for batches at once: what they send is held in memory. */
export const MOST_BATCHED = 10_000;

export type Batches = ReturnType<typeof batchTransport>;

/** Around each request: its id, and names of fields. */
const FRAME_BYTES = 200;

/** A `fetch` for models that puts requests into batches and answers each with what a single call would have got. */
export function batchTransport(options: BatchOptions) {
  const { only, stop } = options;
  const collector = batchCollector(options);
  const callSingly = singleCalls(options.single);
  /** Why no batch has answered a request, by its id. */
  const unanswered = new Map<string, string>();

  const fetchWith = (provider: string, protocol: BatchProtocol, key: string | null): typeof globalThis.fetch => {
    return async (input, init) => {
      const body = bodyOf(init?.body);
      const url = new URL(input instanceof Request ? input.url : input);
      const place = body === null ? null : protocol.placeOf(url, body);
      if (body === null || place === null)
        throw new TargetError({ kind: 'request', message: 'a streamed call cannot be put into a batch' });
      const slot = currentSlot() ?? batchSlot('');
      const content = hash('sha256', JSON.stringify([provider, place.path, body, slot.name]));
      const times = slot.answered.get(content) ?? 0;
      const id = hash('sha256', `${content} ${times}`).slice(0, 40);
      const bytes = Buffer.byteLength(JSON.stringify(body)) + FRAME_BYTES;
      if (bytes > protocol.most.bytes) unanswered.set(id, 'it is too long for a batch');
      slot.batch = null;
      if (!unanswered.has(id)) {
        const headers = Object.fromEntries(new Headers(init?.headers));
        const request = { id, body };
        const signal = init?.signal ?? null;
        const answer = await collector.answerTo({ protocol, place, headers, key, request, bytes, signal });
        if ('unread' in answer) {
          slot.isUnread = true;
          throw new TargetError({ kind: 'access', message: answer.unread });
        }
        if (!('unanswered' in answer)) {
          slot.answered.set(content, times + 1);
          slot.batch = answer.batch;
          return new Response(answer.body, { status: answer.status, headers: { 'content-type': 'application/json' } });
        }
        unanswered.set(id, answer.unanswered);
      }
      if (!only) {
        await slot.begin();
        const start = performance.now();
        const response = await callSingly(input, init);
        slot.singleMs = Math.round(performance.now() - start);
        return response;
      }
      const why = unanswered.get(id) ?? '';
      throw new TargetError({ kind: 'server', message: `the batch did not answer: ${why}` });
    };
  };

  return {
    fetchFor(provider: string, key: string | null): typeof globalThis.fetch {
      const protocol = PROTOCOLS[provider];
      if (protocol === undefined) throw new Error(`no batch protocol of ${provider}`);
      return fetchWith(provider, protocol, key);
    },

    /** Work whose result is on the disk when it ends: the same work later is asked again, not taken from old batches. */
    async within<T>(slot: string, work: () => Promise<T>): Promise<T> {
      const log = await collector.openLog();
      const value = await inSlot(batchSlot(`${slot} ${log.timesSettled(slot)}`), work);
      if (stop?.aborted !== true) await log.append({ event: 'settled', name: slot, at: Date.now() });
      return value;
    },

    /** Reads what is known of batches, and refuses a damaged log before anything is asked. */
    open: async (): Promise<void> => void (await collector.openLog()),
    /** Batches are submitted or cancelled, and no answer is waited for. */
    mode: options.mode ?? null,
    unread: () => collector.unread(),
    progress: () => collector.progress(),
    close: () => collector.close(),
  };
}

/** The JSON object that is sent; null if it is something else. */
function bodyOf(body: unknown): Fields | null {
  const value = typeof body === 'string' ? jsonIn(body) : undefined;
  return isRecord(value) ? value : null;
}
