import type { ComponentChildren } from 'preact';

import type { CaseLine } from './case-items.ts';
import { VERDICT_SIGNS } from './verdict-words.ts';

/** How a part of a case knows what is selected, and selects. */
export interface Selecting {
  readonly isSelected: (key: string) => boolean;
  readonly onSelect: (key: string | null) => void;
}

export interface Picking extends Selecting {
  readonly selected: string | null;
  readonly stressed: { readonly own: ReadonlySet<string>; readonly partners: ReadonlySet<string> };
}

/** An item as one of many to pick, by its sign and its words. */
export function Pill(
  props: Selecting & {
    readonly item: string;
    readonly verdict: CaseLine['record']['verdict'];
    readonly children: ComponentChildren;
  },
) {
  const { item, verdict } = props;
  return (
    <li>
      <button
        type="button"
        class={`pill ${verdict}`}
        aria-pressed={props.isSelected(item)}
        onClick={() => props.onSelect(item)}
      >
        <span aria-hidden="true">{VERDICT_SIGNS[verdict]}</span>
        <span class="unseen">{verdict}: </span>
        {props.children}
      </button>
    </li>
  );
}
