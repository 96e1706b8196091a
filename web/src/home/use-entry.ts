import { useEffect, useState } from 'preact/hooks';

import { targetOf, tokenOf } from './home-state.ts';
import { enter } from './live-api.ts';

export interface EntryState {
  /** Changes when somebody was let in: what was refused before is to be asked again. Null while that is not known yet. */
  readonly turn: number | null;
  /** The token that was brought is not the right one. */
  readonly refused: boolean;
  /** Somebody was on the way to a report and is about to go there. */
  readonly leads: boolean;
  readonly bring: (token: string) => void;
  /** To where somebody wanted to go, if anywhere. */
  readonly goOn: () => void;
}

/** The token of a link is brought to the server once and then kept out of sight: a browser remembers addresses. */
export function useEntry(): EntryState {
  const [turn, setTurn] = useState<number | null>(() => (tokenOf(location.hash) === null ? 0 : null));
  const [refused, setRefused] = useState(false);
  const target = targetOf(location.search, location.origin);
  const bring = (token: string): void => {
    enter(token).then(
      (isRight) => {
        setRefused(!isRight);
        if (isRight) setTurn((now) => (now ?? 0) + 1);
      },
      // The server does not answer: the page reports it and keeps asking.
      () => setTurn((now) => now ?? 0),
    );
  };
  useEffect(() => {
    const read = (): void => {
      const token = tokenOf(location.hash);
      if (token === null) return;
      history.replaceState(null, '', `${location.pathname}${location.search}`);
      bring(token);
    };
    read();
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  const goOn = (): void => {
    if (target !== null) location.replace(`${target}${location.hash}`);
  };
  return { turn, refused, leads: target !== null, bring, goOn };
}
