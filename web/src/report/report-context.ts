import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

import type { ReportHead } from '../../../src/report/html/report-data.ts';
import type { Address } from './address.ts';
import type { Loaded } from '../use-loaded.ts';
import type { CaseTable } from './list/case-table.ts';
import type { ReportSource } from './source.ts';
import { type CaseFilter, formatState, START, type ViewState } from './state.ts';

/** What every part of the viewer may ask for. */
export interface Report extends Address {
  readonly source: ReportSource;
  readonly head: ReportHead;
  readonly table: Loaded<CaseTable>;
  /** The run that is looked at. */
  readonly run: number;
}

const Context = createContext<Report | null>(null);
export const ReportProvider = Context.Provider;

export function useReport(): Report {
  const report = useContext(Context);
  if (report === null) throw new Error('This part stands outside the report.');
  return report;
}

/** The run that a state means: where there are several, the first that is set beside the baseline unless told. */
export function runOf(head: Pick<ReportHead, 'runs'>, state: Pick<ViewState, 'run'>): number {
  if (state.run !== null && state.run < head.runs.length) return state.run;
  return head.runs.length > 1 ? 1 : 0;
}

/** A link to another place of the report, seen as the same run. */
export function linkTo(state: ViewState, change: Partial<ViewState>): string {
  return formatState({ ...START, run: state.run, swap: state.swap, ...change });
}

export function linkToCases(state: ViewState, filter: CaseFilter): string {
  return linkTo(state, { view: 'cases', filter });
}
