import type { DecideRequest } from '../../../src/review/api.ts';

/** A decision that the server has not confirmed. Its id was made when it was taken, so that sending it twice is no harm. */
export interface PendingDecision {
  readonly conflict: string;
  readonly request: DecideRequest;
}

export type Delivery =
  | { readonly kind: 'saved' }
  | { readonly kind: 'later'; readonly message: string }
  | { readonly kind: 'refused'; readonly message: string };

/** Where decisions wait: the browser's storage, so that a reload loses none. */
export interface Shelf {
  read(): string | null;
  write(text: string): void;
}

export interface OutboxState {
  readonly pending: readonly PendingDecision[];
  /** Why the last attempt did not arrive; null while nothing stands in the way. */
  readonly trouble: string | null;
}

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 8000;

/** Sends decisions in the order they were taken, one after the other, until each has arrived or was refused. */
export class DecisionOutbox {
  #state: OutboxState;
  #sending = false;
  #pause = FIRST_PAUSE;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #shelf: Shelf;
  readonly #send: (decision: PendingDecision) => Promise<Delivery>;
  readonly #changed: (state: OutboxState) => void;
  readonly #refused: (decision: PendingDecision, message: string) => void;

  constructor(init: {
    readonly shelf: Shelf;
    readonly send: (decision: PendingDecision) => Promise<Delivery>;
    readonly changed: (state: OutboxState) => void;
    readonly refused: (decision: PendingDecision, message: string) => void;
  }) {
    this.#shelf = init.shelf;
    this.#send = init.send;
    this.#changed = init.changed;
    this.#refused = init.refused;
    this.#state = { pending: pendingIn(init.shelf.read()), trouble: null };
  }

  get state(): OutboxState {
    return this.#state;
  }

  put(decision: PendingDecision): void {
    this.#set({ ...this.#state, pending: [...this.#state.pending, decision] });
    this.now();
  }

  /** Tries at once: at the start, when the network is back, when the page is looked at again. */
  now(): void {
    clearTimeout(this.#timer);
    this.#pause = FIRST_PAUSE;
    void this.#deliver();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  async #deliver(): Promise<void> {
    if (this.#sending) return;
    this.#sending = true;
    try {
      for (let next = this.#state.pending[0]; next !== undefined; next = this.#state.pending[0]) {
        const delivery = await this.#send(next);
        if (delivery.kind === 'later') {
          this.#set({ ...this.#state, trouble: delivery.message });
          this.#timer = setTimeout(() => void this.#deliver(), this.#pause);
          this.#pause = Math.min(LONGEST_PAUSE, this.#pause * 2);
          return;
        }
        this.#pause = FIRST_PAUSE;
        this.#set({ pending: this.#state.pending.filter((waiting) => waiting !== next), trouble: null });
        if (delivery.kind === 'refused') this.#refused(next, delivery.message);
      }
    } finally {
      this.#sending = false;
    }
  }

  #set(state: OutboxState): void {
    if (state.pending !== this.#state.pending) this.#shelf.write(JSON.stringify(state.pending));
    this.#state = state;
    this.#changed(state);
  }
}

/** What an earlier visit left behind; what cannot be read is nothing. */
function pendingIn(text: string | null): readonly PendingDecision[] {
  if (text === null) return [];
  try {
    const found: unknown = JSON.parse(text);
    return Array.isArray(found) ? found.filter(isPending) : [];
  } catch {
    return [];
  }
}

function isPending(found: unknown): found is PendingDecision {
  if (typeof found !== 'object' || found === null || !('conflict' in found) || !('request' in found)) return false;
  const { conflict, request } = found;
  if (typeof conflict !== 'string' || typeof request !== 'object' || request === null) return false;
  return 'id' in request && typeof request.id === 'string' && 'value' in request && 'because' in request;
}
