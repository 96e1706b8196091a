import { join } from 'node:path';

import { z } from 'zod';

import { answerShape, failureShape, triedShape } from '../targets/target.ts';
import { type LinePlace, openLineLog } from './line-log.ts';
import { type BegunCall, begunCall, OpenCalls, outcomeKey } from './open-calls.ts';

export const LOG_FILE = 'log.jsonl';

const { output, passages, usage, raw } = answerShape.shape;

const logged = z.object({
  item: z.string(),
  /** From 1. */
  repeat: z.int().min(1),
  usage,
  cost: z.number().nullable(),
  latencyMs: z.number().nullable(),
  raw,
  attempts: z.int(),
  /** Attempts that failed before this outcome, of earlier calls too; left out where there were none. */
  tries: z.array(triedShape).readonly().optional(),
  /** The answer was there from an earlier call: nothing was paid for it now. */
  cached: z.boolean(),
  /** The provider's id of the batch that answered, at the price of batches; left out if a single call did. */
  batch: z.string().optional(),
  startedAt: z.string(),
  endedAt: z.string(),
  /** Two workers were asked the same: the other answer stands, and this one counts for its cost only. */
  duplicate: z.literal(true).optional(),
  /** The task whose measures can read the output; left out where nobody has looked. */
  readableFor: z.string().optional(),
});

const answered = logged.extend({ outcome: z.literal('answered'), output, passages });
const failed = logged.extend({ outcome: z.literal('failed'), ...failureShape.shape });

const logEntrySchema = z.discriminatedUnion('outcome', [answered, failed]);
/** What became of one item: a line of log.jsonl. A later line of the same item and repeat takes its place. */
export type LogEntry = Readonly<z.infer<typeof logEntrySchema>>;

export type LogLine = LogEntry | BegunCall;

export function isBegunCall(line: LogLine): line is BegunCall {
  return 'begun' in line;
}

/** How a line of a log is read. */
export const LOG_LINES = {
  schema: z.union([logEntrySchema, begunCall]),
  message: 'this line is no outcome of an item: the log was changed or damaged',
  next: 'remove the line to run its item again',
};

/** What is remembered of an outcome; the place of its line names it. */
interface Known extends LinePlace {
  readonly failed: boolean;
  /** When the item's first outcome began, whatever took its place since, in milliseconds: traces keep that time. */
  readonly began: number;
  /** How many outcomes the item has had. */
  readonly outcomes: number;
}

export type AnswerLog = Awaited<ReturnType<typeof openAnswerLog>>;

/** The outcomes so far. Memory holds the places of lines only; `read` gets every outcome, including replaced ones. */
export async function openAnswerLog(folder: string, read: (entry: LogEntry) => void = () => undefined) {
  const outcomes = new Map<string, Known>();
  const replaced: LinePlace[] = [];
  const note = (entry: LogEntry, place: LinePlace): void => {
    calls.end(entry);
    const key = outcomeKey(entry.item, entry.repeat);
    const earlier = outcomes.get(key);
    if (entry.duplicate === true && earlier !== undefined) {
      replaced.push(place);
      return;
    }
    if (earlier !== undefined) replaced.push(earlier);
    const began = earlier?.began ?? Date.parse(entry.startedAt);
    const times = (earlier?.outcomes ?? 0) + 1;
    outcomes.set(key, { ...place, failed: entry.outcome === 'failed', began, outcomes: times });
  };
  const calls = new OpenCalls();
  const written = new Set<BegunCall>();
  const lines = await openLineLog<LogLine>(join(folder, LOG_FILE), LOG_LINES, (line, place) => {
    if (isBegunCall(line)) {
      calls.begin(line);
      if (line.worker !== undefined) written.add(line);
      return;
    }
    note(line, place);
    read(line);
  });
  calls.loseAll();
  const entryAt = async (place: LinePlace): Promise<LogEntry> => {
    const line = await lines.readAt(place);
    if (isBegunCall(line)) throw new Error(`${LOG_FILE} changed while it was read`);
    return line;
  };
  const known = (item: string, repeat: number): Known | undefined => outcomes.get(outcomeKey(item, repeat));
  return {
    known,
    has: (item: string, repeat: number): boolean => known(item, repeat) !== undefined,
    hasFailed: (item: string, repeat: number): boolean => known(item, repeat)?.failed === true,
    lastStart(): string | undefined {
      const last = outcomes.values().reduce((latest, { began }) => Math.max(latest, began), -Infinity);
      return last === -Infinity ? undefined : new Date(last).toISOString();
    },
    get size(): number {
      return outcomes.size;
    },
    /** Resolves when it is on the disk. */
    append: async (entry: LogEntry): Promise<void> => note(entry, await lines.append(entry)),
    async get(item: string, repeat: number): Promise<LogEntry | null> {
      const place = known(item, repeat);
      return place === undefined ? null : entryAt(place);
    },
    async *replaced(): AsyncGenerator<LogEntry> {
      for (const place of replaced) yield await entryAt(place);
    },
    calls,
    /** Resolves when it is on the disk: the call may be made. */
    async begin(call: BegunCall): Promise<void> {
      await lines.append(call);
      calls.begin(call);
    },
    /** Calls that only the parts of workers name, before these are removed. */
    async keepCalls(): Promise<void> {
      const added = [...calls].filter((call) => call.worker !== undefined && !written.has(call));
      for (const call of added) written.add(call);
      await Promise.all(added.map((call) => lines.append(call)));
    },
    close: () => lines.close(),
  };
}
