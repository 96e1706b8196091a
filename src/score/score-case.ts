import { type Case, withFailure } from '../data/case.ts';
import { type Item, type ItemKind, LOGGED_KINDS, type Side } from '../data/item.ts';
import { UsageError } from '../data/problems.ts';
import { firstVerdicts, setAsideVerdicts } from '../judge/first-verdicts.ts';
import { makeVerdict, type Verdict } from '../judge/verdict.ts';
import { pairByCover, PLAIN_COVER } from '../pair/cover.ts';
import { type PairSettings, thresholdFor } from '../pair/criterion.ts';
import { makePairer, OWN_WORK, type Pairer, type PairWork } from '../pair/pair.ts';
import type { Pairing } from '../pair/pairing.ts';
import { pairSegments } from '../pair/segments.ts';
import type { Plan } from '../recipe/plan.ts';
import { compareText } from '../text/compare.ts';

/** The verdicts of one case under one scheme. */
export interface SchemeVerdicts {
  readonly case: Case;
  readonly scheme: string | null;
  readonly verdicts: readonly Verdict[];
}

interface KindPairer {
  readonly kind: ItemKind;
  readonly settings: PairSettings;
  readonly pairer: Pairer;
}

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
  ...OWN_WORK,
  prepareBy: (plan) => (given) => prepareCase(plan, given),
  ofKind: (items, kind) => items.filter((item) => item.kind === kind),
  pairing: (_settings, _gold, _predicted, _text, make) => make(),
};

/** Turns a plan into a function from a case to its verdicts: prepare, pair, judge, all pure. */
export function makeCaseScorer(plan: Plan): (given: Case) => SchemeVerdicts[] {
  return caseScorerWith(OWN_CASE_WORK, plan);
}

/** The same with the work that several plans share. */
export function caseScorerWith(work: CaseWork, plan: Plan): (given: Case) => SchemeVerdicts[] {
  const kinds = new Set<ItemKind>(plan.schemes.flatMap(({ pair }) => [...pair.keys()]));
  const prepare = work.prepareBy(plan);
  const scorePrepared = makePreparedScorer(plan, work);
  return (read) => {
    refuseOtherKinds(read, kinds, plan);
    const given = withFailure(read, plan.data.failed);
    if (given.failed !== null) return [failedVerdicts(given)];
    const out: SchemeVerdicts[] = [];
    for (const prepared of prepare(given)) scorePrepared(prepared, out);
    return out;
  };
}

/**
 * Pairs and judges a case that is prepared already, scheme by scheme, and adds the verdicts to `out`.
 * The pairs of spans that touch are found once and shared by all schemes.
 */
function makePreparedScorer(plan: Plan, work: CaseWork): (prepared: Case, out: SchemeVerdicts[]) => void {
  const schemes = plan.schemes.map((scheme) => ({
    name: scheme.name,
    kinds: [...scheme.pair].map(([kind, settings]): KindPairer => ({
      kind,
      settings,
      pairer: makePairer(settings, work),
    })),
  }));
  const itemPairers = schemes.flatMap(({ kinds }) => kinds).filter(({ settings }) => settings.unit === 'item');
  const shares =
    schemes.length > 1 &&
    schemes.every(({ kinds }) => kinds.length === 1) &&
    itemPairers.every(({ pairer }) => pairer.reach !== null && pairer.ties === 'content');
  const reach = Math.max(0, ...itemPairers.map(({ pairer }) => pairer.reach ?? 0));

  return (prepared, out) => {
    const ready = shares
      ? { ...prepared, gold: work.inContentOrder(prepared.gold), predicted: work.inContentOrder(prepared.predicted) }
      : prepared;
    // Where UTF-16 units and characters agree, pairing need not look at the text to count characters.
    const text = ready.offsets !== null || plan.data.offsets !== 'codepoint' ? ready.text : null;
    const near = shares ? work.pairsOf(ready.gold, ready.predicted, reach) : undefined;
    for (const scheme of schemes) {
      let verdicts: readonly Verdict[] = [];
      for (const { kind, settings, pairer } of scheme.kinds) {
        const gold = scheme.kinds.length === 1 ? ready.gold : work.ofKind(ready.gold, kind);
        const predicted = scheme.kinds.length === 1 ? ready.predicted : work.ofKind(ready.predicted, kind);
        const pairing = work.pairing(settings, gold, predicted, text, () =>
          settings.unit === 'item'
            ? pairer.pair(gold, predicted, near, text, ready.offsets)
            : pairInText(ready, gold, predicted, settings),
        );
        const first = firstVerdicts(ready, scheme.name, pairing);
        verdicts = verdicts.length === 0 ? first : [...verdicts, ...first];
      }
      for (const { step } of plan.judge) verdicts = step(verdicts, ready);
      verdicts = plan.judgeAttributes(verdicts);
      if (ready.failedAsEmpty !== undefined) verdicts = verdicts.map((own) => missedByFailure(own, ready));
      const more = [...setAsideVerdicts(ready, scheme.name), ...(scheme.name === null ? loggedVerdicts(ready) : [])];
      out.push({
        case: ready,
        scheme: scheme.name,
        verdicts: more.length === 0 ? verdicts : [...verdicts, ...more],
      });
    }
  };
}

/**
 * What was logged of the case, by kind and index: numbers of many items are added up in one order, whatever order they
 * came in.
 */
function loggedVerdicts(given: Case): Verdict[] {
  return (given.logged ?? [])
    .toSorted((a, b) => compareText(a.item.kind, b.item.kind) || a.item.index - b.item.index)
    .map(({ item, verdict, rule, because, attributes }) =>
      makeVerdict({
        case: given.id,
        scheme: null,
        kind: item.kind,
        verdict,
        rule,
        label: item.label,
        because: because ?? null,
        predicted: item,
        attributes: attributes ?? null,
      }),
    );
}

/** A recipe for one kind of item says nothing about another: leaving those out would lose them in silence. */
function refuseOtherKinds(given: Case, kinds: ReadonlySet<ItemKind>, plan: Plan): void {
  const paired = given.logged?.find(({ item }) => !isLogged(item.kind));
  if (paired !== undefined)
    throw new UsageError(
      `case ${given.id} logs an item of the kind ${paired.item.kind}, which is paired, not logged`,
      `only these are logged: ${LOGGED_KINDS.join(', ')}`,
    );
  const other = given.gold.find(({ kind }) => !kinds.has(kind)) ?? given.predicted.find(({ kind }) => !kinds.has(kind));
  if (other === undefined) return;
  throw new UsageError(
    `case ${given.id} has items of the kind ${other.kind}, but ${plan.name} scores ${[...kinds].join(' and ')} only`,
    'choose a recipe of the task that the files belong to: assay score --help lists the presets',
  );
}

function isLogged(kind: ItemKind): boolean {
  return LOGGED_KINDS.some((known) => known === kind);
}

function prepareCase(plan: Plan, given: Case): readonly Case[] {
  let cases: readonly Case[] = [given];
  for (const { step } of plan.prepare)
    cases = cases.length === 1 ? listed(step(cases[0]!)) : cases.flatMap((one) => listed(step(one)));
  return cases;
}

/** What a rule of `prepare` made of a case, as a list. */
export function listed(made: Case | readonly Case[]): readonly Case[] {
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

/** What an answer that failed has missed says so. */
function missedByFailure(own: Verdict, { failedAsEmpty }: Case): Verdict {
  return own.verdict === 'missed' ? { ...own, rule: 'failed', because: failedAsEmpty ?? null } : own;
}

/** A failed case is not scored: what there is of it stays visible as excused, and the case is counted as failed. */
function failedVerdicts(given: Case): SchemeVerdicts {
  const excused = (item: Item, side: Side): Verdict =>
    makeVerdict({
      case: given.id,
      scheme: null,
      kind: item.kind,
      verdict: 'excused',
      rule: 'failed',
      label: item.label,
      because: given.failed,
      setAside: true,
      [side]: item,
    });
  return {
    case: given,
    scheme: null,
    verdicts: [
      ...given.gold.map((item) => excused(item, 'gold')),
      ...given.predicted.map((item) => excused(item, 'predicted')),
      ...(given.logged ?? []).map(({ item }) => excused(item, 'predicted')),
    ],
  };
}
