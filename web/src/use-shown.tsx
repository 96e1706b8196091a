import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { count } from '../../src/text/figures.ts';

/** The first of many rows, and a button that shows them all; nothing in its place once they are shown. */
export function useShown<Row>(rows: readonly Row[], most: number): readonly [readonly Row[], ComponentChildren] {
  const [all, setAll] = useState(false);
  if (all || rows.length <= most) return [rows, null];
  const button = (
    <button type="button" class="small show-all" onClick={() => setAll(true)}>
      Show all {count(rows.length)}
    </button>
  );
  return [rows.slice(0, most), button];
}
