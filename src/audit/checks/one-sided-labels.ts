import type { ItemKind, Side } from '../../data/item.ts';
import type { Run } from '../../score/run.ts';
import { compareText } from '../../text/compare.ts';
import { count, counted, percent } from '../../text/figures.ts';
import type { Check, CheckContext, NewFinding, OpenCheck } from '../check.ts';
import { entryOf, listed, SubjectEvidence, sum } from '../evidence.ts';
import { declaredLabels, pairParts, recordAt, rulesOf } from '../recipe-parts.ts';
import { misnamedLabels } from './misnamed-labels.ts';

/** With fewer items than this, never meeting a label is ordinary bad luck: four misses at a recall of 0.7 come in one of a hundred sets. */
const FEWEST = 5;
/** A label with less of its side than this moves no overall figure by much. */
const WARNING_SHARE = 0.05;
const LABELS_NAMED = 8;
/** What a system says when it names no class: never right, and no label that gold could have. */
const NO_CLASS = new Set(['unknown', 'multiple', 'disputed', 'undecided']);
/** A label that is rare in the world may be missing in gold by chance, and a weak system confuses others with it. */
const WEIGHTY = 10;

/** What there is of one label of one kind; items that left before pairing are in none of the numbers. */
interface OfLabel {
  gold: number;
  predicted: number;
  /** Of these, those that count: not excused. */
  missed: number;
  spurious: number;
  /** Rules that took gold of this label out before pairing: gold as it was given has it. */
  readonly goldTakenOutBy: Set<string>;
}

interface OneSidedWords {
  /** "in gold and never predicted" */
  readonly title: string;
  readonly side: Side;
  readonly why: string;
  /** What stands before labels that are met instead; null where none are looked for. */
  readonly instead: string | null;
  readonly todo: string;
}

export const neverPredicted: Check = {
  name: 'never-predicted',
  about: 'labels that gold has and no prediction ever has',
  open(context) {
    const evidence = oneSidedEvidence(context, 'gold');
    return {
      verdict: evidence.verdict,
      find: ({ run }) =>
        [...labelCounts(context)].flatMap(([kind, labels]) => {
          // Gold that is excused altogether is for another check; a hit shows that another name is understood.
          const never = [...labels].filter(
            ([, { gold, predicted, missed }]) => predicted === 0 && missed > 0 && missed === gold,
          );
          return oneSided({ never, labels, kind, run, evidence: evidence.bySubject }, NEVER_PREDICTED);
        }),
    };
  },
};

const NEVER_PREDICTED: OneSidedWords = {
  title: 'in gold and never predicted',
  side: 'gold',
  why: 'All of them count as missed, and a mean over labels takes each as 0 or leaves it out. Either the system was never asked for the label, or it calls it something else, or its predictions were lost on the way.',
  instead: 'Predicted instead',
  todo: 'See what the system calls these things and map it (prepare: relabel). If it was never asked for them, say so in the report or take the label out on both sides (prepare: drop).',
};

export const neverGold: Check = {
  name: 'never-gold',
  about: 'labels that are predicted and never in gold, and labels of the recipe that occur nowhere',
  open(context) {
    const classes = new Set(
      rulesOf(context.recipe, 'prepare', 'read-class').flatMap(({ params }) =>
        Object.keys(recordAt(params, 'classes')),
      ),
    );
    const evidence = oneSidedEvidence(context, 'predicted');
    return {
      verdict: evidence.verdict,
      find({ run }) {
        const byKind = labelCounts(context);
        const found = [...byKind].flatMap(([kind, labels]) => {
          const all = [...labels].filter(
            ([label, { gold, predicted, spurious }]) =>
              gold === 0 && spurious > 0 && spurious === predicted && !(kind === 'class' && NO_CLASS.has(label)),
          );
          const absent = all.filter(([, { goldTakenOutBy }]) => goldTakenOutBy.size === 0);
          const takenOut = all.filter(([, { goldTakenOutBy }]) => goldTakenOutBy.size > 0);
          const isNamed = ([label]: (typeof all)[number]): boolean => kind === 'class' && classes.has(label);
          const given = { labels, kind, run, evidence: evidence.bySubject };
          const named = { ...given, never: absent.filter(isNamed), weightyFrom: Infinity };
          return [
            ...oneSided({ ...given, never: absent.filter((one) => !isNamed(one)), weightyFrom: WEIGHTY }, NEVER_GOLD),
            ...oneSided(named, NAMED),
            ...oneSided({ ...given, never: takenOut, weightyFrom: Infinity }, takenOutWords(takenOut)),
          ];
        });
        const seen = new Set([...byKind.values()].flatMap((labels) => [...labels.keys()]));
        return [...found, unseen(declaredLabels(context.recipe), seen), misnamedLabels(context)];
      },
    };
  },
};

const NEVER_GOLD: OneSidedWords = {
  title: 'predicted and never in gold',
  side: 'predicted',
  why: 'All of them count as spurious whatever they say: precision then measures what was annotated, not what the system got wrong.',
  instead: 'In gold instead',
  todo: 'See what gold calls these things and map it (prepare: relabel). If nobody annotated them, take the label out (prepare: drop, side predicted) or excuse it (judge: excuse-spurious), and say so.',
};

/** Classes of the recipe are known to those who gave gold: that none of these cases has one is no slip in a name. */
const NAMED: OneSidedWords = {
  ...NEVER_GOLD,
  why: 'The recipe names them as classes, so gold could have them: none of these cases does. All of these predictions are wrong, and nothing says whether the system knows such a case when it sees one.',
  instead: null,
  todo: 'Add cases of these classes, or say that the evaluation does not cover them.',
};

/** Gold as it was given has the label, so nobody forgot it: it was the recipe that took it out. */
function takenOutWords(labels: readonly (readonly [string, OfLabel])[]): OneSidedWords {
  const rules = new Set(labels.flatMap(([, { goldTakenOutBy }]) => [...goldTakenOutBy]));
  const by = [...rules].sort().map((rule) => (rule === 'failed' ? 'the failing of cases' : rule));
  return {
    title: `predicted and taken out of gold by ${listed(by)}`,
    side: 'predicted',
    why: 'Gold had them, and all of it left before pairing while the predictions stayed: all of these count as spurious, right or wrong.',
    instead: null,
    todo: 'Take them out on both sides (prepare: drop, side both), or excuse them (judge: excuse-spurious). If it is meant, quote precision with that.',
  };
}

/** Kinds whose labels are compared when items are paired; elsewhere the two sides may name things as they like. */
function labelledKinds({ recipe }: CheckContext): Set<string> {
  // Components are looked for by name in every answer: one that no answer has says something of the answers.
  const compared = pairParts(recipe).filter(
    ({ kind, comparesLabels }) => kind !== 'component' && kind !== 'concept' && comparesLabels,
  );
  return new Set(compared.map(({ kind }) => kind));
}

/** Labels by kind as they are after label maps. */
function labelCounts(context: CheckContext): Map<ItemKind, Map<string, OfLabel>> {
  const kinds = labelledKinds(context);
  const byKind = new Map<ItemKind, Map<string, OfLabel>>();
  for (const { kind, verdict, rule, gold, predicted, setAside, n } of context.totals.rows((row) =>
    kinds.has(row.kind),
  )) {
    const of = (label: string): OfLabel =>
      entryOf(
        entryOf(byKind, kind, () => new Map<string, OfLabel>()),
        label,
        () => ({ gold: 0, predicted: 0, missed: 0, spurious: 0, goldTakenOutBy: new Set() }),
      );
    if (gold !== null && setAside) of(gold).goldTakenOutBy.add(rule);
    if (setAside) continue;
    if (gold !== null) of(gold).gold += n;
    if (gold !== null && verdict === 'missed') of(gold).missed += n;
    if (predicted !== null) of(predicted).predicted += n;
    if (predicted !== null && verdict === 'spurious') of(predicted).spurious += n;
  }
  return byKind;
}

/** What is missed or spurious with a label that the other side has not had so far: once it has it, it is out of the question. */
function oneSidedEvidence(context: CheckContext, side: Side) {
  const kinds = labelledKinds(context);
  const bySubject = new SubjectEvidence();
  const [wanted, other] = side === 'gold' ? (['missed', 'predicted'] as const) : (['spurious', 'gold'] as const);
  const verdict: NonNullable<OpenCheck['verdict']> = (own, { id }) => {
    const { kind, label, rejected } = own;
    const item = own[side];
    if (own.verdict !== wanted || item === null || !kinds.has(kind) || context.totals.has(other, kind, label)) return;
    bySubject.add(`${kind} ${label}`, { case: id, side, label, text: item.text, note: rejected?.why ?? null });
  };
  return { bySubject, verdict };
}

interface Given {
  readonly never: readonly (readonly [string, OfLabel])[];
  readonly labels: ReadonlyMap<string, OfLabel>;
  readonly kind: string;
  readonly run: Run;
  readonly evidence: SubjectEvidence;
  /** With fewer items none is weighty. */
  readonly weightyFrom?: number;
}

/** Findings about labels of one kind that only one side has: the weighty ones as a warning, the others as a note. */
function oneSided(
  { never, labels, kind, run, evidence, weightyFrom = FEWEST }: Given,
  words: OneSidedWords,
): NewFinding[] {
  const { side } = words;
  const total = sum([...labels.values()].map((own) => own[side]));
  const enough = never
    .map(([label, own]) => ({ label, n: own[side] }))
    .filter(({ n }) => n >= FEWEST)
    .sort((a, b) => b.n - a.n || compareText(a.label, b.label));
  const finding = (some: typeof enough, severity: 'warning' | 'note'): NewFinding => {
    const names = some.map(({ label }) => label);
    const items = side === 'gold' ? 'gold item' : 'prediction';
    const sized = some.map(({ label, n }) => `${label} (${counted(n, items)}, ${percent(n, total)} of them)`);
    const rest = `; ${count(enough.length)} of them ${enough.length === 1 ? 'has' : 'have'} ${FEWEST} items or more${enough.length === some.length ? ':' : ', among them'}`;
    const { instead } = words;
    const met = instead === null ? [] : names.flatMap((label) => metInstead(run, kind, side, label));
    return {
      severity,
      title: `${counted(never.length, 'label')} of the kind ${kind} ${never.length === 1 ? 'is' : 'are'} ${words.title}${never.length === some.length ? ':' : rest} ${listed(sized, LABELS_NAMED)}`,
      why: instead === null || met.length === 0 ? words.why : `${words.why} ${instead}: ${met.slice(0, 3).join('; ')}.`,
      todo: words.todo,
      subjects: names,
      evidence: evidence.of(names.map((label) => `${kind} ${label}`)),
      only: (subjects) =>
        finding(
          some.filter(({ label }) => subjects.has(label)),
          severity,
        ),
    };
  };
  const weighty = enough.filter(({ n }) => n >= weightyFrom && n / total >= WARNING_SHARE);
  const light = enough.filter((one) => !weighty.includes(one));
  return [
    ...(weighty.length === 0 ? [] : [finding(weighty, 'warning')]),
    ...(light.length === 0 ? [] : [finding(light, 'note')]),
  ];
}

/** What stands on the other side where a label is not met, most often first: a label map may be missing. */
function metInstead(run: Run, kind: string, side: Side, label: string): string[] {
  const other = side === 'gold' ? 'predicted' : 'gold';
  const [most] = run.measures.confusion
    .filter((row) => row.scheme === null && row.kind === kind && row[side] === label && row[other] !== null)
    .sort((a, b) => b.n - a.n || compareText(a[other] ?? '', b[other] ?? ''));
  const name = most?.[other] ?? label;
  return name === label ? [] : [`for ${label}, ${name} stands there ${counted(most?.n ?? 0, 'time')}`];
}

function unseen(declared: readonly string[], seen: ReadonlySet<string>): NewFinding | null {
  const finding = (labels: readonly string[]): NewFinding => ({
    severity: 'note',
    title: `${counted(labels.length, 'label')} of the recipe ${labels.length === 1 ? 'occurs' : 'occur'} neither in gold nor in a prediction: ${listed(labels)}`,
    why: 'The figures say nothing about these labels, although the recipe names them.',
    todo: 'Add cases that have them, or say that the evaluation does not cover them.',
    subjects: labels,
    only: (some) => finding(labels.filter((label) => some.has(label))),
  });
  const never = declared.filter((label) => !seen.has(label));
  return never.length === 0 || seen.size === 0 ? null : finding(never);
}
