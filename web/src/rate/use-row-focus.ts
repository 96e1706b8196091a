import { type RefObject } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import { listen } from '../listen.ts';
import { isSameStop, type Stop, stopKey } from './stops.ts';

/**
 * The row that keys answer: it follows the focus, and the focus follows it. Returns how to go to a row, which may appear
 * only with the next rendering.
 */
export function useRowFocus(
  within: RefObject<HTMLElement | null>,
  stops: readonly Stop[],
  first: Stop | null,
): { readonly current: Stop | null; readonly go: (stop: Stop, quietly?: boolean) => void } {
  const [key, setKey] = useState(first === null ? null : stopKey(first));
  const wanted = useRef<{ readonly key: string; readonly quietly: boolean; readonly from: Element | null } | null>(
    // An item that was begun resumes at the row where it was left; any other starts at its top.
    first === null ? null : { key: stopKey(first), quietly: isSameStop(first, stops[0] ?? null), from: null },
  );
  const stay = useRef<{ readonly row: HTMLElement; readonly top: number } | null>(null);
  const [turn, setTurn] = useState(0);

  useEffect(() => {
    const place = within.current;
    if (place === null) return undefined;
    let pressed = false;
    const follow = ({ target, type }: Event) => {
      const row = target instanceof Element ? target.closest<HTMLElement>('[data-stop]') : null;
      // A dialog that closes gives the focus back to where it was: not while it is on its way to another row.
      if (row === null || (type === 'focusin' && (pressed || wanted.current !== null))) return;
      const stop = row.dataset['stop'] ?? null;
      if (type === 'focusin') {
        setKey(stop);
        return;
      }
      const { top } = row.getBoundingClientRect();
      // Rendering in the middle of a click would reset a radio button before its change event fires.
      setTimeout(() => {
        stay.current = { row, top };
        setKey(stop);
      });
    };
    // Between press and release nothing may move, or the click would land beside what was meant.
    const press = () => {
      pressed = true;
    };
    const release = () => {
      pressed = false;
    };
    const inside = listen(place, { focusin: follow, click: follow, pointerdown: press });
    const outside = listen(window, { pointerup: release, pointercancel: release });
    return () => {
      inside();
      outside();
    };
  }, [within]);

  // The row that was left grows smaller: the one that was clicked stays under the pointer.
  useLayoutEffect(() => {
    const kept = stay.current;
    stay.current = null;
    if (kept?.row.isConnected === true) scrollBy({ top: kept.row.getBoundingClientRect().top - kept.top });
  }, [key]);

  useEffect(() => {
    const want = wanted.current;
    wanted.current = null;
    const row = want === null ? null : within.current?.querySelector(`[data-stop="${CSS.escape(want.key)}"]`);
    if (want === null || !(row instanceof HTMLElement)) return;
    // A text field would swallow the keys that move on: its row takes the focus instead.
    const target = row.matches('.text-row')
      ? row
      : (row.querySelector<HTMLElement>('input:checked') ?? row.querySelector<HTMLElement>('input') ?? row);
    const { activeElement } = document;
    // A key that was pressed since may have put the focus into a field of the row.
    const isPlaced = activeElement !== want.from && activeElement !== row && row.contains(activeElement);
    if (!isPlaced) target.focus({ preventScroll: true });
    if (!want.quietly) row.scrollIntoView({ block: 'nearest' });
  }, [turn, within]);

  const go = useCallback((stop: Stop, quietly = false) => {
    wanted.current = { key: stopKey(stop), quietly, from: document.activeElement };
    setKey(stopKey(stop));
    setTurn((n) => n + 1);
  }, []);

  return { current: stops.find((stop) => stopKey(stop) === key) ?? null, go };
}
