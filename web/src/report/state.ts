import { CASE_CHANGES } from '../../../src/compare/case-change.ts';
import { ERROR_TYPES, type ErrorType } from '../../../src/judge/error-type.ts';

export const VIEWS = ['summary', 'cases', 'systems', 'figures', 'audit', 'compare', 'recipe'] as const;
export type View = (typeof VIEWS)[number];

export const SHOWS = ['all', 'wrong', 'excused', ...CASE_CHANGES] as const;
export type Show = (typeof SHOWS)[number];

/** Which cases the list shows; parts that are absent let all through. */
export interface CaseFilter {
  readonly show: Show;
  readonly error?: ErrorType;
  /** A label that is missed or spurious. */
  readonly label?: string;
  readonly rule?: string;
  /** A column that slices, and its value. */
  readonly slice?: readonly [string, string];
  readonly cases?: readonly string[];
  /** Words of its id, text, labels or items, whatever the case of their letters. */
  readonly search?: string;
}

export const SORT_KEYS = [
  'file',
  'id',
  'errors',
  'hit',
  'missed',
  'spurious',
  'excused',
  'measure',
  'change',
  'spread',
] as const;
export type SortKey = (typeof SORT_KEYS)[number];

export interface CaseSort {
  readonly by: SortKey;
  /** Which measure, if `by` is one. */
  readonly measure: string | null;
  /** Against the direction that comes naturally, which puts the worst first. */
  readonly reverse: boolean;
}

/** All that decides what is on the screen: every link carries it. */
export interface ViewState {
  readonly view: View;
  readonly filter: CaseFilter;
  readonly sort: CaseSort;
  readonly case: string | null;
  /** Place in the list of a case whose id no address can hold. */
  readonly row: number | null;
  /** `<run>.<side>.<kind>.<index>` */
  readonly item: string | null;
  /** Place in the runs of the report; null: the one that is shown unless told. */
  readonly run: number | null;
  /** Of two runs: the other one is the baseline. */
  readonly swap: boolean;
  /** The measure that the table of systems shows; null: the verdicts. */
  readonly cells: string | null;
}

export const FILE_ORDER: CaseSort = { by: 'file', measure: null, reverse: false };
export const START: ViewState = {
  view: 'summary',
  filter: { show: 'all' },
  sort: FILE_ORDER,
  case: null,
  row: null,
  item: null,
  run: null,
  swap: false,
  cells: null,
};

/** No id or label that a person would look for is longer; an address that is comes from nobody's click. */
const LONGEST = 4096;
const MOST_CASES = 2000;

/** Whether a view is a list of cases, one of which may be open. */
export function isList(view: View): boolean {
  return view === 'cases' || view === 'systems';
}

/** Whether an address brings it back as it is: half of a character pair becomes another one. */
export function isAddressable(text: string): boolean {
  return text.length <= LONGEST && text.isWellFormed();
}

/** The part of a state that opens a case: by its id, or by its place in the list where no address can hold that. */
export function caseState(id: string, row: number): Pick<ViewState, 'case' | 'row'> {
  return isAddressable(id) && id !== '' ? { case: id, row: null } : { case: null, row };
}

/** Whatever stands after `#`: what cannot be meant is taken as not said. `first` is the view without one. */
export function parseState(hash: string, first: View = START.view): ViewState {
  const given = new URLSearchParams(hash.replace(/^#/, ''));
  const text = (key: string): string | null => {
    const value = given.get(key);
    return value === null || value === '' || value.length > LONGEST ? null : value;
  };
  const [run, row] = [text('run'), text('row')];
  return {
    view: VIEWS.find((view) => view === text('view')) ?? first,
    filter: parseFilter(given, text),
    sort: parseSort(text('sort'), given.has('reverse')),
    case: text('case'),
    row: row !== null && /^\d{1,9}$/.test(row) ? Number(row) : null,
    item: text('item'),
    run: run !== null && /^\d{1,3}$/.test(run) ? Number(run) : null,
    swap: given.has('swap'),
    cells: text('cells'),
  };
}

/** The shortest address of a state: what is as it is at the start is left out. */
export function formatState(state: ViewState): string {
  const { filter, sort } = state;
  const out = new URLSearchParams({ view: state.view });
  const put = (key: string, value: string | null | undefined): void => {
    if (value !== null && value !== undefined && value !== '') out.append(key, value);
  };
  if (filter.show !== 'all') put('filter', filter.show);
  put('error', filter.error);
  put('label', filter.label);
  put('rule', filter.rule);
  if (filter.slice !== undefined) {
    out.append('slice', filter.slice[0]);
    out.append('value', filter.slice[1]);
  }
  for (const id of filter.cases ?? []) put('cases', id);
  put('search', filter.search);
  if (sort.by !== 'file') put('sort', formatSort(sort));
  if (sort.reverse) put('reverse', '1');
  put('case', state.case);
  put('row', state.row === null ? null : String(state.row));
  put('item', state.item);
  put('run', state.run === null ? null : String(state.run));
  if (state.swap) put('swap', '1');
  put('cells', state.cells);
  return `#${out.toString()}`;
}

function parseFilter(given: URLSearchParams, text: (key: string) => string | null): CaseFilter {
  const error = ERROR_TYPES.find((type) => type === text('error'));
  const [label, rule, column, search] = [text('label'), text('rule'), text('slice'), text('search')];
  const value = given.get('value');
  const cases = given
    .getAll('cases')
    .filter((id) => id !== '' && id.length <= LONGEST)
    .slice(0, MOST_CASES);
  return {
    show: SHOWS.find((show) => show === text('filter')) ?? 'all',
    ...(error === undefined ? {} : { error }),
    ...(label === null ? {} : { label }),
    ...(rule === null ? {} : { rule }),
    ...(column === null || value === null ? {} : { slice: [column, value] as const }),
    ...(cases.length === 0 ? {} : { cases }),
    ...(search === null ? {} : { search }),
  };
}

/** A sort as one word, as lists of choices have it. */
export function formatSort({ by, measure }: CaseSort): string {
  return by === 'measure' ? `${by}.${measure ?? ''}` : by;
}

export function parseSort(given: string | null, reverse: boolean): CaseSort {
  const [, measure] = /^measure\.(.+)$/s.exec(given ?? '') ?? [];
  if (measure !== undefined) return { by: 'measure', measure, reverse };
  const by = SORT_KEYS.find((key) => key === given && key !== 'measure') ?? 'file';
  return { by, measure: null, reverse };
}
