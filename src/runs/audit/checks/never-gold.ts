import type { Check, NewFinding } from '../check.ts';
import { NO_EVIDENCE } from '../evidence.ts';
import { declaredLabels } from '../recipe-parts.ts';
import { SubjectEvidence } from '../subject-evidence.ts';
import { counted, listed } from '../words.ts';
import { labelledKinds, LabelCounts } from './label-counts.ts';
import { NamedLabels } from './named-labels.ts';
import { evidenceKey, metInstead, oneSided } from './one-sided-labels.ts';

/** What a system says when it names no class: never right, and no label that gold could have. */
const NO_CLASS = new Set(['unknown', 'multiple', 'disputed', 'undecided']);

/** A label that gold never has cannot be right: it was not annotated, or gold calls it otherwise. */
export const neverGold: Check = {
  name: 'never-gold',
  about: 'labels that are predicted and never in gold, and labels of the recipe that occur nowhere',
  open(context) {
    const declared = declaredLabels(context.recipe);
    const counts = new LabelCounts(labelledKinds(context));
    const evidence = new SubjectEvidence();
    const named = new NamedLabels(context);
    return {
      add(given) {
        counts.add(given);
        named.add(given);
        for (const { kind, verdict, predicted, label, rejected } of given.verdicts)
          // A label that gold has once is out of the question.
          if (
            verdict === 'spurious' &&
            predicted !== null &&
            counts.looksAt(kind) &&
            counts.in('gold', kind, label) === 0
          )
            evidence.add(evidenceKey(kind, label), given.id, {
              side: 'predicted',
              label,
              text: predicted.text,
              note: rejected?.why ?? null,
            });
      },
      finish({ run }) {
        const found = [...counts.byKind].flatMap(([kind, labels]) => {
          const total = [...labels.values()].reduce((sum, { predicted }) => sum + predicted, 0);
          const never = [...labels].flatMap(([label, { gold, predicted, spurious }]) =>
            gold === 0 && spurious > 0 && spurious === predicted && !(kind === 'class' && NO_CLASS.has(label))
              ? [{ label, n: predicted }]
              : [],
          );
          return oneSided(
            never,
            total,
            kind,
            {
              title: 'predicted and never in gold',
              items: ['prediction', 'predictions'],
              why: (names) => {
                const instead = names.flatMap((label) => {
                  const met = metInstead(run, kind, 'predicted', label);
                  return met === null ? [] : [`for ${label}, ${met}`];
                });
                return `All of them count as spurious whatever they say: precision then measures what was annotated, not what the system got wrong.${instead.length === 0 ? '' : ` In gold instead: ${instead.slice(0, 3).join('; ')}.`}`;
              },
              todo: 'See what gold calls these things and map it (prepare: relabel). If nobody annotated them, take the label out (prepare: drop, side predicted) or excuse it (judge: excuse-spurious), and say so.',
            },
            evidence,
          );
        });
        return [...found, ...unseen(declared, counts), ...named.findings()];
      },
    };
  },
};

function unseen(declared: readonly string[], { byKind }: LabelCounts): NewFinding[] {
  const seen = new Set([...byKind.values()].flatMap((labels) => [...labels.keys()]));
  const never = declared.filter((label) => !seen.has(label));
  if (never.length === 0 || seen.size === 0) return [];
  const finding = (labels: readonly string[]): NewFinding => ({
    severity: 'note',
    title: `${counted(labels.length, 'label')} of the recipe ${labels.length === 1 ? 'occurs' : 'occur'} neither in gold nor in a prediction: ${listed(labels)}`,
    why: 'The figures say nothing about these labels, although the recipe names them.',
    todo: 'Add cases that have them, or say that the evaluation does not cover them.',
    subjects: labels,
    ...NO_EVIDENCE,
    only: (some) => finding(labels.filter((label) => some.has(label))),
  });
  return [finding(never)];
}
