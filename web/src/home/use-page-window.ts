import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

import { type RowWindow, rowWindow } from '../report/list/row-window.ts';

/** What a row needs, in px, and where it becomes a card: runs.css lays out both. */
const WIDE_ROW = 62;
const NARROW_ROW = 164;
const NARROW = '(width < 60rem)';

export interface PageWindow extends RowWindow {
  readonly rowHeight: number;
}

/** Which rows of a list are in view, where it is the page that scrolls. */
export function usePageWindow(body: RefObject<HTMLElement | null>, rows: number): PageWindow {
  const [seen, setSeen] = useState({ above: 0, view: innerHeight, rowHeight: rowHeightNow() });
  useLayoutEffect(() => {
    const look = (): void => {
      const own = body.current;
      if (own === null) return;
      const rowHeight = rowHeightNow();
      // In steps of a row: within one the same rows are drawn.
      const above = Math.floor(-own.getBoundingClientRect().top / rowHeight) * rowHeight;
      setSeen((held) =>
        held.above === above && held.view === innerHeight && held.rowHeight === rowHeight
          ? held
          : { above, view: innerHeight, rowHeight },
      );
    };
    look();
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    return () => {
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  }, [body, rows]);
  const { above, view, rowHeight } = seen;
  return { ...rowWindow(rows, rowHeight, above, view), rowHeight };
}

function rowHeightNow(): number {
  return matchMedia(NARROW).matches ? NARROW_ROW : WIDE_ROW;
}
