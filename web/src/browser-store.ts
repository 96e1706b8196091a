/** The part of localStorage that is used. */
export interface TextStore {
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** What the browser keeps for this page; if its storage is disabled, values last until the page is closed. */
export const browserStore: TextStore = keepsText() ? localStorage : forgetfulStore();

/** For wishes such as the colours: a store that is full is no reason to stop. */
export function keepWish(key: string, value: string): void {
  try {
    browserStore.setItem(key, value);
  } catch {
    // It holds until the page is closed.
  }
}

function keepsText(): boolean {
  try {
    return localStorage.length >= 0;
  } catch {
    return false;
  }
}

/** Keeps until the page is closed. */
export function forgetfulStore(): TextStore {
  const kept = new Map<string, string>();
  return {
    get length() {
      return kept.size;
    },
    key: (index) => [...kept.keys()][index] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}
