import { type Criterion, thresholdFor } from '../../pair/criterion.ts';
import { type CompareEnds, type EndsOutcome, endsComparer } from '../../pair/relation.ts';
import { PairMemo } from './pair-memo.ts';

interface SharedEnds {
  readonly endsOf: (criterion: Criterion) => CompareEnds;
  readonly clear: () => void;
}

interface KnownEnds {
  readonly ends: CompareEnds;
  readonly straight: PairMemo<EndsOutcome>;
  readonly swapped: PairMemo<EndsOutcome>;
}

/** How alike the ends of two relationships are, once for all criteria that normalise names alike. */
export function sharedEnds(): SharedEnds {
  const made = new Map<string, KnownEnds>();
  return {
    endsOf: (criterion) => {
      const key = JSON.stringify(criterion.normalise);
      let known = made.get(key);
      if (known === undefined) {
        // At a threshold of 0 only ends that resolve to nothing do not reach it.
        const ends = endsComparer({ ...criterion, threshold: 0 });
        made.set(key, (known = { ends, straight: new PairMemo(), swapped: new PairMemo() }));
      }
      const { ends, straight, swapped } = known;
      return (gold, predicted, turned) => {
        const memo = turned ? swapped : straight;
        const outcome = memo.of(gold, predicted, () => ends(gold, predicted, turned));
        const reached = outcome.reached && outcome.least >= thresholdFor(criterion.threshold, gold.label);
        return reached === outcome.reached ? outcome : { ...outcome, reached };
      };
    },
    clear: () => {
      for (const { straight, swapped } of made.values()) {
        straight.clear();
        swapped.clear();
      }
    },
  };
}
