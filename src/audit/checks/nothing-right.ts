import { isRecord } from '../../data/record-fields.ts';
import type { Item } from '../../data/item.ts';
import type { Verdict } from '../../judge/verdict.ts';
import type { MeasureValue } from '../../measure/results.ts';
import type { AuditCase, Check, CheckContext, NewFinding } from '../check.ts';
import { Evidence, NO_EVIDENCE } from '../evidence.ts';
import { overallValues } from '../overall-values.ts';
import { isPaired } from '../plain-score.ts';
import { primaryMeasures } from '../primary-sums.ts';
import { pairParts } from '../recipe-parts.ts';
import { count, figure } from '../../text/figures.ts';
import { directionOfWords } from './direction-of-words.ts';
import { SimpleSlips } from './simple-slips.ts';
import { WrongAttributes } from './wrong-attributes.ts';

/** So near to the end of its range a share says that nothing was right. */
const WORST = 0.02;
/** Where a simple slip explains most of it, a few more chance hits do not matter. */
const WORST_WITH_SLIP = 0.1;
const EXPLAINS = 0.5;
/** Of fewer, all may be wrong by chance. */
const LEAST_ITEMS = 20;

const HIT_FORMS: readonly unknown[] = ['precision', 'recall', 'f1'];
/** Shares of something that was judged or given; a share of cases that reach a mark may well be 0. */
const OTHER_FORMS: readonly unknown[] = ['verdict-share', 'field-mean'];
/** Kinds of which a neighbouring case often has the same. */
const FEW_VALUES: ReadonlySet<string> = new Set(['class', 'component', 'concept']);

const WHY =
  'A system that is right about nothing is rare. Such a value says more often that places, labels, values or cases were put together wrongly, and then it says nothing of the system.';

/** A measure of the recipe and what it counts, down to what a mean over cases or labels is made of. */
interface FormOf {
  readonly name: string;
  readonly form: Readonly<Record<string, unknown>>;
}

/** Where nothing at all is right, the fault is seldom the system's. */
export const nothingRight: Check = {
  name: 'nothing-right',
  about: 'measures at the worst end of their range over 20 items or more: nothing hits, or no value is right',
  open(context) {
    const forms = shares(context);
    const kinds = new Set(
      forms.filter(({ form }) => HIT_FORMS.includes(form['of']) && isPlain(form)).map(({ form }) => kindOf(form)),
    );
    const hits = [...kinds].map((kind) => new NoHits(kind, context));
    const attributes = new WrongAttributes(context);
    const primary = new Set(primaryMeasures(context.measures, context.recipe).map(({ name }) => name));
    return {
      add(given) {
        if (given.failed !== null) return;
        for (const own of hits) own.add(given);
        attributes.add(given);
      },
      finish({ run }) {
        const values = new Map(overallValues(run).map((value) => [value.name, value]));
        const others = forms.filter(({ name, form }) => primary.has(name) && OTHER_FORMS.includes(form['of']));
        const missed = hits.flatMap((own) => own.findings(forms, values, primary));
        const told = new Set(missed.flatMap(({ subjects }) => subjects));
        return [
          ...missed,
          ...attributes.findings(
            forms.flatMap(({ name, form }) => {
              const value = told.has(name) ? undefined : worstShare(values.get(name), WORST);
              return value === undefined ? [] : [{ value, form }];
            }),
            { share: WORST, least: LEAST_ITEMS, why: WHY },
          ),
          ...others.flatMap(({ name }) => atWorst(values.get(name))),
        ];
      },
    };
  },
};

/** The measures that are shares, from 0 to 1, of which one end is the worst. */
function shares({ measures, recipe }: CheckContext): FormOf[] {
  const forms = isRecord(recipe['measure']) ? recipe['measure'] : {};
  return measures
    .filter(({ range: [low, high], best }) => low === 0 && high === 1 && best === undefined)
    .map(({ name }) => ({ name, form: innermost(name, forms) }));
}

function innermost(
  given: unknown,
  forms: Readonly<Record<string, unknown>>,
  depth = 0,
): Readonly<Record<string, unknown>> {
  // A measure that goes by its own name need not be in the recipe.
  const form = typeof given === 'string' ? (forms[given] ?? { of: given }) : given;
  if (!isRecord(form)) return {};
  const { of, measure } = form;
  if ((of !== 'case-mean' && of !== 'macro') || depth > 5) return form;
  return innermost(measure, forms, depth + 1);
}

function kindOf({ kind }: FormOf['form']): string | null {
  return typeof kind === 'string' ? kind : null;
}

/** Whether every hit counts: whatever its attributes, whatever kind of match it is. */
function isPlain({ require, match }: FormOf['form']): boolean {
  return [require, match].every((list) => !Array.isArray(list) || list.length === 0);
}

/** The value, where it is a share that stands at its worst end. */
function worstShare(value: MeasureValue | undefined, within: number): (MeasureValue & { value: number }) | undefined {
  if (value === undefined || value.value === null) return undefined;
  const { value: share, direction } = value;
  const off = direction === 'higher' ? share : 1 - share;
  return off <= within ? { ...value, value: share } : undefined;
}

/** Predictions of one kind, or of all, none of which hits gold. */
class NoHits {
  readonly #kind: string | null;
  readonly #slips: SimpleSlips;
  readonly #inPieces: boolean;
  readonly #evidence = new Evidence();
  readonly #all = { hits: 0, gold: 0, predicted: 0 };
  /** In cases that have both: gold without any prediction is missed for another reason. */
  readonly #met = { gold: 0, predicted: 0 };

  constructor(kind: string | null, { recipe }: CheckContext) {
    this.#kind = kind;
    const parts = pairParts(recipe);
    const labelled = parts.filter(({ accept }) =>
      accept.some(({ gate, similarity }) => gate.includes('label') || similarity === 'relation'),
    );
    this.#slips = new SimpleSlips(new Set(labelled.map((part) => part.kind)));
    this.#inPieces = parts.some(
      (part) => (kind === null || part.kind === kind) && ['token', 'character', 'cover-token'].includes(part.unit),
    );
  }

  add({ id, text, verdicts }: AuditCase): void {
    let hits = 0;
    const missed: Item[] = [];
    const spurious: Verdict[] = [];
    for (const own of verdicts) {
      if (this.#kind === null ? !isPaired(own.kind) : own.kind !== this.#kind) continue;
      if (own.verdict === 'hit') hits += 1;
      else if (own.verdict === 'missed' && own.gold !== null) missed.push(own.gold);
      // Of places that were refused, the check `span-text` says what is wrong with them.
      else if (own.verdict === 'spurious' && own.predicted !== null && own.predicted.refused === undefined)
        spurious.push(own);
    }
    const [gold, predicted] = [hits + missed.length, hits + spurious.length];
    this.#all.hits += hits;
    this.#all.gold += gold;
    this.#all.predicted += predicted;
    if (gold > 0 && predicted > 0) {
      this.#met.gold += gold;
      this.#met.predicted += predicted;
    }
    // Where something was hit, the slip that would explain the rest is not one that was made all over.
    if (hits > 0) {
      this.#slips.add(null);
      return;
    }
    const items = spurious.flatMap(({ predicted: item }) => item ?? []);
    const isTelling = !this.#inPieces && (this.#kind === null || !FEW_VALUES.has(this.#kind));
    this.#slips.add(isTelling ? { text, gold: missed, predicted: items } : null);
    for (const { predicted: item, rejected, label } of spurious)
      this.#evidence.addItem({
        case: id,
        side: 'predicted',
        label,
        text: item?.text ?? '',
        note: rejected?.why ?? null,
      });
  }

  findings(
    forms: readonly FormOf[],
    values: ReadonlyMap<string, MeasureValue>,
    primary: ReadonlySet<string>,
  ): NewFinding[] {
    const { hits, gold, predicted } = this.#all;
    const fewer = Math.min(this.#met.gold, this.#met.predicted);
    if (fewer < LEAST_ITEMS || hits > WORST_WITH_SLIP * fewer) return [];
    const best = this.#slips.best();
    const slip = best !== null && best.would >= EXPLAINS * predicted ? best : null;
    const within = slip === null ? WORST : WORST_WITH_SLIP;
    if (hits > within * fewer) return [];
    const bad = forms
      .filter(({ form }) => HIT_FORMS.includes(form['of']) && kindOf(form) === this.#kind)
      .flatMap(({ name }) => worstShare(values.get(name), within) ?? []);
    const main = bad.find(({ name }) => primary.has(name)) ?? bad.find(({ name }) => name.endsWith('f1')) ?? bad[0];
    if (main === undefined) return [];
    const { cases, items } = this.#evidence;
    const [predictions, goldItems] = this.#inPieces
      ? (['predicted pieces', 'gold pieces'] as const)
      : (['predictions', 'gold items'] as const);
    const ofKind = this.#kind === null || this.#kind === 'span' ? '' : ` of the kind ${this.#kind}`;
    const how = `${hits === 0 ? 'none' : count(hits)} of ${count(predicted)} ${predictions}${ofKind} ${hits < 2 ? 'hits' : 'hit'} ${hits === 0 ? 'any' : 'one'} of ${count(gold)} ${goldItems}`;
    return [
      {
        severity: 'warning',
        title: `${main.name} is ${figure(main.value)}: ${how}${slip === null ? '' : `; ${count(slip.would)} would if ${slip.when}`}`,
        why: WHY,
        todo:
          slip === null
            ? 'Put a few predictions beside gold (assay explain): are they of the same case, do labels have the same names, are places counted in the same unit from the same start?'
            : 'Mend that where the files are made, on the side that is wrong, and score again.',
        subjects: bad.map(({ name }) => name),
        cases,
        items,
      },
    ];
  }
}

/** Of measures that count no hits, only their value can be looked at. */
function atWorst(value: MeasureValue | undefined): NewFinding[] {
  const worst = worstShare(value, WORST);
  if (worst === undefined || worst.n < LEAST_ITEMS) return [];
  const { name, n, direction, value: share } = worst;
  // A measure that is set up the wrong way round is at its best there, and another check says so.
  const wanted = directionOfWords(name);
  if (wanted !== null && wanted !== direction) return [];
  return [
    {
      severity: 'warning',
      title: `${name} is ${figure(share)} (n ${count(n)}), and ${direction === 'higher' ? 0 : 1} is the worst that it can be`,
      why: WHY,
      todo: 'Look at a few of the items that it counts: is the field, or the verdict, what the recipe takes it for, and is it about the same case?',
      subjects: [name],
      ...NO_EVIDENCE,
    },
  ];
}
