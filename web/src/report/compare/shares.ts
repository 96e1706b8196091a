import type { ReportHead } from '../../../../src/report/html/report-data.ts';

/** The measures that lie between 0 and 1 and so can share an axis of differences. */
export function sharesOf({ runs }: Pick<ReportHead, 'runs'>): ReadonlySet<string> {
  return new Set(
    runs.flatMap(({ measures }) =>
      measures.measures.filter(({ range }) => range[0] === 0 && range[1] === 1).map(({ name }) => name),
    ),
  );
}
