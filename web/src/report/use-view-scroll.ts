import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

import type { View } from './state.ts';

/** Each view is found again where it was left. */
export function useViewScroll(view: View): void {
  const places = useRef(new Map<View, number>());
  const shown = useRef(view);
  useEffect(() => {
    const note = () => void places.current.set(shown.current, scrollY);
    addEventListener('scroll', note, { passive: true });
    return () => removeEventListener('scroll', note);
  }, []);
  useLayoutEffect(() => {
    if (shown.current === view) return;
    shown.current = view;
    scrollTo(0, places.current.get(view) ?? 0);
  }, [view]);
}
