import { join } from 'node:path';

import { InputError } from '../../data/problems.ts';
import { LineLog, type LinePlace } from './line-log.ts';
import { type LogEntry, logEntrySchema } from './log-entry.ts';

export const LOG_FILE = 'log.jsonl';

interface Known extends LinePlace {
  readonly failed: boolean;
  /** When its first outcome began, in milliseconds: traces keep that time. */
  readonly began: number;
}

/** What became of every item so far. Memory holds where each line stands, never the answers. */
export class AnswerLog {
  readonly #lines: LineLog;
  readonly #known: Map<string, Known>;
  readonly #replaced: LinePlace[];

  private constructor(lines: LineLog, known: Map<string, Known>, replaced: LinePlace[]) {
    this.#lines = lines;
    this.#known = known;
    this.#replaced = replaced;
  }

  /** `read` is told every outcome that is there already, also those that a later one took the place of. */
  static async open(folder: string, read: (entry: LogEntry) => void = () => undefined): Promise<AnswerLog> {
    const path = join(folder, LOG_FILE);
    const known = new Map<string, Known>();
    const replaced: LinePlace[] = [];
    const lines = await LineLog.open(path, (line, place, number) => {
      const entry = parsedEntry(line);
      if (entry === null)
        throw new InputError([
          {
            file: path,
            line: number,
            message: 'this line is no outcome of an item: the log was changed or damaged',
            next: 'remove the line to run its item again',
          },
        ]);
      note(known, replaced, entry, place);
      read(entry);
    });
    return new AnswerLog(lines, known, replaced);
  }

  has(item: string, repeat: number): boolean {
    return this.#known.has(keyOf(item, repeat));
  }

  hasFailed(item: string, repeat: number): boolean {
    return this.#known.get(keyOf(item, repeat))?.failed === true;
  }

  /** Where the item's line stands, which names this outcome of it; null where there is none. */
  placeOf(item: string, repeat: number): number | null {
    return this.#known.get(keyOf(item, repeat))?.offset ?? null;
  }

  /** When the item's first outcome began, whatever took its place since; null where there is none. */
  startOf(item: string, repeat: number): string | null {
    const began = this.#known.get(keyOf(item, repeat))?.began;
    return began === undefined ? null : new Date(began).toISOString();
  }

  /** When the last item of all began; null where there is none. */
  lastStart(): string | null {
    let last = -Infinity;
    for (const { began } of this.#known.values()) last = Math.max(last, began);
    return last === -Infinity ? null : new Date(last).toISOString();
  }

  /** Resolves when it is on the disk. */
  async append(entry: LogEntry): Promise<void> {
    note(this.#known, this.#replaced, entry, await this.#lines.append(entry));
  }

  get size(): number {
    return this.#known.size;
  }

  /** Outcomes that a later one took the place of. */
  async *replaced(): AsyncGenerator<LogEntry> {
    for (const place of this.#replaced) {
      const entry = parsedEntry(await this.#lines.readAt(place));
      if (entry !== null) yield entry;
    }
  }

  async get(item: string, repeat: number): Promise<LogEntry | null> {
    const place = this.#known.get(keyOf(item, repeat));
    if (place === undefined) return null;
    const entry = parsedEntry(await this.#lines.readAt(place));
    if (entry === null) throw new Error(`the log line of item ${item} cannot be read again`);
    return entry;
  }

  async close(): Promise<void> {
    await this.#lines.close();
  }
}

function note(known: Map<string, Known>, replaced: LinePlace[], entry: LogEntry, place: LinePlace): void {
  const key = keyOf(entry.item, entry.repeat);
  const earlier = known.get(key);
  if (earlier !== undefined) replaced.push(earlier);
  const began = earlier?.began ?? Date.parse(entry.startedAt);
  known.set(key, { ...place, failed: entry.outcome === 'failed', began });
}

function keyOf(item: string, repeat: number): string {
  return `${repeat} ${item}`;
}

function parsedEntry(line: string): LogEntry | null {
  try {
    return logEntrySchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
