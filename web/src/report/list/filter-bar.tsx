import { type RefObject } from 'preact';
import { useState } from 'preact/hooks';

import { count } from '../../../../src/text/figures.ts';
import { readableText } from '../../readable-pieces.ts';
import { useReport } from '../report-context.ts';
import { RunSwitch } from '../run-switch.tsx';
import { type CaseFilter, formatState, type Show, type ViewState } from '../state.ts';
import type { CaseTable } from './case-table.ts';
import { changeMeasure } from './change.ts';
import { FilterFields } from './filter-fields.tsx';
import { SortField } from './sort-field.tsx';

const SINGLE: readonly Show[] = ['all', 'wrong', 'excused'];
const SEVERAL: readonly Show[] = [...SINGLE, 'differs', 'better', 'worse'];

/** What the list shows, how many that is, and in which order. */
export function FilterBar(props: {
  readonly table: CaseTable;
  readonly counts: Readonly<Record<Show, number>>;
  readonly shown: number;
  readonly search: RefObject<HTMLInputElement | null>;
  /** Into the list, from the field. */
  readonly onDown: () => void;
}) {
  const { head, state, go } = useReport();
  const [open, setOpen] = useState(false);
  const { filter } = state;
  const several = head.runs.length > 1;
  const link = (change: Partial<ViewState>): string => formatState({ ...state, ...change });
  const set = (next: CaseFilter): void => go({ filter: next }, 'replace');
  const parts = [filter.error, filter.label, filter.rule, filter.slice].filter((part) => part !== undefined).length;
  return (
    <div class="filter-bar">
      <RunSwitch link={(run) => link({ run })} />
      <nav class="shows" aria-label="Which cases">
        {(several ? SEVERAL : SINGLE).map((show) => (
          <a
            key={show}
            class="chip"
            href={link({ filter: { ...filter, show } })}
            aria-current={show === filter.show ? 'true' : undefined}
            title={aboutShow(show, changeMeasure(props.table))}
          >
            {show} <span class="count">{count(props.counts[show])}</span>
          </a>
        ))}
      </nav>
      <div class="filter-row">
        <input
          ref={props.search}
          type="search"
          class="search"
          placeholder="Search by id"
          aria-label="Search by id"
          aria-keyshortcuts="/"
          autocomplete="off"
          spellcheck={false}
          value={filter.search ?? ''}
          onInput={(event) => set(withSearch(filter, event.currentTarget.value))}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
            event.preventDefault();
            props.onDown();
          }}
        />
        <SortField table={props.table} />
        <button type="button" class="filters-toggle small" aria-expanded={open} onClick={() => setOpen(!open)}>
          Filter{parts > 0 ? ` (${parts})` : ''}
        </button>
        <FilterFields table={props.table} open={open} filter={filter} set={set} />
      </div>
      <p class="shown" role="status">
        <strong>{count(props.shown)}</strong> of {count(props.table.ids.length)}{' '}
        {props.table.ids.length === 1 ? 'case' : 'cases'}
        {sentence(filter)}
        {isPlain(filter) ? null : (
          <a class="clear" href={link({ filter: { show: 'all' } })}>
            Show all
          </a>
        )}
      </p>
    </div>
  );
}

function withSearch({ search: _, ...rest }: CaseFilter, search: string): CaseFilter {
  return search === '' ? rest : { ...rest, search };
}

function isPlain(filter: CaseFilter): boolean {
  return filter.show === 'all' && Object.keys(filter).length === 1;
}

/** The filter in words, for parts that are folded away or have no field. */
function sentence({ error, label, rule, slice, cases }: CaseFilter): string {
  const parts = [
    ...(cases === undefined ? [] : [`out of ${count(cases.length)} that were picked`]),
    ...(error === undefined ? [] : [`with an error of type ${error}`]),
    ...(label === undefined ? [] : [`with ${readableText(label)} missed or spurious`]),
    ...(rule === undefined ? [] : [`where the rule ${readableText(rule)} decided`]),
    ...(slice === undefined ? [] : [`where ${readableText(slice[0])} is ${readableText(slice[1])}`]),
  ];
  return parts.length === 0 ? '' : `, ${parts.join(', ')}`;
}

function aboutShow(show: Show, measure: string | null): string {
  const by = measure ?? 'the number of errors';
  switch (show) {
    case 'all':
      return 'all cases';
    case 'wrong':
      return 'cases with anything missed, spurious or short of full credit, and those that failed or have no prediction';
    case 'excused':
      return 'cases with anything excused';
    case 'differs':
      return 'cases with a verdict, a prediction or a measure that is not as in the baseline';
    case 'better':
      return `cases that are better than in the baseline, by ${by}`;
    case 'worse':
      return `cases that are worse than in the baseline, by ${by}`;
  }
}
