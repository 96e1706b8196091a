import type { ReportHead } from '../../../../src/report/html/report-data.ts';
import type { CaseSort, SortKey } from '../state.ts';
import type { CaseTable } from './case-table.ts';

export type ColumnKind =
  | 'id'
  | 'hit'
  | 'missed'
  | 'spurious'
  | 'excused'
  | 'bar'
  | 'measure'
  | 'change'
  | 'what'
  | 'system'
  | 'spread';

export interface ListColumn {
  readonly key: string;
  readonly kind: ColumnKind;
  readonly title: string;
  /** In full, where the title is cut. */
  readonly about: string;
  /** Above the title, such as the run. */
  readonly over: string | null;
  readonly width: string;
  readonly number: boolean;
  /** null: it cannot be sorted by. */
  readonly sort: { readonly by: SortKey; readonly measure: string | null } | null;
  readonly measure: string | null;
  readonly run: number;
}

/** Below this many pixels titles are cut, above the other there is room for words. */
const COMPACT = 540;
/** Below these there is no room for every count, or for any; and for no third run. */
const NARROW = 380;
const NARROWER = 320;
const ROOMY = 900;
const MOST_RUNS = 3;
/** Of a column of numbers, and of a letter of its title, in rem. */
const NARROWEST = 3.75;
const LETTER = 0.5;
const COUNTS = ['hit', 'missed', 'spurious', 'excused'] as const;
const ERRORS = ['missed', 'spurious'] as const;
const SHORT = { hit: 'hit', missed: 'mis.', spurious: 'spur.', excused: 'exc.' } as const;

/** What the list shows of a case in so much room. */
export function columnsFor(
  table: CaseTable,
  head: Pick<ReportHead, 'runs'>,
  run: number,
  width: number,
): readonly ListColumn[] {
  const compact = width < COMPACT;
  const roomy = width >= ROOMY;
  const several = head.runs.length > 1;
  const kinds = width >= NARROW ? COUNTS : width >= NARROWER ? ERRORS : [];
  const counts = kinds.map((kind) =>
    column(kind, run, {
      title: compact ? SHORT[kind] : kind,
      about: several ? `${kind} in ${head.runs[run]?.name ?? ''}` : kind,
      width: compact ? '2.375rem' : roomy ? '4.5rem' : '3.75rem',
      number: true,
      sort: { by: kind, measure: null },
    }),
  );
  const bar = column('bar', run, {
    title: '',
    about: 'verdicts as a bar',
    width: compact ? '2.5rem' : roomy ? '6rem' : '4rem',
  });
  const shownRuns = several ? runsShown(head.runs.length, run, width < NARROW ? 2 : MOST_RUNS) : [run];
  // Without counts before it there is room for a name.
  const most = compact ? 3.25 : roomy || shownRuns.length === 2 ? 7 : NARROWEST;
  const measures = table.measures
    .slice(0, roomy && !several ? 3 : 1)
    .flatMap((measure) => shownRuns.map((place) => measureColumn(measure, place, run, head, several, most)));
  return [
    column('id', run, { title: 'case', width: 'minmax(5rem, 1fr)', sort: { by: 'id', measure: null } }),
    ...(several && !roomy ? [] : counts),
    ...(several && compact ? [] : [bar]),
    ...measures,
    ...(several ? [changeColumn(table, head, run)] : []),
    ...(roomy ? [column('what', run, { title: 'what is wrong', width: 'minmax(12rem, 2.2fr)' })] : []),
  ];
}

/** A column for each system, with its verdicts or a measure, and how far apart they are. */
export function systemColumns(
  table: CaseTable,
  head: Pick<ReportHead, 'runs'>,
  cells: string | null,
): readonly ListColumn[] {
  const of = table.change?.name ?? 'errors';
  const systems = head.runs.map(({ name }, run): ListColumn => ({
    ...column('system', run, {
      title: name,
      about: `${cells ?? 'verdicts'} of ${name}`,
      over: run === 0 ? 'baseline' : null,
      width: cells === null ? 'minmax(6.5rem, 1fr)' : 'minmax(4.5rem, 1fr)',
      sort: cells === null ? { by: 'errors', measure: null } : { by: 'measure', measure: cells },
      measure: cells,
    }),
    key: `system ${run}`,
  }));
  const isPair = head.runs.length === 2;
  const difference = column('spread', 1, {
    title: 'difference',
    about: isPair ? `${of} less that of the baseline` : `the largest less the smallest ${of}`,
    width: '6.25rem',
    number: true,
    sort: { by: 'spread', measure: null },
  });
  // Whether a run has the case is in the run's own column.
  const id = column('id', -1, { title: 'case', width: 'minmax(5rem, 1fr)', sort: { by: 'id', measure: null } });
  return [id, ...systems, difference];
}

/** The baseline, the run that is looked at, and what else there is room for. */
function runsShown(runs: number, run: number, most: number): readonly number[] {
  const all = Array.from({ length: runs }, (_, place) => place);
  return runs <= most ? all : [...new Set([0, run === 0 ? 1 : run])];
}

function measureColumn(
  measure: string,
  place: number,
  run: number,
  head: Pick<ReportHead, 'runs'>,
  several: boolean,
  most: number,
): ListColumn {
  const name = head.runs[place]?.name ?? '';
  return {
    ...column('measure', place, {
      title: measure,
      about: several ? `${measure} of ${name}` : measure,
      width: `${Math.min(most, Math.max(NARROWEST, measure.length * LETTER))}rem`,
      number: true,
      // Sorting goes by the run that is looked at.
      sort: place === run ? { by: 'measure', measure } : null,
    }),
    key: `measure ${measure} ${place}`,
    over: several ? name : null,
    measure,
  };
}

function changeColumn(table: CaseTable, head: Pick<ReportHead, 'runs'>, run: number): ListColumn {
  const of = table.change?.name ?? 'errors';
  const other = head.runs[run === 0 ? 1 : run]?.name ?? '';
  return column('change', run === 0 ? 1 : run, {
    title: 'change',
    about: `${of} of ${other} less that of the baseline`,
    width: '4.25rem',
    number: true,
    sort: { by: 'change', measure: null },
  });
}

function column(
  kind: ColumnKind,
  run: number,
  given: Pick<ListColumn, 'title' | 'width'> & Partial<ListColumn>,
): ListColumn {
  return { key: kind, kind, about: given.title, over: null, number: false, sort: null, measure: null, run, ...given };
}

/** The sort that a click on a column's title asks for: its own way first, then the other way round, then none. */
export function nextSort(now: CaseSort, asked: NonNullable<ListColumn['sort']>): CaseSort {
  const same = now.by === asked.by && now.measure === asked.measure;
  if (!same) return { ...asked, reverse: false };
  return now.reverse ? { by: 'file', measure: null, reverse: false } : { ...asked, reverse: true };
}
