import { z } from 'zod';

export const begunCall = z.object({
  /** The item that is about to be asked: its answer may be paid for though it never comes. */
  begun: z.string(),
  repeat: z.int().min(1),
  at: z.string(),
  /** Left out if the run's own process asks. */
  worker: z.string().optional(),
  /** Nothing else ran in the worker. */
  alone: z.literal(true).optional(),
});
export type BegunCall = Readonly<z.infer<typeof begunCall>>;

/** The part of an outcome that decides how many calls it ends. */
interface EndedCalls extends Readonly<Record<'repeat' | 'attempts', number>> {
  readonly item: string;
  readonly cached: boolean;
  readonly batch?: string | undefined;
}

export function outcomeKey(item: string, repeat: number): string {
  return `${repeat} ${item}`;
}

/** Calls that were begun and have no outcome: they are out, or were lost with the process that made them. */
export class OpenCalls {
  readonly #calls = new Map<string, BegunCall[]>();
  readonly #lost = new Set<BegunCall>();

  get total(): number {
    return this.#calls.values().reduce((sum, calls) => sum + calls.length, 0);
  }

  /** Calls whose answer cannot come any more, as far as that is known. */
  get lost(): number {
    return this.#lost.size;
  }

  [Symbol.iterator](): Iterator<BegunCall> {
    return [...this.#calls.values()].flat().values();
  }

  begin(call: BegunCall): void {
    const calls = this.#of(call.begun, call.repeat);
    // Parts of workers are read again by the next coordinator.
    if (call.worker !== undefined && calls.some(({ at, worker }) => at === call.at && worker === call.worker)) return;
    this.#calls.set(outcomeKey(call.begun, call.repeat), [...calls, call]);
  }

  /** Takes the calls of an outcome off, the latest first; the item's other calls are lost. */
  end({ item, repeat, attempts, cached, batch }: EndedCalls): void {
    const calls = this.#of(item, repeat);
    if (calls.length === 0) return;
    const answered = cached || batch !== undefined ? 0 : attempts;
    for (const call of calls.splice(Math.max(0, calls.length - answered))) this.#lost.delete(call);
    for (const call of calls) this.#lost.add(call);
    if (calls.length === 0) this.#calls.delete(outcomeKey(item, repeat));
  }

  /** Calls of an item that were begun since the coordinator started, and how many of them ran alone. */
  unanswered(item: string, repeat: number): { readonly calls: number; readonly alone: number } {
    const calls = this.#of(item, repeat).filter((call) => !this.#lost.has(call));
    return { calls: calls.length, alone: calls.filter(({ alone }) => alone === true).length };
  }

  /** Nobody waits for an answer of an earlier session. */
  loseAll(): void {
    for (const call of this) this.#lost.add(call);
  }

  #of(item: string, repeat: number): BegunCall[] {
    return this.#calls.get(outcomeKey(item, repeat)) ?? [];
  }
}
