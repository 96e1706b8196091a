import { z } from 'zod';

import { AUDIT_CHECKS } from '../recipe/audit-section.ts';
import { customChecks } from './define-check.ts';
import { type Foldable, FoldState, StateMismatch } from '../data/fold-state.ts';
import { type Item, ITEM_KINDS, type ItemKind } from '../data/item.ts';
import { type VerdictKind, VERDICTS } from '../judge/verdict.ts';
import type { Plan } from '../recipe/plan.ts';
import type { Run } from '../score/run.ts';
import type { ScoreSink } from '../score/score.ts';
import { type Acceptances, acceptancesOf, settled, unusedOf } from './acceptance.ts';
import type { AuditMaterial, AuditCheck, CheckContext, Need, OpenCheck } from './check.ts';
import { CHECKS } from './checks.ts';
import { type Audit, type CheckRecord, type Finding, SEVERITIES, type UnusedAcceptance } from './finding.ts';
import { AuditSpans } from './audit-case.ts';
import { parseSaved } from './saved-shape.ts';
import { TextIndex } from './text-index.ts';
import type { AuditCase } from './audit-case.ts';
import { Totals } from './totals.ts';

/** What an audit may be given once the cases are through. */
export interface AuditEnd extends Partial<Pick<AuditMaterial, 'train' | 'gate' | 'others' | 'ceiling'>> {
  /** Laid over what the recipe accepts. */
  readonly accept?: Acceptances;
  /** Custom checks whose code is not at hand, with the reason. */
  readonly lacking?: readonly { readonly name: string; readonly why: string }[];
  /** Why there are no texts, where that is known. */
  readonly noTexts?: string | null;
}

const savedWatch = z.object({ totals: z.unknown(), index: z.unknown(), checks: z.map(z.string(), z.unknown()) });

/**
 * All checks over the cases of one run, looking on while they are scored or given them as they are read again. Made with
 * `isPart`, over a part of the cases: its state can be saved, and merged into a watch over the parts before.
 */
export class AuditWatch implements Foldable {
  readonly #context: CheckContext;
  readonly #isPart: boolean;
  readonly #open: readonly {
    readonly check: AuditCheck;
    readonly parts: readonly OpenCheck[];
    readonly state: FoldState;
  }[];
  /** What looks at a case, by whether it failed. */
  readonly #looking: Readonly<Record<'scored' | 'failed', Lookers>>;
  /** What looks at items and verdicts of plain spans, too; null where nothing does. */
  readonly #ofWhole: Lookers | null;
  readonly #items = new ItemsOnce();
  readonly #spans = new AuditSpans();
  readonly sink: ScoreSink = {
    scored: (given) => {
      if (this.#spans.open(given)) return this.#addSpans(this.#spans);
      for (const { case: scored, verdicts, result } of given.variants)
        this.add({ ...result, text: scored.text, verdicts });
    },
  };

  constructor(
    {
      task,
      resolved,
      measures,
      definitions = [],
      isPart = false,
    }: Pick<Plan, 'resolved' | 'measures'> &
      Partial<Pick<Plan, 'definitions'>> & { readonly task: string; readonly isPart?: boolean },
    checks = CHECKS,
  ) {
    const totals = new Totals(measures, resolved);
    const context = { task, recipe: resolved, measures, totals, index: new TextIndex(isPart) };
    this.#context = context;
    this.#isPart = isPart;
    const names: readonly string[] = AUDIT_CHECKS;
    const builtIn = checks
      .filter((check) => check.appliesTo?.(context) ?? true)
      .toSorted((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
    this.#open = [...builtIn, ...customChecks(definitions)].map((check) => {
      const state = new FoldState();
      const open = check.open?.({ ...context, isPart, keep: state.keep });
      const parts = [open ?? { find: (material: AuditMaterial) => check.find?.(material) ?? null }].flat();
      return { check, parts, state };
    });
    const ofFailed = this.#open.filter(({ check }) => check.scoredOnly !== true);
    this.#looking = { scored: lookersOf(this.#open), failed: lookersOf(ofFailed) };
    const parts = this.#open.flatMap((one) => one.parts).filter(looksAtItems);
    this.#ofWhole = parts.length === 0 ? null : lookersOf([{ parts }]);
  }

  /** The one pass over a case: what all checks share is counted first. */
  add(given: AuditCase): void {
    this.#context.totals.add(given);
    this.#context.index.add(given);
    this.#show(given, this.#looking[given.failed === undefined ? 'scored' : 'failed']);
  }

  /** The same for a case of plain spans. */
  #addSpans(given: AuditSpans): void {
    this.#context.totals.addSpans(given);
    this.#context.index.addSpans(given);
    for (const look of this.#looking.scored.ofSpans) look(given);
    if (this.#ofWhole !== null) this.#show(given.whole, this.#ofWhole);
  }

  #show(given: AuditCase, { ofCases, ofVerdicts, ofItems }: Lookers): void {
    for (const look of ofCases) look(given);
    this.#items.begin();
    let kind: ItemKind | null = null;
    let ofKind: LookersOfKind = ofVerdicts.values().next().value!;
    for (const verdict of given.verdicts) {
      if (verdict.kind !== kind) {
        kind = verdict.kind;
        ofKind = ofVerdicts.get(kind)!;
      }
      const looking = ofKind[verdict.verdict];
      for (let at = 0; at < looking.length; at += 1) looking[at]!(verdict, given);
      if (ofItems.length === 0) continue;
      const { gold, predicted } = verdict;
      if (gold !== null && this.#items.isNew(gold, 0)) for (const look of ofItems) look(gold, 'gold', verdict, given);
      if (predicted !== null && this.#items.isNew(predicted, 1))
        for (const look of ofItems) look(predicted, 'predicted', verdict, given);
    }
  }

  /** Checks that look at cases and keep nothing of them: what they gather over parts cannot be merged. */
  get unmergeable(): readonly string[] {
    const looks = ({ case: ofCase, verdict, item }: OpenCheck): boolean => Boolean(ofCase ?? verdict ?? item);
    return this.#open
      .filter(({ parts, state }) => state.size === 0 && parts.some(looks))
      .map(({ check }) => check.name);
  }

  save(): z.infer<typeof savedWatch> {
    if (!this.#isPart) throw new Error('only the audit of a part can be saved: make it with isPart');
    const { totals, index } = this.#context;
    const checks = new Map(this.#open.map(({ check, state }) => [check.name, state.save()]));
    return { totals: totals.save(), index: index.save(), checks };
  }

  /** Adds what was saved of the cases that follow. */
  merge(saved: unknown): void {
    const { totals, index, checks } = parseSaved(savedWatch, saved);
    // Checks go by what all cases together add up to.
    this.#context.totals.merge(totals);
    this.#context.index.merge(index);
    for (const { check, state } of this.#open) {
      if (!checks.has(check.name)) throw new StateMismatch(`the check ${check.name} was not saved`);
      state.merge(checks.get(check.name));
    }
  }

  /** Reports what makes the result misleading. */
  async finish(run: Run, { accept, noTexts = null, lacking: unknown = [], ...rest }: AuditEnd = {}): Promise<Audit> {
    const { signature, recipe } = run.manifest;
    const primary = this.#context.totals.primaryOf(run);
    const material = { run, train: null, gate: null, others: [], ...rest, ...this.#context, primary };
    const accepted = new Map([...acceptancesOf(recipe.resolved), ...(accept ?? [])]);
    const checks: CheckRecord[] = [];
    const findings: Finding[] = [];
    const unused: UnusedAcceptance[] = [];
    for (const { check, parts } of this.#open) {
      const { name, about, needs = [] } = check;
      const lacking = lackingOf(needs, material, noTexts);
      const found = await Promise.all(lacking === null ? parts.map(async (part) => part.find(material)) : []);
      const skipped =
        lacking ?? found.flatMap((one) => (one !== null && 'skipped' in one ? [one.skipped] : []))[0] ?? null;
      const leftOut = skipped === null ? parts.flatMap((part) => part.leftOut?.() ?? []) : [];
      checks.push({ name, about: [about, ...leftOut].join('; '), skipped });
      // Of a check that did not look nobody knows whether its acceptance is needed.
      if (skipped !== null) continue;
      const all = found.flat().flatMap((one) => (one === null || 'skipped' in one ? [] : [one]));
      findings.push(...all.flatMap((one) => settled(name, one, accepted)));
      unused.push(...unusedOf(name, all, accepted));
    }
    for (const { name, why } of unknown) checks.push({ name, about: 'a custom check', skipped: why });
    // Those that are not accepted first, and the worst of them first; the rest as the checks are listed.
    const place = (one: Finding): number =>
      (one.accepted === null ? 0 : SEVERITIES.length) + SEVERITIES.indexOf(one.severity);
    const sorted = findings.toSorted((a, b) => place(a) - place(b));
    return { format: 1, signature, checks, findings: sorted, ...(unused.length === 0 ? {} : { unused }) };
  }
}

/** Whether a part looks at plain spans, and not in columns. */
function looksAtItems({ spans, case: ofCase, verdict, item, kinds, outcomes }: OpenCheck): boolean {
  if (spans !== undefined) return false;
  const isShown = (kinds?.includes('span') ?? true) && (outcomes?.some((one) => one !== 'excused') ?? true);
  return ofCase !== undefined || item !== undefined || (verdict !== undefined && isShown);
}

type Lookers = ReturnType<typeof lookersOf>;
type VerdictLooker = NonNullable<OpenCheck['verdict']>;
type LookersOfKind = Readonly<Record<VerdictKind, readonly VerdictLooker[]>>;

function lookersOf(open: readonly { readonly parts: readonly OpenCheck[] }[]) {
  const parts = open.flatMap((one) => one.parts);
  const lookers = (kind: ItemKind, outcome: VerdictKind): VerdictLooker[] =>
    parts
      .filter(({ kinds, outcomes }) => (kinds?.includes(kind) ?? true) && (outcomes?.includes(outcome) ?? true))
      .flatMap((part) => part.verdict ?? []);
  const ofKind = (kind: ItemKind): LookersOfKind => {
    const [hit, missed, spurious, excused] = VERDICTS.map((outcome) => lookers(kind, outcome));
    return { hit: hit!, missed: missed!, spurious: spurious!, excused: excused! };
  };
  return {
    ofCases: parts.flatMap((part) => part.case ?? []),
    ofVerdicts: new Map(ITEM_KINDS.map((kind) => [kind, ofKind(kind)])),
    ofItems: parts.flatMap((part) => part.item ?? []),
    ofSpans: parts.flatMap((part) => part.spans ?? []),
  };
}

/** Places that a list has room for; items beyond are few. */
const MOST_PLACES = 1 << 20;
const KIND_PLACES: ReadonlyMap<ItemKind, number> = new Map(ITEM_KINDS.map((kind, at) => [kind, at]));

/** Which items of the case at hand were met: some pairings and rules give an item to two verdicts. */
class ItemsOnce {
  /** For each place the number of the last case that had an item there. */
  #cases = new Int32Array(1 << 10);
  #case = 0;
  #others = new Set<string>();

  begin(): void {
    this.#case += 1;
    if (this.#others.size > 0) this.#others = new Set();
  }

  /** Stretches of a text are no items, and never new. */
  isNew({ index, kind, annotator }: Item, side: 0 | 1): boolean {
    if (index < 0) return false;
    const place = (index * ITEM_KINDS.length + KIND_PLACES.get(kind)!) * 2 + side;
    // Annotators number their items each for themselves.
    if (annotator !== null || place >= MOST_PLACES) {
      const [before, key] = [this.#others.size, `${place} ${annotator ?? ''}`];
      return this.#others.add(key).size > before;
    }
    if (place >= this.#cases.length) {
      const more = new Int32Array(2 * place);
      more.set(this.#cases);
      this.#cases = more;
    }
    if (this.#cases[place] === this.#case) return false;
    this.#cases[place] = this.#case;
    return true;
  }
}

function lackingOf(needs: readonly Need[], given: AuditMaterial, noTexts: string | null): string | null {
  const { train, gate, others, totals } = given;
  if (needs.includes('texts') && totals.texts === 0) return noTexts ?? 'no case has a text';
  if (needs.includes('train') && train === null) return 'no training cases were given (--train FILE)';
  if (needs.includes('gate') && gate === null) return 'no rules of a gate were given (--gate FILE)';
  return needs.includes('others') && others.length === 0 ? 'no other run was given to compare with' : null;
}
