import type { Item, Side } from '../../data/item.ts';
import { describe, isRecord } from '../../data/record-fields.ts';
import type { Verdict } from '../../judge/verdict.ts';
import { NO_ANSWER } from '../../tasks/stream/failed-call.ts';
import type { AuditCase } from '../check.ts';
import { CASES_SHOWN, Evidence, NO_EVIDENCE } from '../evidence.ts';
import type { Finding } from '../finding.ts';
import { declaredLabels, stringsAt } from '../recipe-parts.ts';

/** As many of the last cases are remembered, so that those that come after all others can be named. */
const LAST_CASES = 1000;

type Behind = Pick<Finding, 'cases' | 'items'>;

/** Items by the notice that counted them, as the ledger shows it. */
const LOGGED: Readonly<Record<string, (verdict: Verdict) => boolean>> = {
  summariesNotInFaithfulness: ({ kind, verdict }) => kind === 'summary' && verdict === 'spurious',
  unansweredSummaries: ({ kind, rule }) => kind === 'summary' && rule === NO_ANSWER,
  emptyWindows: ({ kind, predicted }) => kind === 'summary' && predicted?.fields['window_deltas'] === 0,
  failedDecisions: ({ kind, rule }) => kind === 'decision' && rule === 'failed-call',
};

/**
 * The cases and items behind what reading let pass. Notices are counts, made before the first rule; here they are looked
 * up in what became of the cases, and nothing is named that may be something else.
 */
export class NoticeEvidence {
  readonly #labels: ReadonlySet<string>;
  readonly #values: readonly { readonly field: string; readonly allowed: ReadonlySet<unknown> }[];
  readonly #logged = new Map(Object.keys(LOGGED).map((name) => [name, new Evidence()]));
  readonly #unknownLabels = new Evidence();
  readonly #badSpans = new Evidence();
  readonly #withoutGold = new Evidence();
  readonly #withoutSummary = new Evidence();
  readonly #unclustered = new Evidence();
  /** The cases without gold since the last one with some. */
  #tail: string[] = [];
  /** Items of this case that were told: some pairings and rules give an item to two verdicts. */
  #told = new Set<string>();

  constructor(recipe: Readonly<Record<string, unknown>>) {
    this.#labels = new Set(declaredLabels(recipe));
    const values = isRecord(recipe['data']) ? recipe['data']['values'] : null;
    this.#values = Object.keys(isRecord(values) ? values : {}).map((field) => ({
      field,
      allowed: new Set(stringsAt(values, field)),
    }));
  }

  add({ id, failed, cluster, verdicts }: AuditCase): void {
    if (cluster === null) this.#unclustered.addCase(id);
    if (verdicts.some(({ gold }) => gold !== null)) this.#tail = [];
    else {
      this.#withoutGold.addCase(id);
      this.#tail.push(id);
      if (this.#tail.length > 2 * LAST_CASES) this.#tail = this.#tail.slice(-LAST_CASES);
    }
    if (failed === null && !verdicts.some(({ kind }) => kind === 'summary')) this.#withoutSummary.addCase(id);
    this.#told = new Set();
    for (const verdict of verdicts) {
      for (const [name, evidence] of this.#logged) if (LOGGED[name]?.(verdict) === true) addLogged(evidence, verdict);
      this.#addItem(id, 'gold', verdict.gold);
      this.#addItem(id, 'predicted', verdict.predicted);
    }
  }

  /** What is behind a notice; nothing where the run does not tell. */
  of(name: string, notices: Readonly<Record<string, number>>): Behind {
    const n = notices[name] ?? 0;
    switch (name) {
      case 'unknownCasesAsSpurious': {
        // They are read after all others and have no gold.
        const last = this.#tail.length < Math.min(n, LAST_CASES) ? [] : this.#tail.slice(-n);
        return casesOnly(last.length === 0 ? 0 : n, last);
      }
      case 'casesWithoutGold': {
        // A case whose gold is an empty list looks the same: where there are any, nobody can tell which are meant.
        const { total, shown } = this.#withoutGold.cases;
        return total - (notices['unknownCasesAsSpurious'] ?? 0) === n ? casesOnly(n, shown) : NO_EVIDENCE;
      }
      case 'casesWithoutSummary':
        return ifAll(n, this.#withoutSummary);
      case 'unclustered':
        return ifAll(n, this.#unclustered);
      case 'unknownLabelsKept':
        return behind(this.#unknownLabels);
      case 'badSpansAsSpurious':
        return behind(this.#badSpans);
      default: {
        const own = this.#logged.get(name);
        return own === undefined ? NO_EVIDENCE : behind(own);
      }
    }
  }

  #addItem(id: string, side: Side, item: Item | null): void {
    // Stretches of a text are no items that somebody gave.
    if (item === null || item.index < 0) return;
    const label = item.was ?? item.label;
    const { text, fields, refused } = item;
    const unknown = [
      ...(this.#labels.size === 0 || this.#labels.has(label) ? [] : [`label ${describe(label)}`]),
      ...this.#values.flatMap(({ field, allowed }) => {
        const value = Object.hasOwn(fields, field) ? fields[field] : undefined;
        return value === undefined || value === null || allowed.has(value) ? [] : [`${field} ${describe(value)}`];
      }),
    ];
    if (unknown.length === 0 && refused === undefined) return;
    const key = `${side} ${item.kind} ${item.index} ${item.annotator ?? ''}`;
    if (this.#told.has(key)) return;
    this.#told.add(key);
    const told = { case: id, side, label: item.label, text };
    if (unknown.length > 0) this.#unknownLabels.addItem({ ...told, note: unknown.join(', ') });
    if (refused !== undefined) this.#badSpans.addItem({ ...told, note: refused.because });
  }
}

function addLogged(evidence: Evidence, { case: id, label, predicted, because }: Verdict): void {
  const { text = '', fields = {} } = predicted ?? {};
  const where = `seq ${describe(fields['start_seq'])} to ${describe(fields['end_seq'])}`;
  const note = because === null ? where : `${where}: ${because}`;
  evidence.addItem({ case: id, side: 'predicted', label, text, note });
}

function behind({ cases, items }: Evidence): Behind {
  return { cases, items };
}

function casesOnly(total: number, ids: readonly string[]): Behind {
  return { ...NO_EVIDENCE, cases: { total, shown: ids.slice(0, Math.min(CASES_SHOWN, total)) } };
}

/** The cases, if there are as many as were noticed: otherwise some of them are there for another reason. */
function ifAll(n: number, { cases }: Evidence): Behind {
  return cases.total === n ? { ...NO_EVIDENCE, cases } : NO_EVIDENCE;
}
