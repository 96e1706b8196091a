import type { Item, ItemKind } from '../../data/item.ts';
import { END, LABEL, type SpanList, START } from '../../data/span-list.ts';
import type { Run } from '../../score/run.ts';
import { compareText } from '../../text/compare.ts';
import { count, levelText, plural } from '../../text/figures.ts';
import { placeKey } from '../../text/pieces.ts';
import type { AuditSpans } from '../audit-case.ts';
import type { AuditCheck, NewFinding } from '../check.ts';
import { addTo, entryOf, formatList, SubjectEvidence } from '../evidence.ts';
import type { FindingItem } from '../finding.ts';
import { namedRules } from '../recipe-parts.ts';
import {
  type ExchangedLabels,
  DEVIATIONS,
  exchangedCases,
  FEWEST_CASES,
  NEARLY_ALL,
  type LabelPair,
} from './exchanged-cases.ts';
import { labelledKinds, PLAIN_LABEL } from './one-sided-labels.ts';

/** A pair of labels is met so often, and so many times as often as the label is right: a system that confuses them has less. */
const FEWEST = 5;
/** Of these, with the boundaries of gold. */
const FEWEST_IN_PLACE = 2;
const TIMES = 2;

/** How often each label is predicted for each label of gold, by the predicted label. */
type Met = ReadonlyMap<string, ReadonlyMap<string, number>>;
/** Labels of which each is predicted for the next in gold, and the last for the first. */
type Cycle = readonly string[];

export const swappedLabels: AuditCheck = {
  name: 'swapped-labels',
  about: 'labels that are predicted for each other, everywhere or in some cases',
  severity: `Error: each ${FEWEST}+ times, and with the boundaries of gold (${FEWEST_IN_PLACE}+) ${TIMES} times as often as it is right; or ${levelText(NEARLY_ALL)} of both in ${FEWEST_CASES}+ cases, ${DEVIATIONS} standard deviations more than by chance`,
  scoredOnly: true,
  open(context) {
    const { recipe, keep } = context;
    const kinds = labelledKinds(context);
    const evidence = keep(new SubjectEvidence());
    const exchanged = exchangedCases(keep);
    const confusions = keep(new Map<string, number>());
    const add = (
      kind: ItemKind,
      id: string,
      confused: readonly LabelPair[],
      right: ReadonlyMap<string, number>,
    ): void => {
      for (const { gold, predicted, item } of confused) {
        const subject = subjectOf(kind, predicted, gold);
        addTo(confusions, subject);
        evidence.add(subject, id, item);
      }
      exchanged.add(kind, id, confused, right);
    };
    return {
      spans: kinds.has('span')
        ? (given) => {
            if (given.missed === 0 || given.predicted.count === given.hits) return;
            const { gold, predicted, own, case: id } = given;
            const places = samePlaces(given);
            if (places.length === 0) return;
            const right = new Map<string, number>();
            for (let g = 0; g < gold.count; g += 1) {
              const p = own.pairing.gold[g]!;
              if (p >= 0 && predicted.get(p, LABEL) === gold.get(g, LABEL)) addTo(right, given.labelOf(gold, g));
            }
            const confused = places.map(([g, p]): LabelPair => {
              const [inGold, label] = [given.labelOf(gold, g), given.labelOf(predicted, p)];
              return {
                gold: inGold,
                predicted: label,
                item: () => itemOf(id, label, inGold, given.slice(predicted, p)),
              };
            });
            add('span', id, confused, right);
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
        const ofKind = Map.groupBy(missed.map((own) => own.gold!).sort(byPlace), ({ kind }) => kind);
        for (const [kind, golds] of ofKind) {
          const confused = golds.flatMap((gold) =>
            (spurious.get(thingKey(gold)) ?? [])
              .sort(byPlace)
              .filter(({ label }) => label !== gold.label)
              .map(({ label, text }): LabelPair => {
                return { gold: gold.label, predicted: label, item: () => itemOf(id, label, gold.label, text) };
              }),
          );
          if (confused.length === 0) continue;
          const right = new Map<string, number>();
          for (const { kind: own, verdict, setAside, gold, predicted } of verdicts)
            if (own === kind && verdict === 'hit' && !setAside && gold !== null && gold.label === predicted?.label)
              addTo(right, gold.label);
          add(kind, id, confused, right);
        }
      },
      find({ run, totals }) {
        return [...kinds].flatMap((kind) => {
          const met = metLabels(run, kind);
          const times = (predicted: string, gold: string): number =>
            (predicted === gold ? met.get(gold)?.get(gold) : confusions.get(subjectOf(kind, predicted, gold))) ?? 0;
          const cycles = cyclesOf(met, times);
          const isTold = (label: string): boolean => cycles.some(({ cycle }) => cycle.includes(label));
          const inCases = exchanged
            .find(kind, (one, other) => [
              { right: times(one, one), other: times(other, one) },
              { right: times(other, other), other: times(one, other) },
            ])
            .filter(({ labels }) => !labels.some(isTold));
          const everywhere = cycles.map(({ cycle, said, n }): NewFinding => {
            const subjects = cycle.map((label, at) => subjectOf(kind, label, cycle[(at + 1) % cycle.length]!));
            return {
              severity: 'error',
              title: `${plural(cycle.length, 'label')} of the kind ${kind} ${cycle.length === 2 ? 'are exchanged' : 'are exchanged in turn'}: ${formatList(said, said.length)}`,
              words: 'swapped-labels/exchanged',
              todo: `Score again with ${relabelFlags(recipe, cycle, totals.labels)}, which gives ${count(n)} predictions the label of gold, or correct the names where the files are made.`,
              subjects: [...cycle],
              evidence: evidence.of(subjects),
            };
          });
          return [...everywhere, ...inCases.map((own) => inSomeCases(kind, own, recipe, totals.labels))];
        });
      },
    };
  },
};

function inSomeCases(
  kind: ItemKind,
  { labels, cases, exchanged, evidence }: ExchangedLabels,
  recipe: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
): NewFinding {
  const [one, other] = labels;
  return {
    severity: 'error',
    title: `${one} and ${other} (${kind}) are exchanged throughout in ${plural(exchanged, 'case')}; in ${plural(cases - exchanged, 'other case')} with both some are confused, and the rest have them right`,
    words: 'swapped-labels/exchanged',
    todo: `Find what these cases have in common, such as one file or one version of the system, and exchange the names there; a label map would exchange those of the other cases, too. To see the score without the fault, give both labels one name: ${mergeFlags(recipe, labels, known)}.`,
    subjects: [...labels],
    evidence,
  };
}

function itemOf(id: string, label: string, gold: string, text: string): FindingItem {
  return { case: id, side: 'predicted', label, text, note: `${gold} in gold` };
}

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

/** Rings of labels each of which mostly meets the next one in gold; `times` counts what has the same place. */
function cyclesOf(
  met: Met,
  times: (predicted: string, gold: string) => number,
): { cycle: Cycle; said: string[]; n: number }[] {
  const next = new Map<string, string>();
  for (const [predicted, golds] of met) {
    const [gold, n] = [...golds].sort(([a, one], [b, other]) => other - one || compareText(a, b))[0]!;
    if (gold === predicted || n < FEWEST) continue;
    // If boundaries are off, right predictions are no hits, and confusions that overlap gold are all that is met.
    const least = Math.max(FEWEST_IN_PLACE, TIMES * times(predicted, predicted));
    if (times(predicted, gold) >= least) next.set(predicted, gold);
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
    const parts = cycle.map((label) => ({ label, gold: next.get(label)!, n: met.get(label)!.get(next.get(label)!)! }));
    const said = parts.map(
      ({ label, gold, n }) =>
        `${label} is predicted for ${gold} ${plural(n, 'time')} and for ${label} ${count(times(label, label))}`,
    );
    return [{ cycle, said, n: parts.reduce((all, { n }) => all + n, 0) }];
  });
}

function relabelFlags(recipe: Readonly<Record<string, unknown>>, cycle: Cycle, known: ReadonlySet<string>): string {
  const map = cycle.map((label, at) => [label, cycle[(at + 1) % cycle.length]!] as const);
  return mapFlags(recipe, { name: 'exchange', map, side: null }, known);
}

function mergeFlags(
  recipe: Readonly<Record<string, unknown>>,
  [one, other]: readonly [string, string],
  known: ReadonlySet<string>,
): string {
  return mapFlags(recipe, { name: 'merge', map: [[one, other]], side: 'both' }, known);
}

type LabelMap = Readonly<{ name: string; map: readonly (readonly [string, string])[]; side: 'both' | null }>;

/** A second rule, behind all others, if the recipe has a label map already: each rule maps a label once. */
function mapFlags(
  recipe: Readonly<Record<string, unknown>>,
  { name, map, side }: LabelMap,
  known: ReadonlySet<string>,
): string {
  const isMapped = namedRules(recipe, 'prepare', 'relabel').length > 0;
  const rule = isMapped ? name : 'relabel';
  const settings = { ...(isMapped ? { rule: 'relabel' } : {}), ...(side === null ? {} : { side }) };
  if (!map.flat().every((label) => PLAIN_LABEL.test(label) && known.has(label))) {
    const others = Object.entries(settings).map(([key, value]) => `${key}: ${value}, `);
    return `prepare: { ${rule}: { ${others.join('')}map: ${JSON.stringify(Object.fromEntries(map))} } } in the recipe`;
  }
  return [
    ...Object.entries(settings).map(([key, value]) => `--set prepare.${rule}.${key}=${value}`),
    ...map.map(([from, to]) => `--set prepare.${rule}.map.${from}=${to}`),
  ].join(' ');
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
