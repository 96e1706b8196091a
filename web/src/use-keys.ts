import { createContext } from 'preact';
import { useContext, useLayoutEffect, useRef } from 'preact/hooks';

import { Keys, type Press, type Shortcut } from './keys.ts';

/** One registry a page. */
export const pageKeys = new Keys();

/** How many dialogs a component is inside of. */
export const KeyLayer = createContext(0);

/** What comes first where two want the same key. */
export const RANK = { page: 0, screen: 1, row: 2 } as const;

/** The shortcuts hold while the component is there. */
export function useKeys(shortcuts: readonly Shortcut[], rank: number = RANK.screen): void {
  const layer = useContext(KeyLayer);
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  // Before the component is seen: a key that is pressed then would be lost.
  useLayoutEffect(() => pageKeys.add(layer, rank, () => latest.current), [layer, rank]);
}

/** Once, for the page. */
export function listenForKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    if (pageKeys.handle(pressOf(event))) event.preventDefault();
  });
}

function pressOf(event: KeyboardEvent): Press {
  const { target } = event;
  return {
    key: event.key,
    code: event.code,
    ctrl: event.ctrlKey || event.metaKey,
    alt: event.altKey,
    shift: event.shiftKey,
    typing: target instanceof HTMLElement && isTextField(target),
    onControl: target instanceof HTMLElement && target.closest('button, a, summary') !== null,
  };
}

function isTextField(element: HTMLElement): boolean {
  if (element instanceof HTMLInputElement) return !['radio', 'checkbox', 'button'].includes(element.type);
  return element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement || element.isContentEditable;
}
