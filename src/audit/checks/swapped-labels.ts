import type { Item, ItemKind } from '../../data/item.ts';
import { END, LABEL, type SpanList, START } from '../../data/span-list.ts';
import type { Run } from '../../score/run.ts';
import { compareText } from '../../text/compare.ts';
import { count, plural } from '../../text/figures.ts';
import { placeKey } from '../../text/pieces.ts';
import type { AuditSpans } from '../audit-case.ts';
import type { AuditCheck, NewFinding } from '../check.ts';
import { entryOf, formatList, SubjectEvidence } from '../evidence.ts';
import { namedRules } from '../recipe-parts.ts';
import { labelledKinds, PLAIN_LABEL } from './one-sided-labels.ts';

/** A pair of labels is met so often, and so many times as often as the label is right: a system that confuses them has less. */
const FEWEST = 5;
const TIMES = 2;

/** How often each label is predicted for each label of gold, by the predicted label. */
type Met = ReadonlyMap<string, ReadonlyMap<string, number>>;
/** Labels of which each is predicted for the next in gold, and the last for the first. */
type Cycle = readonly string[];

export const swappedLabels: AuditCheck = {
  name: 'swapped-labels',
  about: 'labels that are predicted for each other throughout',
  severity: `Error: each ${FEWEST}+ times, and ${TIMES} times as often as it is right`,
  scoredOnly: true,
  open(context) {
    const { recipe, keep } = context;
    const kinds = labelledKinds(context);
    const evidence = keep(new SubjectEvidence());
    const note = (kind: ItemKind, id: string, gold: string, predicted: string, textOf: () => string): void =>
      evidence.add(subjectOf(kind, predicted, gold), id, () => {
        return { case: id, side: 'predicted', label: predicted, text: textOf(), note: `${gold} in gold` };
      });
    return {
      spans: kinds.has('span')
        ? (given) => {
            if (given.missed === 0 || given.predicted.count === given.hits) return;
            for (const [g, p] of samePlaces(given))
              note('span', given.case, given.labelOf(given.gold, g), given.labelOf(given.predicted, p), () =>
                given.slice(given.predicted, p),
              );
          }
        : null,
      case({ case: id, verdicts }) {
        const missed = verdicts.filter(
          ({ kind, verdict, gold, setAside }) => verdict === 'missed' && gold !== null && !setAside && kinds.has(kind),
        );
        if (missed.length === 0) return;
        const spurious = Map.groupBy(
          verdicts.flatMap(({ kind, verdict, predicted, setAside }) =>
            verdict === 'spurious' && predicted !== null && !setAside && kinds.has(kind) ? [predicted] : [],
          ),
          thingKey,
        );
        for (const gold of missed.map((own) => own.gold!).sort(byPlace))
          for (const item of (spurious.get(thingKey(gold)) ?? []).sort(byPlace))
            if (item.label !== gold.label) note(gold.kind, id, gold.label, item.label, () => item.text);
      },
      find({ run, totals }) {
        return [...kinds].flatMap((kind) =>
          cyclesOf(metLabels(run, kind)).map(({ cycle, said, n }): NewFinding => {
            const subjects = cycle.map((label, at) => subjectOf(kind, label, cycle[(at + 1) % cycle.length]!));
            return {
              severity: 'error',
              title: `${plural(cycle.length, 'label')} of the kind ${kind} ${cycle.length === 2 ? 'are exchanged' : 'are exchanged in turn'}: ${formatList(said, said.length)}`,
              words: 'swapped-labels/exchanged',
              todo: `Score again with ${relabelFlags(recipe, cycle, totals.labels)}, which gives ${count(n)} predictions the label of gold, or correct the names where the files are made.`,
              subjects: [...cycle],
              evidence: evidence.of(subjects),
            };
          }),
        );
      },
    };
  },
};

function subjectOf(kind: string, predicted: string, gold: string): string {
  return JSON.stringify([kind, predicted, gold]);
}

function metLabels(run: Run, kind: ItemKind): Met {
  const met = new Map<string, Map<string, number>>();
  for (const row of run.measures.confusion) {
    const { gold, predicted, n } = row;
    if (row.scheme !== null || row.kind !== kind || gold === null || predicted === null) continue;
    entryOf(met, predicted, () => new Map()).set(gold, n);
  }
  return met;
}

/** Rings of labels each of which mostly meets the next one in gold. */
function cyclesOf(met: Met): { cycle: Cycle; said: string[]; n: number }[] {
  const next = new Map<string, string>();
  for (const [predicted, golds] of met) {
    const [gold, n] = [...golds].sort(([a, one], [b, other]) => other - one || compareText(a, b))[0]!;
    if (gold !== predicted && n >= FEWEST && n >= TIMES * (golds.get(predicted) ?? 0)) next.set(predicted, gold);
  }
  const seen = new Set<string>();
  return [...next.keys()].sort().flatMap((first) => {
    if (seen.has(first)) return [];
    const cycle = [first];
    for (let at = next.get(first); at !== undefined && at !== first; at = next.get(at)) {
      // It runs into a ring that it is no part of.
      if (cycle.includes(at) || seen.has(at)) return [];
      cycle.push(at);
    }
    if (next.get(cycle.at(-1)!) !== first) return [];
    for (const label of cycle) seen.add(label);
    const times = (label: string, gold: string): number => met.get(label)?.get(gold) ?? 0;
    const parts = cycle.map((label) => ({ label, gold: next.get(label)!, n: times(label, next.get(label)!) }));
    const said = parts.map(
      ({ label, gold, n }) =>
        `${label} is predicted for ${gold} ${plural(n, 'time')} and for ${label} ${count(times(label, label))}`,
    );
    return [{ cycle, said, n: parts.reduce((all, { n }) => all + n, 0) }];
  });
}

/** A second rule, behind all others, if the recipe has a label map already: each rule maps a label once. */
function relabelFlags(recipe: Readonly<Record<string, unknown>>, cycle: Cycle, known: ReadonlySet<string>): string {
  const isMapped = namedRules(recipe, 'prepare', 'relabel').length > 0;
  const map = cycle.map((label, at) => [label, cycle[(at + 1) % cycle.length]!] as const);
  const name = isMapped ? 'exchange' : 'relabel';
  if (!cycle.every((label) => PLAIN_LABEL.test(label) && known.has(label)))
    return `prepare: { ${name}: { ${isMapped ? 'rule: relabel, ' : ''}map: ${JSON.stringify(Object.fromEntries(map))} } } in the recipe`;
  const flags = map.map(([from, to]) => `--set prepare.${name}.map.${from}=${to}`);
  return [...(isMapped ? [`--set prepare.${name}.rule=relabel`] : []), ...flags].join(' ');
}

/** Gold and predictions of a case that have one place, two labels and no partner; both lists are in content order. */
function samePlaces({ gold, predicted, own }: AuditSpans): [number, number][] {
  const pairs: [number, number][] = [];
  let first = 0;
  for (let g = 0; g < gold.count; g += 1) {
    if (own.pairing.gold[g]! >= 0) continue;
    while (first < predicted.count && placeOrder(predicted, first, gold, g) < 0) first += 1;
    for (let p = first; p < predicted.count && placeOrder(predicted, p, gold, g) === 0; p += 1)
      if (own.pairing.predicted[p]! < 0 && predicted.get(p, LABEL) !== gold.get(g, LABEL)) pairs.push([g, p]);
  }
  return pairs;
}

function placeOrder(spans: SpanList, at: number, others: SpanList, other: number): number {
  return spans.get(at, START) - others.get(other, START) || spans.get(at, END) - others.get(other, END);
}

/** What two items share that are one thing under two labels. */
function thingKey(item: Item): string {
  const { kind, start, text, source, target } = item;
  if (start >= 0) return `${kind} ${placeKey(item)}`;
  // A class is one of a case, and its text is its name.
  return kind === 'class' ? kind : JSON.stringify([kind, source ?? text, target]);
}

function byPlace(a: Item, b: Item): number {
  return a.start - b.start || a.end - b.end || compareText(a.label, b.label) || compareText(a.text, b.text);
}
