import { describe, expect, test } from 'vitest';

import { readCases } from '../../src/data/read-cases.ts';
import { fileSource, memorySource } from '../../src/data/source.ts';
import { type Scored, scoreWith } from '../recipe/score-with.ts';
import { runsHere } from '../many-runs.ts';
import { noReference, referenceJson, referencePath } from './reference-data.ts';

type Fields = Readonly<Record<string, string>>;

interface Vector {
  readonly text: string;
  readonly gold: readonly Fields[];
  readonly pred: readonly Fields[];
  readonly result: {
    readonly tp: number;
    readonly fp: number;
    readonly fn: number;
    readonly precision: number;
    readonly recall: number;
    readonly f1: number;
    readonly polarity_accuracy: number;
    readonly bucket_accuracy: number;
    readonly evidence_coverage_rate: number;
    readonly matched_pairs: readonly (readonly [Fields, Fields])[];
    readonly false_positives: readonly Fields[];
    readonly false_negatives: readonly Fields[];
  };
}

function scoreFile(predictions: string): Promise<Scored> {
  const file = (name: string): ReturnType<typeof fileSource> => fileSource(referencePath(`journal/${name}.jsonl`));
  return scoreWith(
    'journal/ashwam',
    readCases({ cases: file('journals'), gold: file('gold'), predictions: file(predictions) }),
  );
}

function scoreVector({ text, gold, pred }: Vector): Promise<Scored> {
  const line = (record: object): string => `${JSON.stringify({ journal_id: 'x', ...record })}\n`;
  return scoreWith(
    'journal/ashwam',
    readCases({
      cases: memorySource('journals', line({ text })),
      gold: memorySource('gold', line({ items: gold })),
      predictions: memorySource('predictions', line({ items: pred })),
    }),
    ['zeroDivision=0'],
  );
}

/** An accuracy as right / matched pairs. */
function share(scored: Scored, name: string): string {
  const { value, n } = scored.measure(name);
  return `${Math.round((value ?? NaN) * n)}/${n}`;
}

function sorted(records: readonly unknown[]): string[] {
  return records.map((record) => JSON.stringify(record)).sort();
}

describe.skipIf(noReference)('journal reference', () => {
  test('sample predictions: 8 of 50 objects found, none wrong', async () => {
    const scored = await scoreFile('sample_predictions');
    expect(scored.tally).toBe('8/0/42');
    expect(scored.value('precision')).toBe(1);
    expect(scored.value('recall')).toBe(0.16);
    expect(scored.value('f1')).toBe(0.2758620689655173);
    expect(share(scored, 'polarity_accuracy')).toBe('8/8');
    expect(scored.value('evidence_coverage')).toBe(1);
  });

  test('weak predictions: every accuracy has its own count', async () => {
    const scored = await scoreFile('weak_predictions');
    expect(scored.tally).toBe('11/13/39');
    expect(share(scored, 'polarity_accuracy')).toBe('10/11');
    expect(share(scored, 'intensity_or_arousal_accuracy')).toBe('9/11');
    expect(share(scored, 'time_accuracy')).toBe('6/11');
    expect(share(scored, 'bucket_accuracy')).toBe('5/11');
  });

  test('copied gold: everything is found', async () => {
    const scored = await scoreFile('copied_gold_predictions');
    expect(scored.tally).toBe('50/0/0');
    expect(scored.value('f1')).toBe(1);
    expect(scored.value('bucket_accuracy')).toBe(1);
  });

  test('random cases get the counts, pairs and figures of the original scorer', async () => {
    const { cases } = referenceJson('journal/vectors.json') as { cases: readonly Vector[] };
    expect(cases).toHaveLength(200);
    for (const vector of cases.slice(0, runsHere(cases.length))) {
      const { result } = vector;
      const scored = await scoreVector(vector);
      expect(scored.tally).toBe(`${result.tp}/${result.fp}/${result.fn}`);
      const hits = scored.verdicts().filter(({ verdict }) => verdict === 'hit');
      expect(sorted(hits.map(({ gold, predicted }) => [gold?.fields, predicted?.fields]))).toEqual(
        sorted(result.matched_pairs),
      );
      const left = (side: 'gold' | 'predicted', verdict: string): string[] =>
        sorted(
          scored
            .verdicts()
            .filter((one) => one.verdict === verdict)
            .map((one) => one[side]?.fields),
        );
      expect(left('predicted', 'spurious')).toEqual(sorted(result.false_positives));
      expect(left('gold', 'missed')).toEqual(sorted(result.false_negatives));
      for (const name of ['precision', 'recall', 'f1', 'polarity_accuracy'] as const)
        expect(scored.value(name), name).toBe(result[name]);
      // Its bucket accuracy leaves the time out.
      expect(scored.value('intensity_or_arousal_accuracy')).toBe(result.bucket_accuracy);
      // It takes an empty quote for a quote that is in the text.
      const empty = vector.pred.filter((item) => item['evidence_span'] === '').length;
      const covered = (scored.value('evidence_coverage') ?? NaN) * vector.pred.length + empty;
      expect(covered).toBeCloseTo(result.evidence_coverage_rate * vector.pred.length, 9);
    }
  });
});
