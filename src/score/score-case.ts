import { type Case, type SetAside, withFailure } from '../data/case.ts';
import { type Item, type ItemKind, LOGGED_KINDS, type Side } from '../data/item.ts';
import { UsageError } from '../data/problems.ts';
import { firstVerdicts, setAsideVerdicts } from '../judge/first-verdicts.ts';
import { makeVerdict, type SchemeVerdicts, type Verdict } from '../judge/verdict.ts';
import { pairByCover, PLAIN_COVER } from '../pair/cover.ts';
import { type PairSettings, thresholdFor } from '../pair/criterion.ts';
import { makePairer, UNSHARED_WORK, type PairWork } from '../pair/pair.ts';
import type { Pairing } from '../pair/pairing.ts';
import { contentOrder } from '../pair/places.ts';
import { relationKey } from '../pair/relation.ts';
import { pairSegments } from '../pair/segments.ts';
import type { Plan } from '../recipe/plan.ts';
import { compareText } from '../text/compare.ts';

export type { SchemeVerdicts } from '../judge/verdict.ts';

/** The parts of scoring whose results many plans can share. */
export interface CaseWork extends PairWork {
  /** The rules of `prepare` of a plan, one after another. */
  readonly prepareBy: (plan: Plan) => (given: Case) => readonly Case[];
  readonly ofKind: (items: readonly Item[], kind: ItemKind) => readonly Item[];
  /** What pairing two lists under these settings gives. */
  readonly pairing: (
    settings: PairSettings,
    gold: readonly Item[],
    predicted: readonly Item[],
    text: string | null,
    make: () => Pairing,
  ) => Pairing;
}

const OWN_CASE_WORK: CaseWork = {
  ...UNSHARED_WORK,
  prepareBy:
    ({ prepare }) =>
    (given) =>
      prepare.reduce<readonly Case[]>((cases, { step }) => cases.flatMap((one) => preparedCases(step(one))), [given]),
  ofKind: (items, kind) => items.filter((item) => item.kind === kind),
  pairing: (_settings, _gold, _predicted, _text, make) => make(),
};

/** Turns a plan into a function from a case to its verdicts: prepare, pair, judge, all pure. */
export function makeCaseScorer(plan: Plan): (given: Case) => SchemeVerdicts[] {
  return caseScorerWith(OWN_CASE_WORK, plan);
}

/** The same with the work that several plans share. The pairs of spans that touch are found once for all schemes. */
export function caseScorerWith(work: CaseWork, plan: Plan): (given: Case) => SchemeVerdicts[] {
  const prepare = work.prepareBy(plan);
  const kinds = new Set<ItemKind>(plan.schemes.flatMap(({ pair }) => [...pair.keys()]));
  const schemes = plan.schemes.map(({ name, pair }) => ({
    name,
    kinds: [...pair].map(([kind, settings]) => ({
      kind,
      settings,
      pairer: makePairer(settings, work),
      distinct: settings.duplicates === 'excuse' ? distinctRelations(settings) : null,
    })),
  }));
  const itemPairers = schemes.flatMap((scheme) => scheme.kinds).filter(({ settings }) => settings.unit === 'item');
  const shares =
    schemes.length > 1 &&
    schemes.every((scheme) => scheme.kinds.length === 1) &&
    itemPairers.every(({ pairer }) => pairer.reach !== null && pairer.ties === 'content');
  const reach = Math.max(0, ...itemPairers.map(({ pairer }) => pairer.reach ?? 0));

  const scorePrepared = (prepared: Case): SchemeVerdicts[] => {
    const ready = shares
      ? { ...prepared, gold: work.inContentOrder(prepared.gold), predicted: work.inContentOrder(prepared.predicted) }
      : prepared;
    // If UTF-16 units and characters agree, pairing need not look at the text to count characters.
    const text = ready.offsets !== null || plan.data.offsets !== 'codepoint' ? ready.text : null;
    const near = shares ? work.pairsOf(ready.gold, ready.predicted, reach) : undefined;
    return schemes.map(({ name: scheme, kinds: paired }) => {
      let verdicts: readonly Verdict[] = [];
      const duplicates: SetAside[] = [];
      for (const { kind, settings, pairer, distinct } of paired) {
        const itemsOf = (side: Side): readonly Item[] => {
          const items = paired.length === 1 ? ready[side] : work.ofKind(ready[side], kind);
          return distinct === null ? items : distinct(items, side, duplicates);
        };
        const [gold, predicted] = [itemsOf('gold'), itemsOf('predicted')];
        const pairing = work.pairing(settings, gold, predicted, text, () =>
          settings.unit === 'item'
            ? pairer.pair(gold, predicted, near, text, ready.offsets)
            : pairInText(ready, gold, predicted, settings),
        );
        const first = firstVerdicts(ready, scheme, pairing);
        verdicts = verdicts.length === 0 ? first : [...verdicts, ...first];
      }
      for (const { step } of plan.judge) verdicts = step(verdicts, ready);
      verdicts = plan.judgeAttributes(verdicts);
      const because = ready.failedAsEmpty;
      // What an answer that failed has missed is marked so.
      if (because !== undefined)
        verdicts = verdicts.map((own) => (own.verdict === 'missed' ? { ...own, rule: 'failed', because } : own));
      const setAside = [...ready.setAside, ...duplicates];
      const more = [
        ...setAsideVerdicts({ ...ready, setAside }, scheme),
        ...(scheme === null ? loggedVerdicts(ready) : []),
      ];
      return { case: ready, scheme, verdicts: more.length === 0 ? verdicts : [...verdicts, ...more] };
    });
  };
  return (read) => {
    refuseOtherKinds(read, kinds, plan);
    const given = withFailure(read, plan.data.failed);
    return given.failed === null ? prepare(given).flatMap(scorePrepared) : [failedVerdicts(given)];
  };
}

/** Leaves one of the relationships between which no criterion finds a difference; the others are added to a list. */
function distinctRelations({ accept }: PairSettings) {
  const keysOf = accept.map(relationKey);
  return (items: readonly Item[], side: Side, duplicates: SetAside[]): readonly Item[] => {
    const keyOf = (item: Item): string => JSON.stringify(keysOf.map((own) => own(item)));
    // The first by content, so that the order of the input does not show.
    const first = new Map(
      contentOrder(items)
        .toReversed()
        .map((item) => [keyOf(item), item]),
    );
    return items.filter((item) => {
      const equal = first.get(keyOf(item))!;
      if (equal === item) return true;
      duplicates.push({ side, item, rule: 'dedupe', because: `equal to item ${equal.index} in all that is compared` });
      return false;
    });
  };
}

/**
 * What was logged of the case, by kind and index: numbers of many items are added up in one order, whatever order they
 * came in.
 */
function loggedVerdicts({ id, logged = [] }: Case): Verdict[] {
  return logged
    .toSorted((a, b) => compareText(a.item.kind, b.item.kind) || a.item.index - b.item.index)
    .map(({ item, ...judged }) => {
      const { kind, label } = item;
      return makeVerdict({ case: id, scheme: null, kind, label, predicted: item, ...judged });
    });
}

/** A recipe for one kind of item does not cover another: leaving those out would lose them in silence. */
function refuseOtherKinds(given: Case, kinds: ReadonlySet<ItemKind>, plan: Plan): void {
  const paired = given.logged?.find(({ item }) => !LOGGED_KINDS.some((known) => known === item.kind));
  if (paired !== undefined)
    throw new UsageError(
      `case ${given.id} logs an item of the kind ${paired.item.kind}, which is paired, not logged`,
      `only these are logged: ${LOGGED_KINDS.join(', ')}`,
    );
  const other = given.gold.find(({ kind }) => !kinds.has(kind)) ?? given.predicted.find(({ kind }) => !kinds.has(kind));
  if (other === undefined) return;
  throw new UsageError(
    `case ${given.id} has items of the kind ${other.kind}, but ${plan.name} scores ${[...kinds].join(' and ')} only`,
    'choose a recipe for what the files hold: assay presets lists the presets',
  );
}

/** What a rule of `prepare` made of a case, as a list. */
export function preparedCases(made: Case | readonly Case[]): readonly Case[] {
  return 'id' in made ? [made] : made;
}

/** Pairing that looks at the text itself: tokens, characters, or what the predictions cover together. */
function pairInText(given: Case, gold: readonly Item[], predicted: readonly Item[], settings: PairSettings): Pairing {
  const { unit } = settings;
  if (unit === 'item') throw new Error('items are paired by a pairer');
  if (given.text === null) {
    throw new UsageError(
      `case ${given.id} has no text: unit ${unit} needs it`,
      'give the texts with --cases, or leave the token, character and cover schemes off',
    );
  }
  const criterion = settings.accept[0]!;
  if (unit === 'character') return pairSegments(gold, predicted, given.text, unit, criterion);
  if (unit === 'token') {
    const tokens = settings.tokens === 'words' ? undefined : given.tokens;
    if (tokens === null)
      throw new UsageError(
        `case ${given.id}: its files cut the text into different tokens`,
        'use the same tokens in both files, or count words: --set pair.tokens=words',
      );
    return pairSegments(gold, predicted, given.text, unit, { ...criterion, tokens });
  }
  return pairByCover(gold, predicted, given.text, {
    ...(settings.cover ?? PLAIN_COVER),
    name: criterion.name,
    pieces: unit === 'cover' ? 'whole' : 'words',
    thresholdFor: (label) => thresholdFor(criterion.threshold, label),
  });
}

/** A failed case is not scored: what there is of it stays visible as excused, and the case is counted as failed. */
function failedVerdicts(given: Case): SchemeVerdicts {
  const { id, failed: because, gold, predicted, logged = [] } = given;
  const excused = (item: Item, side: Side): Verdict => {
    const { kind, label } = item;
    const own = { case: id, scheme: null, kind, verdict: 'excused', rule: 'failed', label, because } as const;
    return makeVerdict({ ...own, setAside: true, [side]: item });
  };
  const verdicts = [
    ...gold.map((item) => excused(item, 'gold')),
    ...[...predicted, ...logged.map(({ item }) => item)].map((item) => excused(item, 'predicted')),
  ];
  return { case: given, scheme: null, verdicts };
}
