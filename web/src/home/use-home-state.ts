import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

import { listen } from '../listen.ts';
import { formatHome, type HomeState, parseHome, tokenOf } from './home-state.ts';

export type Go = (change: Partial<HomeState>) => void;

/** The state that the address stands for. Going to another part is a step that the way back undoes; the rest is not. */
export function useHomeState(): { readonly state: HomeState; readonly go: Go } {
  const [state, setState] = useState(() => parseHome(location.hash));
  const latest = useRef(state);
  latest.current = state;
  useEffect(() => {
    const read = () => {
      if (tokenOf(location.hash) === null) setState(parseHome(location.hash));
    };
    return listen(window, { hashchange: read, popstate: read });
  }, []);
  const go = useCallback<Go>((change) => {
    const now = latest.current;
    const next = { ...now, ...change };
    const address = `${location.pathname}${formatHome(next)}`;
    if (next.part === now.part) history.replaceState(null, '', address);
    else history.pushState(null, '', address);
    latest.current = next;
    setState(next);
  }, []);
  return { state, go };
}
