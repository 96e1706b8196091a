import { REJECTED_BY_SYSTEM } from '../../data/case.ts';
import { type Item, PAIRED_KINDS, type Side } from '../../data/item.ts';
import { compareText } from '../../text/compare.ts';
import type { AuditCase, NewFinding } from '../check.ts';
import { Evidence } from '../evidence.ts';
import { isPaired } from '../plain-score.ts';
import { rulesOf } from '../recipe-parts.ts';
import { count, counted, percent } from '../../text/figures.ts';
import { listed } from '../words.ts';
import { type Limits, severityOf } from './limits.ts';

/** The recipe says openly what it sets aside; a tenth of the predictions is more than tidying up. */
export const SET_ASIDE_PREDICTIONS = { warning: 0.1, error: Infinity, fewest: 5 };
/** Gold is set aside by definition of the task (what need not be masked, what nobody can know): only most of it is news. */
export const SET_ASIDE_GOLD = { warning: 0.5, error: Infinity, fewest: 5 };
/** Rules that somebody wrote down in order to leave items out: what they take is news only where next to nothing stays. */
const ON_PURPOSE = ['drop', 'min-confidence'];
export const SET_ASIDE_ON_PURPOSE = { warning: 0.9, error: Infinity, fewest: 5 };
/** Predictions that leave because gold does: how many there are says nothing that gold does not say. */
const WITH_GOLD = ['leave-out-gold'];

const SIDES = ['gold', 'predicted'] as const;

/** By kind of item: a class that is left out does not show among eight components that are not. */
type ByKind = Map<string, Record<Side, number>>;

interface OwnRule {
  readonly taken: ByKind;
  readonly evidence: Evidence;
}

/** What one rule took of one kind on one side. */
interface Part {
  readonly kind: string;
  readonly side: Side;
  readonly n: number;
  /** Of how many; null where pairing looks at stretches of the text, which are no items. */
  readonly of: number | null;
}

/** Items that rules took out before pairing, of the cases that are scored. */
export class SetAsideItems {
  readonly #onPurpose: ReadonlySet<string>;
  readonly #withGold: ReadonlySet<string>;
  readonly #totals: ByKind = new Map();
  /** Kinds and sides that are paired in stretches. */
  readonly #stretches = new Set<string>();
  readonly #rules = new Map<string, OwnRule>();
  #anyFailed = false;

  constructor(recipe: Readonly<Record<string, unknown>>) {
    const named = (rules: readonly string[]): Set<string> =>
      new Set(rules.flatMap((rule) => rulesOf(recipe, 'prepare', rule).map(({ name }) => name)));
    this.#onPurpose = named(ON_PURPOSE);
    this.#withGold = named(WITH_GOLD);
  }

  /** What a failed case has is said of the case, and is in neither number. */
  add({ id, failed, failedAsEmpty, verdicts }: AuditCase): void {
    if (failed !== null) {
      this.#anyFailed = true;
      return;
    }
    // Some pairings and rules give an item to two verdicts.
    const seen = new Set<string>();
    for (const { kind, rule, label, because, setAside, ...sides } of verdicts) {
      if (!isPaired(kind) || (failedAsEmpty !== undefined && rule === 'failed' && setAside)) continue;
      for (const side of SIDES) {
        const item = sides[side];
        if (item === null) continue;
        if (item.index < 0) {
          this.#stretches.add(`${kind} ${side}`);
          continue;
        }
        const key = keyOf(item, kind, side);
        if (seen.has(key)) continue;
        seen.add(key);
        countIn(this.#totals, kind, side);
        if (!setAside) continue;
        let own = this.#rules.get(rule);
        if (own === undefined) this.#rules.set(rule, (own = { taken: new Map(), evidence: new Evidence() }));
        countIn(own.taken, kind, side);
        own.evidence.addItem({ case: id, side, label, text: item.text, note: because });
      }
    }
  }

  findings(): NewFinding[] {
    return [...this.#rules].sort(([a], [b]) => compareText(a, b)).map(([rule, own]) => this.#finding(rule, own));
  }

  #finding(rule: string, { taken, evidence }: OwnRule): NewFinding {
    const parts = SIDES.flatMap((side) => this.#parts(taken, side));
    const isOnPurpose = this.#onPurpose.has(rule);
    const isWarning = parts.some((part) => {
      if (part.of === null) return false;
      const limits = this.#limits(rule, part);
      return limits !== null && severityOf(part.n, part.of, limits) === 'warning';
    });
    const because = !isOnPurpose
      ? ''
      : isWarning
        ? `Next to nothing ${this.#severalKinds() ? 'of a kind ' : ''}is left to be scored. `
        : 'The recipe asks for that. ';
    const total = parts.reduce((sum, { n }) => sum + n, 0);
    return {
      severity: isWarning ? 'warning' : 'note',
      title: `${listed(
        parts.map((part) => this.#share(part)),
        parts.length,
      )} ${total === 1 ? 'was' : 'were'} ${rule === REJECTED_BY_SYSTEM ? 'taken out by the system itself, before it answered' : `set aside by the rule ${rule} before pairing`}`,
      why: `${because}${this.#why(rule, parts)}${this.#anyFailed ? ' Cases that failed are in neither number.' : ''}`,
      todo:
        rule === REJECTED_BY_SYSTEM
          ? 'Look at the items below. To score them as well, run again with target.unsupported: flag (or uncertain), and compare the two scores.'
          : `Look at the items below. If they should count, switch ${rule} off in the recipe (prepare) and compare the two scores.`,
      subjects: [rule],
      cases: evidence.cases,
      items: evidence.items,
    };
  }

  #why(rule: string, parts: readonly Part[]): string {
    if (rule === REJECTED_BY_SYSTEM)
      return 'The model gave them, and rules after it took them out: precision is of what was left. They count in evidence_coverage, which is over all that the model gave.';
    if (parts[0]?.side !== 'gold')
      return 'They are neither right nor wrong. A wrong prediction that is set aside does not lower precision.';
    return this.#withGold.has(rule)
      ? 'Where gold is set aside no prediction is right or wrong, so the score is about the rest only.'
      : 'The system need not find what is set aside, so recall is about the rest only.';
  }

  #parts(taken: ByKind, side: Side): Part[] {
    return PAIRED_KINDS.flatMap((kind) => {
      const n = taken.get(kind)?.[side] ?? 0;
      const of = this.#stretches.has(`${kind} ${side}`) ? null : (this.#totals.get(kind)?.[side] ?? 0);
      return n === 0 ? [] : [{ kind, side, n, of }];
    });
  }

  #limits(rule: string, { side }: Part): Limits | null {
    if (this.#onPurpose.has(rule)) return SET_ASIDE_ON_PURPOSE;
    if (side === 'gold') return SET_ASIDE_GOLD;
    return this.#withGold.has(rule) ? null : SET_ASIDE_PREDICTIONS;
  }

  /** "22 of 40 gold items of the kind class (55 %)"; where there is one kind, it need not be said. */
  #share({ kind, side, n, of }: Part): string {
    const one = side === 'gold' ? 'gold item' : 'prediction';
    const ofKind = this.#severalKinds() ? ` of the kind ${kind}` : '';
    if (of === null) return `${counted(n, one)}${ofKind}`;
    return `${count(n)} of ${counted(of, one)}${ofKind} (${percent(n, of)})`;
  }

  #severalKinds(): boolean {
    return this.#totals.size > 1;
  }
}

function countIn(byKind: ByKind, kind: string, side: Side): void {
  let own = byKind.get(kind);
  if (own === undefined) byKind.set(kind, (own = { gold: 0, predicted: 0 }));
  own[side] += 1;
}

/** Annotators number their items each for themselves. */
function keyOf({ index, annotator }: Item, kind: string, side: Side): string {
  return `${side} ${kind} ${index} ${annotator ?? ''}`;
}
