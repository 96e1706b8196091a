import type { RefObject } from 'preact';

import { useKeys } from '../../use-keys.ts';

const PAGE = 20;

/** Keys of the list: j and k move, Enter opens, Escape goes back. Arrows move too while the list has the focus. */
export function useListKeys(given: {
  readonly grid: RefObject<HTMLElement | null>;
  readonly search: RefObject<HTMLInputElement | null>;
  /** Index of the current case in the list; -1 without one. */
  readonly at: number;
  readonly of: number;
  readonly isOpen: boolean;
  /** Makes the case at a place the current one; opens it where one is open, or where told. */
  readonly move: (to: number, open: boolean) => void;
  /** Closes the innermost thing that is open: an item of the case, else the case. */
  readonly close: () => void;
}): void {
  const { at, of, isOpen, move } = given;
  const inList = (): boolean => given.grid.current?.contains(document.activeElement) ?? false;
  const step = (by: number, open: boolean): void => {
    if (of > 0) move(Math.min(of - 1, Math.max(0, at < 0 && by > 0 ? 0 : at + by)), open || isOpen);
  };
  useKeys([
    { keys: ['j'], does: 'next case', run: () => step(1, false) },
    { keys: ['k'], does: 'previous case', run: () => step(-1, false) },
    { keys: ['ArrowDown'], does: 'next case', unlisted: true, when: inList, run: () => step(1, false) },
    { keys: ['ArrowUp'], does: 'previous case', unlisted: true, when: inList, run: () => step(-1, false) },
    { keys: ['n'], does: 'open the next case', run: () => step(1, true) },
    { keys: ['p'], does: 'open the previous case', run: () => step(-1, true) },
    // On a link or a button it is theirs: `Keys` leaves it to them.
    { keys: ['Enter'], does: 'open the marked case', when: () => !isOpen, run: () => at >= 0 && move(at, true) },
    { keys: ['PageDown'], does: 'a page down', unlisted: true, when: inList, run: () => step(PAGE, false) },
    { keys: ['PageUp'], does: 'a page up', unlisted: true, when: inList, run: () => step(-PAGE, false) },
    { keys: ['Home'], does: 'first case', unlisted: true, when: inList, run: () => step(-of, false) },
    { keys: ['End'], does: 'last case', unlisted: true, when: inList, run: () => step(of, false) },
    { keys: ['/'], does: 'search', run: () => given.search.current?.select() },
    {
      keys: ['Escape'],
      does: isOpen ? 'close the case' : 'leave the search',
      run: () => {
        if (document.activeElement === given.search.current) given.grid.current?.focus({ preventScroll: true });
        else if (isOpen) given.close();
      },
    },
  ]);
}
