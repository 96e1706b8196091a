import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const MARGIN = '1200px';

/**
 * Which children of a frame are or were near to what is in view, by their order; null: all of them. Thousands of marks
 * are drawn as one comes to them, and at once for paper.
 */
export function useNear(frame: RefObject<HTMLElement | null>, lazy: boolean): ReadonlySet<number> | null {
  const [near, setNear] = useState<ReadonlySet<number>>(new Set());
  const [all, setAll] = useState(false);
  useEffect(() => {
    const held = frame.current;
    if (held === null || !lazy) return undefined;
    const places = new Map([...held.children].map((child, at) => [child, at]));
    const options = { rootMargin: `${MARGIN} 0px`, scrollMargin: `${MARGIN} 0px` };
    const observer = new IntersectionObserver((entries) => {
      const come = entries
        .filter(({ isIntersecting }) => isIntersecting)
        .flatMap(({ target }) => places.get(target) ?? []);
      if (come.length > 0) setNear((before) => new Set([...before, ...come]));
      for (const { target, isIntersecting } of entries) if (isIntersecting) observer.unobserve(target);
    }, options);
    for (const child of places.keys()) observer.observe(child);
    const drawAll = (): void => setAll(true);
    addEventListener('beforeprint', drawAll);
    return () => {
      observer.disconnect();
      removeEventListener('beforeprint', drawAll);
    };
  }, [frame, lazy]);
  return lazy && !all ? near : null;
}
