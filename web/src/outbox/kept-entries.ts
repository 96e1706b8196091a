import type { TextStore } from '../browser-store.ts';

/** Something done that the server does not have yet. */
export interface KeptEntry<Act> {
  readonly id: string;
  /** The item or the conflict that it is about. */
  readonly item: string;
  readonly act: Act;
  /** Characters that it takes up in a request, about. */
  readonly size: number;
}

export interface KeptParts<Act> {
  readonly store: TextStore;
  /** Whose entries these are, so that a new link of the same person sends what an old one could not. */
  readonly owner: string;
  /** Entries of other items stay where they are. */
  readonly isOurs: (item: string) => boolean;
  readonly isAct: (value: unknown) => value is Act;
  /** The question that an act answers: a later act replaces the answer. Null for an act that stands alone. */
  readonly topic: (act: Act) => string | null;
  readonly newId: () => string;
  readonly now: () => number;
}

interface Slot<Act> extends KeptEntry<Act> {
  readonly key: string;
  readonly sent: boolean;
}

const PREFIX = 'assay.unsent';

/** One key of the browser's store for each entry, so that two tabs of one person do not overwrite each other's. */
export class KeptEntries<Act> {
  readonly #parts: KeptParts<Act>;
  #slots: readonly Slot<Act>[];
  #count = 0;

  constructor(parts: KeptParts<Act>) {
    this.#parts = parts;
    this.#slots = leftOver(parts);
  }

  /** Oldest first. */
  get all(): readonly KeptEntry<Act>[] {
    return this.#slots;
  }

  /** An answer takes the place of an earlier one to the same question that was never sent. */
  put(item: string, act: Act): void {
    const replaced = this.#replaceable(item, this.#parts.topic(act));
    const id = replaced?.id ?? this.#parts.newId();
    const text = JSON.stringify({ id, item, act });
    const slot = { key: replaced?.key ?? this.#newKey(id), id, item, act, size: text.length, sent: false };
    try {
      this.#parts.store.setItem(slot.key, text);
    } catch {
      // The browser keeps no more: it is still in memory, and goes out as soon as the server answers.
    }
    this.#slots =
      replaced === undefined ? [...this.#slots, slot] : this.#slots.map((other) => (other === replaced ? slot : other));
  }

  /** From now on the server may have them. */
  markSent(entries: readonly KeptEntry<Act>[]): void {
    const ids = new Set(entries.map(({ id }) => id));
    this.#slots = this.#slots.map((slot) => (ids.has(slot.id) ? { ...slot, sent: true } : slot));
  }

  drop(entries: readonly KeptEntry<Act>[]): void {
    const ids = new Set(entries.map(({ id }) => id));
    for (const { key } of this.#slots.filter(({ id }) => ids.has(id))) this.#parts.store.removeItem(key);
    this.#slots = this.#slots.filter(({ id }) => !ids.has(id));
  }

  #replaceable(item: string, topic: string | null): Slot<Act> | undefined {
    if (topic === null) return undefined;
    const own = this.#slots.filter((slot) => slot.item === item);
    const since = own.slice(own.findLastIndex(({ act }) => this.#parts.topic(act) === null) + 1);
    return since.find(({ sent, act }) => !sent && this.#parts.topic(act) === topic);
  }

  /** Keys sort in the order in which they were made. */
  #newKey(id: string): string {
    this.#count += 1;
    const time = String(this.#parts.now()).padStart(15, '0');
    return `${prefixOf(this.#parts)}${time}-${String(this.#count).padStart(6, '0')}-${id}`;
  }
}

/** How much of anybody's is in a browser: all that is known before somebody has signed in. */
export function keptCount(store: TextStore): number {
  return keysOf(store).filter((key) => key.startsWith(`${PREFIX}/`)).length;
}

function keysOf(store: TextStore): readonly string[] {
  return Array.from({ length: store.length }, (_, index) => store.key(index) ?? '');
}

function prefixOf({ owner }: { readonly owner: string }): string {
  return `${PREFIX}/${encodeURIComponent(owner)}/`;
}

/** What an earlier visit could not send; the server may have some of it. */
function leftOver<Act>(parts: KeptParts<Act>): readonly Slot<Act>[] {
  const prefix = prefixOf(parts);
  return keysOf(parts.store)
    .filter((key) => key.startsWith(prefix))
    .toSorted()
    .flatMap((key) => {
      const text = parts.store.getItem(key) ?? '';
      const { id, item, act } = parsed(text);
      if (typeof id !== 'string' || typeof item !== 'string' || !parts.isOurs(item) || !parts.isAct(act)) return [];
      return [{ id, item, act, key, size: text.length, sent: true }];
    });
}

function parsed(text: string): { readonly id?: unknown; readonly item?: unknown; readonly act?: unknown } {
  try {
    const entry: unknown = JSON.parse(text);
    return typeof entry === 'object' && entry !== null ? entry : {};
  } catch {
    return {};
  }
}
