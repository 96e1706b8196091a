import type { Case } from '../../data/case.ts';
import type { RunExporter } from '../../score/file-exporter.ts';
import type { CaseResult, MeasureValue } from '../../measure/tally.ts';

/** File names and fields that people of the journal exercise expect; an undefined value is null. */
const FIELDS: Readonly<Record<string, string>> = {
  precision: 'precision',
  recall: 'recall',
  f1: 'f1',
  polarity_accuracy: 'polarity_accuracy',
  bucket_accuracy: 'bucket_accuracy',
  evidence_coverage_rate: 'evidence_coverage',
};

/** The two files of the journal exercise. */
export const journalScores: RunExporter = {
  name: 'journal-scores',
  about: 'score_summary.json and per_journal_scores.jsonl',
  task: 'journal',
  files: { 'score_summary.json': ({ measures }) => scoreSummary(measures) },
  caseRecords: { 'per_journal_scores.jsonl': perJournalScore },
};

export function perJournalScore(result: CaseResult, given: Case): object {
  const { hit, spurious, missed } = result.counts;
  const scores = fieldsFrom((measure) => result.measures[measure] ?? null);
  return { journal_id: given.id, tp: hit, fp: spurious, fn: missed, ...scores };
}

/** What the summary needs of a finished run. */
interface RunTotals {
  readonly signature: string;
  readonly cases: { readonly total: number };
  readonly measures: readonly MeasureValue[];
  readonly rules: readonly { readonly scheme: string | null; readonly verdict: string; readonly n: number }[];
}

export function scoreSummary(run: RunTotals): string {
  const overall = (name: string): MeasureValue | undefined =>
    run.measures.find((measure) => measure.name === name && Object.keys(measure.slice).length === 0);
  const total = (verdict: string): number =>
    run.rules.reduce((sum, count) => (count.scheme === null && count.verdict === verdict ? sum + count.n : sum), 0);
  const scores = fieldsFrom((measure) => overall(measure)?.value ?? null);
  const summary = {
    journals: run.cases.total,
    tp: total('hit'),
    fp: total('spurious'),
    fn: total('missed'),
    ...scores,
    signature: run.signature,
  };
  return `${JSON.stringify(summary, null, 2)}\n`;
}

function fieldsFrom(valueOf: (measure: string) => number | null): Record<string, number | null> {
  return Object.fromEntries(
    Object.entries(FIELDS).map(([field, measure]): [string, number | null] => [field, valueOf(measure)]),
  );
}
