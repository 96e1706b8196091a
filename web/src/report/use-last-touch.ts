import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

const TOUCHES = ['pointerdown', 'pointermove', 'wheel', 'keydown', 'scroll'] as const;

/** When a person last did anything with the page, in ms. */
export function useLastTouch(): RefObject<number> & { current: number } {
  const last = useRef(0);
  useEffect(() => {
    const note = () => {
      last.current = Date.now();
    };
    for (const touch of TOUCHES) addEventListener(touch, note, { capture: true, passive: true });
    return () => {
      for (const touch of TOUCHES) removeEventListener(touch, note, { capture: true });
    };
  }, []);
  return last;
}
