import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';

import { CASE_CHANGES } from '../../../../src/compare/case-change.ts';
import { changeName } from '../../../../src/report/comparison-words.ts';
import { count, percent } from '../../../../src/text/figures.ts';
import { readableText } from '../../readable-pieces.ts';
import { useReport } from '../report-context.ts';
import { RunSwitch } from '../run-switch.tsx';
import { shortName } from '../short-name.ts';
import {
  type CaseFilter,
  type CaseSort,
  formatSort,
  formatState,
  parseSort,
  type Show,
  type ViewState,
} from '../state.ts';
import type { CaseTable } from './case-table.ts';
import { FilterFields } from './filter-fields.tsx';
import type { useTextSearch } from './use-case-texts.ts';

const ABOUT_SEARCH = 'Every word has to occur; "two words" in quotes are one';
const SINGLE: readonly Show[] = ['all', 'wrong', 'excused'];
const SEVERAL: readonly Show[] = [...SINGLE, ...CASE_CHANGES];

export function FilterBar(props: {
  readonly table: CaseTable;
  readonly counts: Readonly<Record<Show, number>>;
  readonly shown: number;
  readonly found: ReturnType<typeof useTextSearch>;
  readonly search: RefObject<HTMLInputElement | null>;
  /** Into the list, from the field. */
  readonly onDown: () => void;
}) {
  const { head, state, go } = useReport();
  const { found } = props;
  const [open, setOpen] = useState(false);
  const { filter } = state;
  const several = head.runs.length > 1;
  const by = props.table.change?.name ?? null;
  const link = (change: Partial<ViewState>): string => formatState({ ...state, ...change });
  const set = (next: CaseFilter): void => go({ filter: next }, 'replace');
  const parts = [filter.error, filter.label, filter.rule, filter.slice].filter((part) => part !== undefined).length;
  return (
    <div class="filter-bar stack">
      {state.view === 'systems' ? null : <RunSwitch link={(run) => link({ run })} />}
      <nav class="shows" aria-label="Which cases">
        {(several ? SEVERAL : SINGLE).map((show) => (
          <a
            key={show}
            class="chip"
            href={link({ filter: { ...filter, show } })}
            aria-current={show === filter.show ? 'true' : undefined}
            title={aboutShow(show, by)}
          >
            {showName(show, by)} <span class="count">{count(props.counts[show])}</span>
          </a>
        ))}
      </nav>
      <div class="filter-row flow">
        <input
          ref={props.search}
          type="search"
          class="search"
          placeholder="Search texts, labels, ids"
          aria-label="Search texts, labels and ids"
          title={ABOUT_SEARCH}
          aria-keyshortcuts="/"
          autocomplete="off"
          spellcheck={false}
          value={filter.search ?? ''}
          onFocus={found.prepare}
          onInput={(event) => set(withSearch(filter, event.currentTarget.value))}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
            event.preventDefault();
            props.onDown();
          }}
        />
        {state.view === 'systems' ? <CellsField table={props.table} /> : null}
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
        {found.share < 1 ? <span class="searching"> · searched {percent(found.share, 1)}</span> : null}
        {found.fault === null ? null : <span class="fault"> · {found.fault}</span>}
        {found.words.length === 0 || head.detailsUntil === null ? null : (
          <span>
            {' '}
            · only ids of the cases after the first {count(head.detailsUntil)}, whose texts this file does not hold
          </span>
        )}
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

function showName(show: Show, by: string | null): string {
  return show === 'all' || show === 'wrong' || show === 'excused' ? show : changeName(by, show);
}

function aboutShow(show: Show, by: string | null): string {
  switch (show) {
    case 'all':
      return 'all cases';
    case 'wrong':
      return 'cases with anything missed, spurious or short of full credit, and those that failed or have no prediction';
    case 'excused':
      return 'cases with anything excused';
    case 'worse':
    case 'better':
    case 'unchanged':
      return `${changeName(by, show)} against the baseline${by === null ? '' : `, by ${by}`}`;
    case 'others':
      return by === null ? 'as many errors as the baseline, but not the same ones' : 'a value in one run only';
  }
}

interface Choice {
  readonly value: string;
  readonly words: string;
}

function SortField(props: { readonly table: CaseTable }) {
  const { head, state, go } = useReport();
  const choices: readonly Choice[] = [
    { value: 'file', words: 'order of the file' },
    { value: 'errors', words: 'most errors' },
    { value: 'id', words: 'id' },
    ...props.table.measures.map((name) => ({ value: `measure.${name}`, words: `worst ${readableText(name)}` })),
    ...(head.runs.length > 1 ? [{ value: 'change', words: 'change, worst first' }] : []),
    ...(state.view === 'systems' ? [{ value: 'spread', words: 'difference, largest first' }] : []),
  ];
  const value = formatSort(state.sort);
  const shown = choices.some((choice) => choice.value === value)
    ? choices
    : [...choices, { value, words: wordsOf(state.sort) }];
  return (
    <select
      class="sort-field"
      aria-label="Order"
      value={value}
      onChange={(event) => go({ sort: parseSort(event.currentTarget.value, false) }, 'replace')}
    >
      {shown.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.words}
          {choice.value === value && state.sort.reverse ? ', reversed' : ''}
        </option>
      ))}
    </select>
  );
}

function wordsOf({ by, measure }: CaseSort): string {
  if (by === 'spread') return 'difference';
  return by === 'measure' ? `worst ${readableText(measure ?? '')}` : `most ${by}`;
}

/** What the cells of the table of systems show. */
function CellsField(props: { readonly table: CaseTable }) {
  const { state, go } = useReport();
  const choose = (cells: string | null): void => go({ cells }, 'replace');
  return (
    <select
      aria-label="Cells"
      value={state.cells ?? ''}
      onChange={({ currentTarget }) => choose(currentTarget.value === '' ? null : currentTarget.value)}
    >
      <option value="">verdicts</option>
      {props.table.measures.map((name) => (
        <option key={name} value={name}>
          {shortName(name)}
        </option>
      ))}
    </select>
  );
}
