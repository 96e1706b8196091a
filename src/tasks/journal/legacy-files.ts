import type { Case } from '../../data/case.ts';
import type { CaseResult, MeasureValue } from '../../measure/tally.ts';
import type { Run } from '../../runs/run.ts';

/** File names and fields that people of the journal exercise expect; an undefined value is null. */
const FIELDS: Readonly<Record<string, string>> = {
  precision: 'precision',
  recall: 'recall',
  f1: 'f1',
  polarity_accuracy: 'polarity_accuracy',
  bucket_accuracy: 'bucket_accuracy',
  evidence_coverage_rate: 'evidence_coverage',
};

export function perJournalScore(result: CaseResult, given: Case): object {
  const { hit, spurious, missed } = result.counts;
  const scores = Object.entries(FIELDS).map(([field, measure]) => [field, result.measures[measure] ?? null]);
  return { journal_id: given.id, tp: hit, fp: spurious, fn: missed, ...Object.fromEntries(scores) };
}

export function scoreSummary(run: Run): string {
  const overall = (name: string): MeasureValue | undefined =>
    run.measures.measures.find((measure) => measure.name === name && Object.keys(measure.slice).length === 0);
  const total = (verdict: string): number =>
    run.measures.rules.reduce((sum, count) => (count.scheme === null && count.verdict === verdict ? sum + count.n : sum), 0);
  const scores = Object.entries(FIELDS).map(([field, measure]) => [field, overall(measure)?.value ?? null]);
  const summary = {
    journals: run.measures.cases.total,
    tp: total('hit'),
    fp: total('spurious'),
    fn: total('missed'),
    ...Object.fromEntries(scores),
    signature: run.measures.signature,
  };
  return `${JSON.stringify(summary, null, 2)}\n`;
}
