import type { ReviewCell } from '../../../src/store/review-records.ts';
import type { TextStore } from '../browser-store.ts';

export type Act =
  | { readonly kind: 'answer'; readonly cell: ReviewCell }
  | { readonly kind: 'commit' }
  | { readonly kind: 'reopen' };

/** Something done that the server does not have yet. */
export interface KeptEntry {
  readonly id: string;
  readonly item: string;
  readonly act: Act;
  /** Characters that it takes up in a request, about. */
  readonly size: number;
}

interface Parts {
  readonly store: TextStore;
  readonly owner: string;
  readonly items: ReadonlySet<string>;
  readonly newId: () => string;
  readonly now: () => number;
}

interface Slot extends KeptEntry {
  readonly key: string;
  readonly sent: boolean;
}

const PREFIX = 'assay.unsent';

/** One key of the browser's store for each entry, so that two tabs of one person do not overwrite each other's. */
export class KeptEntries {
  readonly #parts: Parts;
  #slots: readonly Slot[];
  #count = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#slots = leftOver(parts);
  }

  /** Oldest first. */
  get all(): readonly KeptEntry[] {
    return this.#slots;
  }

  /** An answer takes the place of an earlier one to the same question that was never sent. */
  put(item: string, act: Act): void {
    const replaced = act.kind === 'answer' ? this.#replaceable(item, act.cell) : undefined;
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
  markSent(entries: readonly KeptEntry[]): void {
    const ids = new Set(entries.map(({ id }) => id));
    this.#slots = this.#slots.map((slot) => (ids.has(slot.id) ? { ...slot, sent: true } : slot));
  }

  drop(entries: readonly KeptEntry[]): void {
    const ids = new Set(entries.map(({ id }) => id));
    for (const { key } of this.#slots.filter(({ id }) => ids.has(id))) this.#parts.store.removeItem(key);
    this.#slots = this.#slots.filter(({ id }) => !ids.has(id));
  }

  #replaceable(item: string, { field, part }: ReviewCell): Slot | undefined {
    const own = this.#slots.filter((slot) => slot.item === item);
    const since = own.slice(own.findLastIndex(({ act }) => act.kind !== 'answer') + 1);
    return since.find(
      ({ sent, act }) => !sent && act.kind === 'answer' && act.cell.field === field && act.cell.part === part,
    );
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

function prefixOf({ owner }: Pick<Parts, 'owner'>): string {
  return `${PREFIX}/${encodeURIComponent(owner)}/`;
}

/** What an earlier visit could not send; the server may have some of it. */
function leftOver(parts: Parts): readonly Slot[] {
  const prefix = prefixOf(parts);
  return keysOf(parts.store)
    .filter((key) => key.startsWith(prefix))
    .toSorted()
    .flatMap((key) => {
      const text = parts.store.getItem(key) ?? '';
      const entry = parseEntry(text);
      if (entry === null || !parts.items.has(entry.item)) return [];
      return [{ ...entry, key, size: text.length, sent: true }];
    });
}

function parseEntry(text: string): Omit<KeptEntry, 'size'> | null {
  try {
    const entry: unknown = JSON.parse(text);
    return isEntry(entry) ? entry : null;
  } catch {
    return null;
  }
}

function isEntry(value: unknown): value is Omit<KeptEntry, 'size'> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    typeof value.id === 'string' &&
    'item' in value &&
    typeof value.item === 'string' &&
    'act' in value &&
    typeof value.act === 'object' &&
    value.act !== null &&
    'kind' in value.act &&
    (value.act.kind === 'commit' || value.act.kind === 'reopen' || (value.act.kind === 'answer' && 'cell' in value.act))
  );
}
