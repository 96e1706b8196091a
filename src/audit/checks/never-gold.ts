import { isRecord } from '../../data/record-fields.ts';
import type { Run } from '../../score/run.ts';
import type { Check, CheckContext, NewFinding } from '../check.ts';
import { NO_EVIDENCE } from '../evidence.ts';
import { declaredLabels, rulesOf } from '../recipe-parts.ts';
import { SubjectEvidence } from '../subject-evidence.ts';
import { counted } from '../../text/figures.ts';
import { listed } from '../words.ts';
import { labelledKinds, LabelCounts, type OfLabel } from './label-counts.ts';
import { NamedLabels } from './named-labels.ts';
import { evidenceKey, metInstead, oneSided, type OneSidedWords } from './one-sided-labels.ts';

/** What a system says when it names no class: never right, and no label that gold could have. */
const NO_CLASS = new Set(['unknown', 'multiple', 'disputed', 'undecided']);
/** A label that is rare in the world may be missing in gold by chance, and a weak system confuses others with it. */
const WEIGHTY = 10;

const PREDICTIONS = ['prediction', 'predictions'] as const;

/** A label that gold never has cannot be right: it was not annotated, or gold calls it otherwise. */
export const neverGold: Check = {
  name: 'never-gold',
  about: 'labels that are predicted and never in gold, and labels of the recipe that occur nowhere',
  open(context) {
    const declared = declaredLabels(context.recipe);
    const classes = namedClasses(context);
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
          const never = [...labels].filter(
            ([label, { gold, predicted, spurious }]) =>
              gold === 0 && spurious > 0 && spurious === predicted && !(kind === 'class' && NO_CLASS.has(label)),
          );
          const takenOut = never.filter(([, { goldTakenOutBy }]) => goldTakenOutBy.size > 0);
          const absent = never.filter(([, { goldTakenOutBy }]) => goldTakenOutBy.size === 0);
          const isNamed = (label: string): boolean => kind === 'class' && classes.has(label);
          const say = (some: readonly (readonly [string, OfLabel])[], words: OneSidedWords, weightyFrom: number) =>
            oneSided(
              some.map(([label, { predicted: n }]) => ({ label, n })),
              total,
              kind,
              words,
              evidence,
              weightyFrom,
            );
          return [
            ...say(
              absent.filter(([label]) => !isNamed(label)),
              absentWords(run, kind),
              WEIGHTY,
            ),
            ...say(
              absent.filter(([label]) => isNamed(label)),
              NAMED_WORDS,
              Infinity,
            ),
            ...say(
              takenOut,
              takenOutWords(takenOut.flatMap(([, { goldTakenOutBy }]) => [...goldTakenOutBy])),
              Infinity,
            ),
          ];
        });
        return [...found, ...unseen(declared, counts), ...named.findings()];
      },
    };
  },
};

function absentWords(run: Run, kind: string): OneSidedWords {
  return {
    title: 'predicted and never in gold',
    items: PREDICTIONS,
    why: (names) => {
      const instead = names.flatMap((label) => {
        const met = metInstead(run, kind, 'predicted', label);
        return met === null ? [] : [`for ${label}, ${met}`];
      });
      return `All of them count as spurious whatever they say: precision then measures what was annotated, not what the system got wrong.${instead.length === 0 ? '' : ` In gold instead: ${instead.slice(0, 3).join('; ')}.`}`;
    },
    todo: 'See what gold calls these things and map it (prepare: relabel). If nobody annotated them, take the label out (prepare: drop, side predicted) or excuse it (judge: excuse-spurious), and say so.',
  };
}

/** Classes of the recipe are known to those who gave gold: that none of these cases has one is no slip in a name. */
const NAMED_WORDS: OneSidedWords = {
  title: 'predicted and never in gold',
  items: PREDICTIONS,
  why: () =>
    'The recipe names them as classes, so gold could have them: none of these cases does. All of these predictions are wrong, and nothing says whether the system knows such a case when it sees one.',
  todo: 'Add cases of these classes, or say that the evaluation does not cover them.',
};

/** Gold as it was given has the label, so nobody forgot it: it was the recipe that took it out. */
function takenOutWords(rules: readonly string[]): OneSidedWords {
  const by = [...new Set(rules)].sort().map((rule) => (rule === 'failed' ? 'the failing of cases' : rule));
  return {
    title: `predicted and taken out of gold by ${listed(by)}`,
    items: PREDICTIONS,
    why: () =>
      'Gold had them, and all of it left before pairing while the predictions stayed: all of these count as spurious, right or wrong.',
    todo: 'Take them out on both sides (prepare: drop, side both), or excuse them (judge: excuse-spurious). If it is meant, quote precision with that.',
  };
}

function namedClasses({ recipe }: CheckContext): Set<string> {
  return new Set(
    rulesOf(recipe, 'prepare', 'read-class').flatMap(({ params }) =>
      isRecord(params) && isRecord(params['classes']) ? Object.keys(params['classes']) : [],
    ),
  );
}

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
