import type { Check } from '../check.ts';
import { SubjectEvidence } from '../subject-evidence.ts';
import { labelledKinds, LabelCounts } from './label-counts.ts';
import { evidenceKey, metInstead, oneSided } from './one-sided-labels.ts';

/** A label that a system never gives was not asked of it, is called otherwise, or got lost on the way. */
export const neverPredicted: Check = {
  name: 'never-predicted',
  about: 'labels that gold has and no prediction ever has',
  open(context) {
    const counts = new LabelCounts(labelledKinds(context));
    const evidence = new SubjectEvidence();
    return {
      add(given) {
        counts.add(given);
        for (const { kind, verdict, gold, label, rejected } of given.verdicts)
          // A label that was predicted once is out of the question.
          if (
            verdict === 'missed' &&
            gold !== null &&
            counts.looksAt(kind) &&
            counts.in('predicted', kind, label) === 0
          )
            evidence.add(evidenceKey(kind, label), given.id, {
              side: 'gold',
              label,
              text: gold.text,
              note: rejected?.why ?? null,
            });
      },
      finish: ({ run }) =>
        [...counts.byKind].flatMap(([kind, labels]) => {
          const total = [...labels.values()].reduce((sum, { gold }) => sum + gold, 0);
          // Gold that is excused altogether is for another check; a hit shows that another name is understood.
          const never = [...labels].flatMap(([label, { gold, predicted, missed }]) =>
            predicted === 0 && missed > 0 && missed === gold ? [{ label, n: gold }] : [],
          );
          return oneSided(
            never,
            total,
            kind,
            {
              title: 'in gold and never predicted',
              items: ['gold item', 'gold items'],
              why: (names) => {
                const instead = names.flatMap((label) => {
                  const met = metInstead(run, kind, 'gold', label);
                  return met === null ? [] : [`for ${label}, ${met}`];
                });
                return `All of them count as missed, and a mean over labels takes each as 0 or leaves it out. Either the system was never asked for the label, or it calls it something else, or its predictions were lost on the way.${instead.length === 0 ? '' : ` Predicted instead: ${instead.slice(0, 3).join('; ')}.`}`;
              },
              todo: 'See what the system calls these things and map it (prepare: relabel). If it was never asked for them, say so in the report or take the label out on both sides (prepare: drop).',
            },
            evidence,
          );
        }),
    };
  },
};
