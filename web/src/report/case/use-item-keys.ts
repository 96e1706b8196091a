import { useMemo } from 'preact/hooks';

import { useKeys } from '../../use-keys.ts';
import type { CaseItems } from './case-items.ts';
import { itemStops, nextStop } from './item-stops.ts';

/** What arrow keys belong to: fields, and frames that they scroll. */
const THEIRS = 'input, [tabindex="0"]:not(button, [role="grid"])';

/** ← and → walk through the items wherever the focus is, unless what has it wants them for itself. */
export function useItemKeys(
  items: CaseItems,
  names: readonly string[],
  selected: string | null,
  onSelect: (key: string | null) => void,
): void {
  const stops = useMemo(() => itemStops(items, names), [items, names]);
  const free = (): boolean => stops.length > 0 && document.activeElement?.matches(THEIRS) !== true;
  const walk = (by: 1 | -1): void => onSelect(nextStop(stops, selected, by));
  useKeys([
    { keys: ['ArrowRight'], does: 'next item of the case', when: free, run: () => walk(1) },
    { keys: ['ArrowLeft'], does: 'previous item of the case', when: free, run: () => walk(-1) },
  ]);
}
