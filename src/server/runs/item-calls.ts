import { lstat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { z } from 'zod';

import { openPlain } from '../../data/read-file.ts';
import { shorten } from '../../data/visible.ts';
import { secretsIn, withoutSecrets } from '../../experiment/models/secrets.ts';
import { isBegunCall, LOG_FILE, LOG_LINES, type LogEntry } from '../../experiment/run/answer-log.ts';
import { outcomeKey } from '../../experiment/run/open-calls.ts';
import { traceIdsOf } from '../../experiment/run/item-trace.ts';
import type { LinePlace } from '../../experiment/run/line-log.ts';
import type { ExperimentRecord } from '../../experiment/run/run-folder.ts';
import { redacted } from '../../report/html/hide-texts.ts';
import type { Texts } from '../../report/html/report-data.ts';
import { unlessDamaged } from '../../store/cells.ts';
import type { Store } from '../../store/store.ts';
import { AddedLines } from './added-lines.ts';
import type { ItemCall, PromptTurn } from './live-data.ts';
import { experimentRecord, SCORED } from './live-experiment.ts';

/** Logs whose places are remembered. */
const MOST_LOGS = 4;
/** Of a prompt or an answer: more is of no use on a page. */
const LONGEST = 200_000;

const turns = z.array(z.looseObject({ role: z.string(), content: z.string() })).min(1);
const promptBody = z.union([
  z.looseObject({ type: z.literal('text'), prompt: z.string() }),
  z.looseObject({ type: z.literal('chat'), prompt: z.array(z.unknown()) }),
]);
const named = z.looseObject({ item: z.string(), repeat: z.number(), duplicate: z.boolean().optional() });

/** What was sent for an item of an experiment, and what came back, from the folder of `assay run` and the store. */
export class ItemCalls {
  readonly #store: Store;
  readonly #logs = new Map<string, LogPlaces>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Of an item of a scored run; null if no experiment made it, or if there is nothing of the item. */
  async of(folder: string, item: string, texts: Texts): Promise<ItemCall | null> {
    const scored = SCORED.exec(basename(folder));
    const home = dirname(folder);
    const record = scored === null ? null : experimentRecord(home);
    if (record === null) return null;
    const repeat = Number(scored?.[1] ?? 1);
    const entry = await this.#entry(home, item, repeat);
    return entry === null ? null : answerOf(entry, record, this.#prompt(record, item, repeat), texts);
  }

  async #entry(home: string, item: string, repeat: number): Promise<LogEntry | null> {
    const path = join(home, LOG_FILE);
    const log = this.#logs.get(home) ?? new LogPlaces();
    this.#logs.delete(home);
    this.#logs.set(home, log);
    const [oldest] = this.#logs.keys();
    if (this.#logs.size > MOST_LOGS && oldest !== undefined) this.#logs.delete(oldest);
    const place = await log.find(path, outcomeKey(item, repeat));
    return place === null ? null : await readEntry(path, place);
  }

  /** As its trace has it; without one, the words that every item was filled into. */
  #prompt({ id, identity }: ExperimentRecord, item: string, repeat: number): ItemCall['prompt'] {
    const { callId } = traceIdsOf(id, item, repeat);
    const sent = turns.safeParse(unlessDamaged(() => this.#store.traces.observation(callId))?.input).data;
    if (sent !== undefined) return { turns: sent, isTemplate: false };
    const body = promptBody.safeParse(identity['prompt']).data;
    if (body === undefined) return null;
    const parts = body.type === 'text' ? [{ role: 'user', content: body.prompt }] : body.prompt;
    const template = parts.flatMap((part) => turns.element.safeParse(part).data ?? []);
    return template.length === 0 ? null : { turns: template, isTemplate: true };
  }
}

function answerOf(entry: LogEntry, record: ExperimentRecord, prompt: ItemCall['prompt'], texts: Texts): ItemCall {
  const secrets = secretsIn(process.env);
  const words = (text: string): string => {
    const clean = withoutSecrets(shorten(text, LONGEST), secrets);
    return texts === 'redacted' ? redacted(clean) : clean;
  };
  const isHidden = texts === 'none';
  const { raw, usage, cost, latencyMs, attempts, cached, batch, startedAt } = entry;
  const text = raw ?? (entry.outcome === 'answered' ? JSON.stringify(entry.output, null, 2) : null);
  const { kind, model } = record.identity;
  return {
    target: typeof kind === 'string' ? kind : '',
    model: typeof model === 'string' ? model : null,
    prompt:
      isHidden || prompt === null
        ? null
        : {
            ...prompt,
            turns: prompt.turns.map(({ role, content }): PromptTurn => ({ role, content: words(content) })),
          },
    answer: isHidden || text === null ? null : { text: words(text), isRaw: raw !== null },
    failed: entry.outcome === 'failed' ? { kind: entry.kind, message: isHidden ? '' : words(entry.message) } : null,
    inputTokens: usage?.inputTokens ?? null,
    outputTokens: usage?.outputTokens ?? null,
    cost,
    latencyMs,
    attempts,
    isCached: cached,
    isBatched: batch !== undefined,
    date: Date.parse(startedAt) || null,
  };
}

/** Where the outcome of each item is in a log that may grow. */
class LogPlaces {
  #places = new Map<string, LinePlace>();
  #ino = 0;
  #lines = this.#reader();
  #turn: Promise<unknown> = Promise.resolve();

  /** One at a time: the repeats of an experiment share its log. */
  find(path: string, key: string): Promise<LinePlace | null> {
    const found = this.#turn.then(() => this.#find(path, key));
    this.#turn = found.catch(() => undefined);
    return found;
  }

  async #find(path: string, key: string): Promise<LinePlace | null> {
    const fact = await lstat(path).catch(() => null);
    if (fact?.isFile() !== true) return null;
    if (fact.ino !== this.#ino || fact.size < this.#lines.read) {
      this.#places = new Map();
      this.#ino = fact.ino;
      this.#lines = this.#reader();
    }
    await this.#lines.upTo(path, fact.size);
    return this.#places.get(key) ?? null;
  }

  #reader(): AddedLines {
    return new AddedLines((line, place) => {
      try {
        const { data } = named.safeParse(JSON.parse(line));
        if (data === undefined) return;
        const key = outcomeKey(data.item, data.repeat);
        if (data.duplicate !== true || !this.#places.has(key)) this.#places.set(key, place);
      } catch {
        // Damaged: the experiment itself reports that when it resumes.
      }
    });
  }
}

async function readEntry(path: string, { offset, bytes }: LinePlace): Promise<LogEntry | null> {
  const { handle } = await openPlain(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, offset);
    const { data } = LOG_LINES.schema.safeParse(JSON.parse(buffer.toString('utf8', 0, bytesRead)));
    return data === undefined || isBegunCall(data) ? null : data;
  } catch (error) {
    // Replaced in the meantime.
    if (error instanceof SyntaxError) return null;
    throw error;
  } finally {
    await handle.close();
  }
}
