import { useEffect, useState } from 'preact/hooks';

import { listen } from '../listen.ts';
import { formatState, parseState, type View, type ViewState } from './state.ts';

/** How long a state may be ahead of the address: browsers refuse pages that write it at every press of a held key. */
const LAG_MS = 250;

type Change = Partial<ViewState> | ((now: ViewState) => ViewState);

/** The state that the address stands for. Links change it by themselves; keys and fields through `go`. */
export interface Address {
  readonly state: ViewState;
  /** `replace`: the way back leads past it. */
  readonly go: (change: Change, how?: 'push' | 'replace') => void;
}

/** One a page. `first` is the view of an address that names none. */
export function useAddress(first: View): Address {
  const [place] = useState(() => new Place(first));
  const [state, setState] = useState(place.state);
  useEffect(() => place.listen(setState), [place]);
  return { state, go: (change, how) => place.go(change, how) };
}

class Place {
  readonly #first: View;
  state: ViewState;
  #told: (state: ViewState) => void = () => {};
  #late: ReturnType<typeof setTimeout> | undefined;

  constructor(first: View) {
    this.#first = first;
    this.state = parseState(location.hash, first);
  }

  listen(told: (state: ViewState) => void): () => void {
    this.#told = told;
    const read = () => {
      clearTimeout(this.#late);
      this.#late = undefined;
      this.#set(parseState(location.hash, this.#first));
    };
    const write = () => this.#write();
    read();
    // Also at a click: a link to where the address still is would lead nowhere, though the state has gone on.
    return listen(window, { hashchange: read, pagehide: write, click: write }, { capture: true });
  }

  go(change: Change, how: 'push' | 'replace' = 'push'): void {
    const next = typeof change === 'function' ? change(this.state) : { ...this.state, ...change };
    if (how === 'push') {
      this.#write();
      // Heard as any link is.
      location.hash = formatState(next);
      return;
    }
    this.#set(next);
    this.#late ??= setTimeout(() => this.#write(), LAG_MS);
  }

  #set(state: ViewState): void {
    this.state = state;
    this.#told(state);
  }

  #write(): void {
    if (this.#late === undefined) return;
    clearTimeout(this.#late);
    this.#late = undefined;
    history.replaceState(null, '', formatState(this.state));
  }
}
