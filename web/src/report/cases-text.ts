import { count, plural } from '../../../src/text/figures.ts';
import type { ReportHead } from '../../../src/report/html/report-data.ts';

/**
 * How many cases there are. If each annotator or language of a document is scored separately, a run has more cases than
 * documents; for several runs, whose documents may differ, it counts cases only.
 */
export function casesText({ cases, runs }: Pick<ReportHead, 'cases' | 'runs'>): string {
  const documents = runs.length === 1 ? (runs[0]?.measures.cases.total ?? cases) : cases;
  return cases > documents ? `${count(cases)} scored cases of ${plural(documents, 'document')}` : plural(cases, 'case');
}
