export const PARTS = ['runs', 'history', 'experiments', 'reviews'] as const;
export type Part = (typeof PARTS)[number];

export interface RunSort {
  readonly by: 'time' | 'name' | 'figure';
  /** Which figure, where `by` is one. */
  readonly figure: string | null;
  /** Against the direction that comes naturally: newest, first letter, best first. */
  readonly reverse: boolean;
}

/** Everything that decides what is on the screen: it is in the address, so that the back button restores it. */
export interface HomeState {
  readonly part: Part;
  readonly search: string;
  readonly task: string | null;
  readonly sort: RunSort;
  /** Paths of runs that are to be compared, the baseline first. */
  readonly selected: readonly string[];
  /** The review that is open. */
  readonly review: string | null;
  /** A run of the series whose scores over time are shown, and which of its measures; null: the first there is. */
  readonly series: string | null;
  readonly measure: string | null;
}

export const NEWEST: RunSort = { by: 'time', figure: null, reverse: false };
export const START: HomeState = {
  part: 'runs',
  search: '',
  task: null,
  sort: NEWEST,
  selected: [],
  review: null,
  series: null,
  measure: null,
};

const LONGEST = 4096;
const MOST_SELECTED = 50;

/** Whatever stands after `#`: what cannot be meant is taken as not said. */
export function parseHome(hash: string): HomeState {
  const given = new URLSearchParams(hash.replace(/^#/, ''));
  const text = (key: string): string | null => {
    const value = given.get(key);
    return value === null || value === '' || value.length > LONGEST ? null : value;
  };
  const selected = given.getAll('select').filter((path) => path !== '' && path.length <= LONGEST);
  return {
    part: PARTS.find((part) => part === text('part')) ?? START.part,
    search: text('search') ?? '',
    task: text('task'),
    sort: parseSort(text('sort'), given.has('reverse')),
    selected: [...new Set(selected)].slice(0, MOST_SELECTED),
    review: text('review'),
    series: text('series'),
    measure: text('measure'),
  };
}

/** The shortest address of a state: what is as it is at the start is left out. */
export function formatHome(state: HomeState): string {
  const out = new URLSearchParams();
  const put = (key: string, value: string | null): void => {
    if (value !== null && value !== '') out.append(key, value);
  };
  if (state.part !== START.part) put('part', state.part);
  put('search', state.search);
  put('task', state.task);
  if (state.sort.by !== 'time') put('sort', formatSort(state.sort));
  if (state.sort.reverse) put('reverse', '1');
  for (const path of state.selected) put('select', path);
  put('review', state.review);
  put('series', state.series);
  put('measure', state.measure);
  return `#${out.toString()}`;
}

/** A sort as one word, as lists of choices have it. */
export function formatSort({ by, figure }: RunSort): string {
  return by === 'figure' ? `figure.${figure ?? ''}` : by;
}

export function parseSort(given: string | null, reverse: boolean): RunSort {
  if (given?.startsWith('figure.') === true && given.length > 'figure.'.length)
    return { by: 'figure', figure: given.slice('figure.'.length), reverse };
  return { by: given === 'name' ? 'name' : 'time', figure: null, reverse };
}

/** The token of a link, where that is all that stands after `#`. */
export function tokenOf(hash: string): string | null {
  return /^#([\w-]{20,200})$/.exec(hash)?.[1] ?? null;
}

/** Where somebody wanted to go who had to come here first; null for any place but a screen of this server. */
export function targetOf(search: string, origin: string): string | null {
  const to = new URLSearchParams(search).get('to');
  if (to === null || !URL.canParse(to, origin)) return null;
  const url = new URL(to, origin);
  return url.origin === origin && /^\/(?:run|compare|project)\//.test(url.pathname) ? url.pathname + url.search : null;
}
