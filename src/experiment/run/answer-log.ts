import { join } from 'node:path';

import { z } from 'zod';

import { usageShape } from '../limits/usage.ts';
import { FAILURE_KINDS, passageShape } from '../targets/target.ts';
import { type LineKind, LineLog, type LinePlace } from './line-log.ts';

export const LOG_FILE = 'log.jsonl';

const failure = { kind: z.enum(FAILURE_KINDS), message: z.string() };
const times = { startedAt: z.string(), endedAt: z.string() };

const logged = {
  item: z.string(),
  /** From 1. */
  repeat: z.int().min(1),
  usage: usageShape.nullable(),
  cost: z.number().nullable(),
  latencyMs: z.number().nullable(),
  /** What a model said, word for word, where something was made of it. */
  raw: z.string().nullable(),
  attempts: z.int(),
  /** Attempts that failed before this outcome, of earlier calls too; left out where there were none. */
  tries: z
    .array(z.object({ ...failure, ...times }))
    .readonly()
    .optional(),
  /** The answer was there from an earlier call: nothing was paid for it now. */
  cached: z.boolean(),
  ...times,
  /** The task whose measures can read the output; left out where nobody has looked. */
  readableFor: z.string().optional(),
};

const answered = z.object({
  ...logged,
  outcome: z.literal('answered'),
  output: z.unknown(),
  passages: z.array(passageShape).readonly().nullable(),
});
const failed = z.object({ ...logged, outcome: z.literal('failed'), ...failure });

const logEntrySchema = z.discriminatedUnion('outcome', [answered, failed]);
/** What became of one item: a line of log.jsonl. A later line of the same item and repeat takes its place. */
export type LogEntry = Readonly<z.infer<typeof logEntrySchema>>;
export type AnsweredEntry = Readonly<z.infer<typeof answered>>;
export type FailedEntry = Readonly<z.infer<typeof failed>>;

const ENTRIES: LineKind<LogEntry> = {
  schema: logEntrySchema,
  message: 'this line is no outcome of an item: the log was changed or damaged',
  next: 'remove the line to run its item again',
};

/** What is remembered of an outcome; where its line stands names it. */
interface Known extends LinePlace {
  readonly failed: boolean;
  /** When the item's first outcome began, whatever took its place since, in milliseconds: traces keep that time. */
  readonly began: number;
}

/** An item and a repeat as one key. */
export function outcomeKey(item: string, repeat: number): string {
  return `${repeat} ${item}`;
}

/** What became of every item so far. Memory holds where each line stands, never the answers. */
export class AnswerLog {
  readonly #lines: LineLog<LogEntry>;
  readonly #known: Map<string, Known>;
  readonly #replaced: LinePlace[];

  private constructor(lines: LineLog<LogEntry>, known: Map<string, Known>, replaced: LinePlace[]) {
    this.#lines = lines;
    this.#known = known;
    this.#replaced = replaced;
  }

  /** `read` is told every outcome that is there already, also those that a later one took the place of. */
  static async open(folder: string, read: (entry: LogEntry) => void = () => undefined): Promise<AnswerLog> {
    const known = new Map<string, Known>();
    const replaced: LinePlace[] = [];
    const lines = await LineLog.open(join(folder, LOG_FILE), ENTRIES, (entry, place) => {
      note(known, replaced, entry, place);
      read(entry);
    });
    return new AnswerLog(lines, known, replaced);
  }

  has(item: string, repeat: number): boolean {
    return this.known(item, repeat) !== undefined;
  }

  hasFailed(item: string, repeat: number): boolean {
    return this.known(item, repeat)?.failed === true;
  }

  known(item: string, repeat: number): Known | undefined {
    return this.#known.get(outcomeKey(item, repeat));
  }

  /** When the last item of all began; undefined where there is none. */
  lastStart(): string | undefined {
    const last = this.#known.values().reduce((latest, { began }) => Math.max(latest, began), -Infinity);
    return last === -Infinity ? undefined : new Date(last).toISOString();
  }

  get size(): number {
    return this.#known.size;
  }

  /** Resolves when it is on the disk. */
  async append(entry: LogEntry): Promise<void> {
    note(this.#known, this.#replaced, entry, await this.#lines.append(entry));
  }

  async get(item: string, repeat: number): Promise<LogEntry | null> {
    const place = this.known(item, repeat);
    return place === undefined ? null : this.#lines.readAt(place);
  }

  /** Outcomes that a later one took the place of. */
  async *replaced(): AsyncGenerator<LogEntry> {
    for (const place of this.#replaced) yield await this.#lines.readAt(place);
  }

  async close(): Promise<void> {
    await this.#lines.close();
  }
}

function note(known: Map<string, Known>, replaced: LinePlace[], entry: LogEntry, place: LinePlace): void {
  const key = outcomeKey(entry.item, entry.repeat);
  const earlier = known.get(key);
  if (earlier !== undefined) replaced.push(earlier);
  const began = earlier?.began ?? Date.parse(entry.startedAt);
  known.set(key, { ...place, failed: entry.outcome === 'failed', began });
}
