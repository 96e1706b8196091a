import type { Item } from '../../data/item.ts';
import type { Verdict } from '../../judge/verdict.ts';
import type { MeasureValue } from '../../measure/results.ts';
import { count, figure, levelText } from '../../text/figures.ts';
import { directionOfWords } from '../../formats/direction-of-words.ts';
import type { AuditCase, AuditSpans } from '../audit-case.ts';
import type { AuditCheck, NewFinding, OpenContext } from '../check.ts';
import { entryOf, Evidence, ITEMS_SHOWN, formatList } from '../evidence.ts';
import { innermostForm, pairParts, recordAt, type ResolvedRecipe, stringAt, stringsAt } from '../recipe-parts.ts';
import { isPaired, overallValues, primaryMeasures } from '../totals.ts';
import { foldedName, simpleSlips } from './simple-slips.ts';

/** So near to the end of its range a share means that nothing was right. */
const WORST = 0.02;
/** If a simple slip explains most of it, a few more chance hits do not matter. */
const WORST_WITH_SLIP = 0.1;
const EXPLAINS = 0.5;
/** Of fewer, all may be wrong by chance. */
const LEAST_ITEMS = 20;

const HIT_FORMS: readonly unknown[] = ['precision', 'recall', 'f1'];
/** Shares of something that was judged or given; a share of cases that reach a mark may well be 0. */
const OTHER_FORMS: readonly unknown[] = ['verdict-share', 'field-mean'];
/** Kinds of which a neighbouring case often has the same. */
const FEW_VALUES: ReadonlySet<string> = new Set(['class', 'component', 'concept']);
const PIECES = ['token', 'character', 'cover-token'];

/** A measure of the recipe and what it counts, down to what a mean over cases or labels is made of. */
type FormOf = Readonly<{ name: string; form: ResolvedRecipe }>;
type Values = ReadonlyMap<string, MeasureValue>;
type Share = MeasureValue & { readonly value: number };

export const zeroMatches: AuditCheck = {
  name: 'zero-matches',
  about: 'measures at the worst end of their range',
  severity: `Warning: at most ${levelText(WORST)} right of ${LEAST_ITEMS}+ items; ${levelText(WORST_WITH_SLIP)} if a slip (shifted offsets, labels, ends or cases) explains ${levelText(EXPLAINS)} of the predictions`,
  scoredOnly: true,
  open(context) {
    const { measures, recipe } = context;
    // The measures that are shares, from 0 to 1, of which one end is the worst.
    const forms = measures
      .filter(({ range: [low, high], best }) => low === 0 && high === 1 && best === undefined)
      .map(({ name }) => ({ name, form: innermostForm(name, recordAt(recipe, 'measure')) }));
    const plain = forms.filter(({ form }) => HIT_FORMS.includes(form['of']) && isPlain(form));
    const hits = [...new Set(plain.map(({ form }) => stringAt(form, 'kind')))].map((kind) => noHits(kind, context));
    const attributes = wrongAttributes(context);
    const primary = new Set(primaryMeasures(measures, recipe).map(({ name }) => name));
    return {
      case(given) {
        for (const own of hits) own.add(given);
        attributes.add(given);
      },
      spans(given) {
        for (const own of hits) own.addSpans(given);
      },
      find({ run }) {
        const values = new Map(overallValues(run).map((value) => [value.name, value]));
        const missed = hits.flatMap((own) => own.finding(forms, values, primary) ?? []);
        const told = new Set(missed.flatMap(({ subjects = [] }) => subjects));
        const worst = forms.flatMap(({ name, form }) => {
          const value = told.has(name) ? undefined : worstShare(values.get(name), WORST);
          return value === undefined ? [] : [{ value, form }];
        });
        const others = forms.filter(({ name, form }) => primary.has(name) && OTHER_FORMS.includes(form['of']));
        return [...missed, ...attributes.findings(worst), ...others.map(({ name }) => atWorst(values.get(name)))];
      },
    };
  },
};

/** Whether every hit counts: whatever its attributes, whatever kind of match it is. */
function isPlain({ require, match }: FormOf['form']): boolean {
  return [require, match].every((list) => !Array.isArray(list) || list.length === 0);
}

/** The value, where it is a share that stands at its worst end. */
function worstShare(value: MeasureValue | undefined, within: number): Share | undefined {
  if (value === undefined || value.value === null) return undefined;
  const { value: share, direction } = value;
  return (direction === 'higher' ? share : 1 - share) <= within ? { ...value, value: share } : undefined;
}

/** Predictions of one kind, or of all, none of which hits gold. */
function noHits(kind: string | null, { recipe, keep }: OpenContext) {
  const parts = pairParts(recipe);
  const labelled = parts.filter(({ comparesLabels }) => comparesLabels);
  const slips = simpleSlips(new Set(labelled.map((part) => part.kind)), keep);
  const inPieces = parts.some((part) => (kind === null || part.kind === kind) && PIECES.includes(part.unit));
  const isTelling = !inPieces && (kind === null || !FEW_VALUES.has(kind));
  const evidence = keep(new Evidence());
  const all = keep({ hits: 0, gold: 0, predicted: 0 });
  /** In cases that have both: gold without any prediction is missed for another reason. */
  const met = keep({ gold: 0, predicted: 0 });
  return {
    add({ case: id, text, verdicts }: AuditCase): void {
      let hits = 0;
      const [missed, spurious]: [Item[], Verdict[]] = [[], []];
      for (const one of verdicts) {
        if (kind === null ? !isPaired(one.kind) : one.kind !== kind) continue;
        if (one.verdict === 'hit') hits += 1;
        else if (one.verdict === 'missed' && one.gold !== null) missed.push(one.gold);
        // The check `span-text-mismatch` reports what is wrong with places that were refused.
        else if (one.verdict === 'spurious' && one.predicted !== null && one.predicted.refused === undefined)
          spurious.push(one);
      }
      const [gold, predicted] = [hits + missed.length, hits + spurious.length];
      all.hits += hits;
      all.gold += gold;
      all.predicted += predicted;
      if (gold > 0 && predicted > 0) {
        met.gold += gold;
        met.predicted += predicted;
      }
      // If something was hit, the slip that would explain the rest is not one that was made all over.
      const left = { text, gold: missed, predicted: hits > 0 ? [] : spurious.map((one) => one.predicted!) };
      slips.add(hits === 0 && isTelling ? left : null);
      if (hits > 0) return;
      for (const { predicted: item, label, rejected } of spurious)
        evidence.addItem({ case: id, side: 'predicted', label, text: item!.text, note: rejected?.why ?? null });
    },
    /** Items are looked at only where nothing was hit. */
    addSpans(given: AuditSpans): void {
      const { hits, gold, predicted } = given;
      const isOwn = kind === null || kind === 'span';
      if (isOwn && hits === 0 && gold.count + predicted.count > 0) return this.add(given.whole);
      slips.add(null);
      if (!isOwn) return;
      all.hits += hits;
      all.gold += gold.count;
      all.predicted += predicted.count;
      if (hits === 0) return;
      met.gold += gold.count;
      met.predicted += predicted.count;
    },
    finding(forms: readonly FormOf[], values: Values, primary: ReadonlySet<string>): NewFinding | null {
      const { hits, gold, predicted } = all;
      const fewer = Math.min(met.gold, met.predicted);
      const best = slips.best();
      const slip = best !== null && best.would >= EXPLAINS * predicted ? best : null;
      const within = slip === null ? WORST : WORST_WITH_SLIP;
      if (fewer < LEAST_ITEMS || hits > within * fewer) return null;
      const bad = forms
        .filter(({ form }) => HIT_FORMS.includes(form['of']) && stringAt(form, 'kind') === kind)
        .flatMap(({ name }) => worstShare(values.get(name), within) ?? []);
      const main = bad.find(({ name }) => primary.has(name)) ?? bad.find(({ name }) => name.endsWith('f1')) ?? bad[0];
      if (main === undefined) return null;
      const [predictions, goldItems] = inPieces ? ['predicted pieces', 'gold pieces'] : ['predictions', 'gold items'];
      const ofKind = kind === null || kind === 'span' ? '' : ` of the kind ${kind}`;
      const how = `${hits === 0 ? 'none' : count(hits)} of ${count(predicted)} ${predictions}${ofKind} ${hits < 2 ? 'hits' : 'hit'} ${hits === 0 ? 'any' : 'one'} of ${count(gold)} ${goldItems}`;
      return {
        severity: 'warning',
        title: `${main.name} is ${figure(main.value)}: ${how}${slip === null ? '' : `; ${count(slip.would)} would if ${slip.when}`}`,
        words: slip === null ? 'nothing-right/noHit' : 'nothing-right/slip',
        subjects: bad.map(({ name }) => name),
        evidence,
      };
    },
  };
}

/** Of measures that count no hits, only their value can be looked at. */
function atWorst(value: MeasureValue | undefined): NewFinding | null {
  const worst = worstShare(value, WORST);
  if (worst === undefined || worst.n < LEAST_ITEMS) return null;
  const { name, n, direction, value: share } = worst;
  // A measure that is set up the wrong way round is at its best there, and another check reports it.
  if ((directionOfWords(name) ?? direction) !== direction) return null;
  return {
    severity: 'warning',
    title: `${name} is ${figure(share)} (n ${count(n)}), and ${direction === 'higher' ? 0 : 1} is the worst that it can be`,
    words: 'nothing-right/worst',
    subjects: [name],
  };
}

/** Attributes of paired items that are wrong in all of them: polarity, a bucket, an entity's type. */
function wrongAttributes({ recipe, keep }: OpenContext) {
  const settings = recordAt(recipe, 'attributes');
  /** `spelled`: of the wrong ones, those that differ in nothing but case and white space. */
  const none = () => ({ right: 0, wrong: 0, spelled: 0, evidence: new Evidence() });
  const found = keep(
    new Map<string, ReturnType<typeof none> & { readonly kind: string; readonly name: string }>(),
    none,
  );
  const valueOf = (name: string, item: Item): string => {
    const field = stringAt(settings[name], 'field') ?? name;
    const value = field === 'label' ? item.label : item.fields[field];
    if (value === undefined || value === null || value === '') return 'nothing';
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  return {
    add({ case: id, verdicts }: AuditCase): void {
      for (const { kind, attributes, gold, predicted, label } of verdicts) {
        if (attributes === null || gold === null || predicted === null) continue;
        for (const [name, isRight] of Object.entries(attributes)) {
          const own = entryOf(found, `${kind} ${name}`, () => ({ ...none(), kind, name }));
          own[isRight ? 'right' : 'wrong'] += 1;
          if (isRight) continue;
          const [wanted, given] = [valueOf(name, gold), valueOf(name, predicted)];
          if (foldedName(wanted) === foldedName(given)) own.spelled += 1;
          // From there on they are only counted.
          const note = own.wrong > ITEMS_SHOWN ? null : `${name}: ${wanted} in gold, ${given} predicted`;
          own.evidence.addItem({ case: id, side: 'predicted', label, text: predicted.text, note });
        }
      }
    },
    /** About attributes that some of the measures at their worst look at: a value of several together may be 0 by right. */
    findings: (worst: readonly { readonly value: Share; readonly form: ResolvedRecipe }[]): (NewFinding | null)[] =>
      [...found.values()].map(({ kind, name, right, wrong, spelled, evidence }) => {
        const n = right + wrong;
        const about = worst.filter(
          ({ form }) =>
            (stringAt(form, 'kind') ?? kind) === kind &&
            [...stringsAt(form, 'attributes'), ...stringsAt(form, 'require')].includes(name),
        );
        const main = about.find(({ form }) => stringsAt(form, 'attributes').length === 1) ?? about[0];
        if (n < LEAST_ITEMS || right > WORST * n || main === undefined) return null;
        const others = about.filter((one) => one !== main).map(({ value }) => `${value.name} ${figure(value.value)}`);
        const spelling = `; ${count(spelled)} would be if neither upper and lower case nor white space counted`;
        return {
          severity: 'warning',
          title: `${main.value.name} is ${figure(main.value.value)}${others.length === 0 ? '' : ` (and ${formatList(others)})`}: ${name} is right in ${right === 0 ? 'none' : count(right)} of ${count(n)} matched pairs that have it${spelled >= wrong / 2 ? spelling : ''}`,
          words: 'nothing-right/worst',
          todo: `Look at the values of ${name} below: are the two sides written in the same words, and is it the field that the recipe compares (attributes)?`,
          subjects: about.map(({ value }) => value.name),
          evidence,
        };
      }),
  };
}
