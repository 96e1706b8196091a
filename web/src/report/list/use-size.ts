import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** How large an element is, now and after every change of the window. */
export function useSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const own = element.current;
    if (own === null) return;
    const look = () =>
      setSize((held) =>
        held.width === own.clientWidth && held.height === own.clientHeight
          ? held
          : { width: own.clientWidth, height: own.clientHeight },
      );
    look();
    const watch = new ResizeObserver(look);
    watch.observe(own);
    return () => watch.disconnect();
  }, [element]);
  return size;
}
