import { INDEX, LABEL } from '../../data/span-list.ts';
import { type ItemKind, PAIRED_KINDS, type Side } from '../../data/item.ts';
import type { Run } from '../../score/run.ts';
import { compareText } from '../../text/compare.ts';
import { count, plural, percent, levelText } from '../../text/figures.ts';
import type { AuditSpans } from '../audit-case.ts';
import type { AuditCheck, CheckContext, NewFinding, OpenCheck, OpenContext } from '../check.ts';
import { divisible, entryOf, formatList, SubjectEvidence, sum } from '../evidence.ts';
import { namedRules, pairParts, recordAt, stringsAt } from '../recipe-parts.ts';
import { misnamedLabels } from './misnamed-labels.ts';
import WORDS from '../words.json' with { type: 'json' };

/** With fewer items than this, never meeting a label is ordinary bad luck: four misses at a recall of 0.7 come in one of a hundred sets. */
const FEWEST = 5;
/** A label with less of its side than this moves no overall figure by much. */
const WARNING_SHARE = 0.05;
const LABELS_NAMED = 8;
/** What a system answers when it names no class: never right, and no label that gold could have. */
const NO_CLASS = new Set(['unknown', 'multiple', 'disputed', 'undecided']);
/** A label that is rare in the world may be missing in gold by chance, and a weak system confuses others with it. */
const WEIGHTY = 10;

/** What `--set` takes as a key and as a value, without quotes. */
export const PLAIN_LABEL = /^[\w-]+$/;

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

/** A label that the other side lacks, and what that has there most often. */
type Met = Readonly<{ subject: string; n: number; name: string; times: number }>;

type Labels = readonly (readonly [string, OfLabel])[];

export const labelsNeverPredicted: AuditCheck = {
  name: 'labels-never-predicted',
  about: 'gold labels that are never predicted',
  severity: `Labels with ${FEWEST}+ items. Warning: ${levelText(WARNING_SHARE)} of the gold of their kind; otherwise a note`,
  open(context) {
    const { tell, ...looking } = oneSided(context, 'gold');
    return {
      ...looking,
      find: ({ run }) =>
        [...labelCounts(context)].flatMap(([kind, labels]) => {
          // Gold that is excused altogether is for another check; a hit shows that another name is understood.
          const never = labels.filter(
            ([, { gold, predicted, missed }]) => predicted === 0 && missed > 0 && missed === gold,
          );
          return tell(run, kind, labels, never, 'one-sided/neverPredicted', FEWEST);
        }),
    };
  },
};

export const labelsNeverInGold: AuditCheck = {
  name: 'labels-never-in-gold',
  about: 'predicted labels that gold never has, and labels of the recipe that occur nowhere',
  severity: `Labels with ${FEWEST}+ predictions. Warning: ${WEIGHTY} predictions and ${levelText(WARNING_SHARE)} of those of their kind; otherwise a note`,
  open(context) {
    const { recipe } = context;
    const classes = new Set(
      namedRules(recipe, 'prepare', 'read-class').flatMap(({ params }) => Object.keys(recordAt(params, 'classes'))),
    );
    const { tell, ...looking } = oneSided(context, 'predicted');
    return {
      ...looking,
      find({ run }) {
        const byKind = labelCounts(context);
        const found = [...byKind].flatMap(([kind, labels]) => {
          const all = labels.filter(
            ([label, { gold, predicted, spurious }]) =>
              gold === 0 && spurious > 0 && spurious === predicted && !(kind === 'class' && NO_CLASS.has(label)),
          );
          // Gold as it was given has some of them, so nobody forgot these: it was the recipe that took them out.
          const takenOut = all.filter(([, { goldTakenOutBy }]) => goldTakenOutBy.size > 0);
          const rules = new Set(takenOut.flatMap(([, { goldTakenOutBy }]) => [...goldTakenOutBy]));
          const by = [...rules].sort().map((rule) => (rule === 'failed' ? 'the failing of cases' : rule));
          // Classes of the recipe are known to those who gave gold: that none of these cases has one is no slip in a name.
          const isNamed = ([label]: Labels[number]): boolean => kind === 'class' && classes.has(label);
          const absent = all.filter(([, { goldTakenOutBy }]) => goldTakenOutBy.size === 0);
          const unnamed = absent.filter((one) => !isNamed(one));
          return [
            ...tell(run, kind, labels, unnamed, 'one-sided/neverGold', WEIGHTY),
            ...tell(run, kind, labels, absent.filter(isNamed), 'one-sided/namedClass', Infinity),
            ...tell(run, kind, labels, takenOut, 'one-sided/takenOut', Infinity, ` ${formatList(by)}`),
          ];
        });
        const seen = new Set([...byKind.values()].flatMap((labels) => labels.map(([label]) => label)));
        return [
          ...found,
          ...unseen(stringsAt(recipe['data'], 'labels'), seen),
          ...misnamedLabels(recipe, context.totals.labels),
        ];
      },
    };
  },
};

/** Kinds whose labels are compared when items are paired; elsewhere the two sides may name things as they like. */
export function labelledKinds({ recipe }: CheckContext): Set<ItemKind> {
  // Components are looked for by name in every answer: one that no answer has is a finding about the answers.
  const compared = pairParts(recipe).filter(
    ({ kind, comparesLabels }) => kind !== 'component' && kind !== 'concept' && comparesLabels,
  );
  return new Set(PAIRED_KINDS.filter((known) => compared.some(({ kind }) => kind === known)));
}

/** Labels by kind as they are after label maps. */
function labelCounts(context: CheckContext): Map<ItemKind, Labels> {
  const kinds = labelledKinds(context);
  const rows = context.totals.rows(({ kind, gold, setAside }) => kinds.has(kind) && !(setAside && gold === null));
  const countsOf = (own: typeof rows): Labels => {
    const labels = new Map<string, OfLabel>();
    const none = { gold: 0, predicted: 0, missed: 0, spurious: 0 };
    const of = (label: string): OfLabel => entryOf(labels, label, () => ({ ...none, goldTakenOutBy: new Set() }));
    for (const { verdict, rule, gold, predicted, setAside, n } of own) {
      if (gold !== null && setAside) of(gold).goldTakenOutBy.add(rule);
      if (setAside) continue;
      if (gold !== null) of(gold).gold += n;
      if (gold !== null && verdict === 'missed') of(gold).missed += n;
      if (predicted !== null) of(predicted).predicted += n;
      if (predicted !== null && verdict === 'spurious') of(predicted).spurious += n;
    }
    return [...labels];
  };
  return new Map([...Map.groupBy(rows, ({ kind }) => kind)].map(([kind, own]) => [kind, countsOf(own)]));
}

/** Findings about labels of one kind that only one side has: the weighty ones as a warning, the others as a note. */
function oneSided(context: OpenContext, side: Side) {
  const kinds = labelledKinds(context);
  /** By kind and label. Which labels come into question depends on what was met before; their numbers do not. */
  const numberOf = (subject: string): number => {
    const kind = PAIRED_KINDS.find((one) => subject.startsWith(`${one} `))!;
    return context.totals.numberOf(side, kind, subject.slice(kind.length + 1));
  };
  const evidence = context.keep(new SubjectEvidence(numberOf));
  const [wanted, other] = side === 'gold' ? (['missed', 'predicted'] as const) : (['spurious', 'gold'] as const);
  /** What is missed or spurious with a label that the other side has not had so far: once it has it, it is out of the question. */
  const verdict: NonNullable<OpenCheck['verdict']> = (own, { case: id }) => {
    const { kind, label, rejected } = own;
    const item = own[side];
    if (item === null || context.totals.has(other, kind, label)) return;
    const told = { case: id, side, label, text: item.text, note: rejected?.why ?? null };
    evidence.add(`${kind} ${label}`, id, () => told);
  };
  const addSpans = (given: AuditSpans): void => {
    const { case: id, labels, own } = given;
    const spans = side === 'gold' ? given.gold : given.predicted;
    const partners = side === 'gold' ? own.pairing.gold : own.pairing.predicted;
    for (let at = 0; at < spans.count; at += 1) {
      if (partners[at]! >= 0 || context.totals.hasLabel(other, spans.get(at, LABEL), labels)) continue;
      const [label, index] = [given.labelOf(spans, at), spans.get(at, INDEX)];
      const note = (): string | null =>
        given.verdicts.find((one) => one.verdict === wanted && one[side]?.index === index)?.rejected?.why ?? null;
      evidence.add(`span ${label}`, id, () => ({ case: id, side, label, text: given.slice(spans, at), note: note() }));
    }
  };
  /** What stands on the other side where a label is not met, most often: a label map may be missing. */
  const metInstead = (run: Run, kind: string, { subject, n }: Pick<Met, 'subject' | 'n'>): Met[] => {
    const [most] = run.measures.confusion
      .filter((row) => row.scheme === null && row.kind === kind && row[side] === subject && row[other] !== null)
      .sort((a, b) => b.n - a.n || compareText(a[other] ?? '', b[other] ?? ''));
    const name = most?.[other] ?? subject;
    return name === subject ? [] : [{ subject, n, name, times: most?.n ?? 0 }];
  };
  const tell = (
    run: Run,
    kind: string,
    labels: Labels,
    never: Labels,
    words: 'one-sided/neverPredicted' | 'one-sided/neverGold' | 'one-sided/namedClass' | 'one-sided/takenOut',
    weightyFrom: number,
    by = '',
  ): NewFinding[] => {
    const { title, instead, todo } = WORDS[words];
    const total = sum(labels.map(([, own]) => own[side]));
    const enough = never
      .map(([subject, own]) => ({ subject, n: own[side] }))
      .filter(({ n }) => n >= FEWEST)
      .sort((a, b) => b.n - a.n || compareText(a.subject, b.subject));
    const rest = `; ${count(enough.length)} of them ${enough.length === 1 ? 'has' : 'have'} ${FEWEST} items or more`;
    const isWeighty = ({ n }: (typeof enough)[number]): boolean => n >= weightyFrom && n / total >= WARNING_SHARE;
    return [true, false].flatMap((weighty) => {
      const own = enough.filter((one) => isWeighty(one) === weighty);
      return divisible(own, (some) => {
        const items = side === 'gold' ? 'gold item' : 'prediction';
        const sized = some.map(({ subject, n }) => `${subject} (${plural(n, items)}, ${percent(n, total)} of them)`);
        const met = (instead === '' ? [] : some).flatMap((one) => metInstead(run, kind, one));
        const stands = met.map(
          ({ subject, name, times }) => `for ${subject}, ${name} stands there ${plural(times, 'time')}`,
        );
        // The wrong class for one class and never the right one is a mistake more often than a name.
        const flags = kind === 'class' ? '' : renamings(side, labels, met).join(' ');
        const among = `${rest}${enough.length === some.length ? ':' : ', among them'}`;
        return {
          severity: weighty ? 'warning' : 'note',
          title: `${plural(never.length, 'label')} of the kind ${kind} ${never.length === 1 ? 'is' : 'are'} ${title}${by}${never.length === some.length ? ':' : among} ${formatList(sized, LABELS_NAMED)}`,
          words,
          why: (usual) => `${usual}${stands.length === 0 ? '' : ` ${instead}: ${stands.slice(0, 3).join('; ')}.`}`,
          ...(flags === '' ? {} : { todo: todo.replace('prepare: relabel', () => flags) }),
          evidence: evidence.of(some.map(({ subject }) => `${kind} ${subject}`)),
        };
      });
    });
  };
  return { kinds: [...kinds], outcomes: [wanted], verdict, spans: kinds.has('span') ? addSpans : null, tell };
}

/** Flags that rename predictions, for labels that mostly meet one which their own side does not have. */
function renamings(side: Side, labels: Labels, met: readonly Met[]): string[] {
  const own = new Set(labels.flatMap(([label, counts]) => (counts[side] > 0 ? [label] : [])));
  const renamed = new Map<string, string>();
  for (const { subject, n, name, times } of met) {
    const [from, to] = side === 'gold' ? [name, subject] : [subject, name];
    if (2 * times >= n && !own.has(name) && PLAIN_LABEL.test(`${from}${to}`))
      renamed.set(from, renamed.get(from) ?? to);
  }
  return [...renamed].map(([from, to]) => `--set prepare.relabel.map.${from}=${to}`);
}

function unseen(declared: readonly string[], seen: ReadonlySet<string>): NewFinding[] {
  const never = seen.size === 0 ? [] : declared.filter((label) => !seen.has(label)).map((subject) => ({ subject }));
  return divisible(never, (some) => ({
    severity: 'note',
    title: `${plural(some.length, 'label')} of the recipe ${some.length === 1 ? 'occurs' : 'occur'} neither in gold nor in a prediction: ${formatList(some.map(({ subject }) => subject))}`,
    words: 'never-gold/unseen',
  }));
}
