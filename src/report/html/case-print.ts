import { compareText } from '../../text/compare.ts';
import type { CaseDetail, ViewRecord } from './report-data.ts';

/**
 * For each run the place of the first one that says the same of the case: verdicts, what they are of, and what was
 * predicted where. Not how it was decided, nor how sure a system was. A place gives nothing of a text away, as a hash of it
 * would to whoever guesses well.
 */
export function printsOf(runs: CaseDetail['runs']): readonly number[] {
  const said = runs.map((run) => (run === null ? '' : run.records.map(wordsOf).toSorted(compareText).join('\n')));
  return said.map((words) => said.indexOf(words));
}

function wordsOf({ kind, verdict, label, credit, attributes, gold, predicted }: ViewRecord): string {
  return JSON.stringify([
    kind,
    verdict,
    label,
    credit ?? 1,
    Object.entries(attributes ?? {}).toSorted(([one], [other]) => compareText(one, other)),
    gold?.index ?? null,
    predicted === undefined
      ? null
      : [predicted.label, predicted.text, predicted.start, predicted.end, predicted['source'], predicted['target']],
  ]);
}
