import { isRecord } from '../data/record-fields.ts';
import type { Verdict } from '../judge/verdict.ts';
import type { Measure } from '../measure/measure.ts';
import { buildMeasures } from '../measure/measures.ts';
import { type CaseFacts, Tally } from '../measure/tally.ts';
import { expectCounts } from './expect-counts.ts';
import { ledgerVerdict } from './ledger-verdict.ts';
import { type CaseRecord, damaged, type LedgerRecord, readCaseResults, readLedger } from './read-ledger.ts';
import type { Run } from './run.ts';

/** A run's sums again, unit by unit, with the values of each case. */
export interface Retallied {
  readonly run: Run;
  readonly measures: readonly Measure[];
  readonly cases: readonly CaseRecord[];
  readonly tally: Tally;
}

export interface RetallyOptions {
  /** Other measures than the run's own: columns of two runs are alike only where both were added up for the same ones. */
  readonly measures?: readonly Measure[];
  /** Leaves other cases out: a comparison is made over the cases that all systems have. */
  readonly only?: (id: string) => boolean;
  /** The cluster of a case, where another run says what belongs together. */
  readonly clusterOf?: (id: string) => string | null;
}

/** Adds a run's ledger up again, since the ledger is where every number comes from. */
export async function retally(
  run: Run,
  { only = () => true, clusterOf, measures = measuresOf(run) }: RetallyOptions = {},
): Promise<Retallied> {
  const { slice } = run.manifest.recipe.resolved;
  const slices = Array.isArray(slice) ? slice.filter((one) => typeof one === 'string') : [];
  const tally = new Tally(measures, slices);

  const cases: CaseRecord[] = [];
  const facts = new Map<string, CaseFacts>();
  const written = new Map<string, CaseRecord>();
  for await (const record of readCaseResults(run.folder)) {
    if (!only(record.case)) continue;
    cases.push(record);
    written.set(record.case, record);
    const own = factsOf(record, slices);
    facts.set(record.case, clusterOf === undefined ? own : { ...own, cluster: clusterOf(record.case) });
  }
  const seen = new Map<string | null, Set<string>>([[null, new Set()]]);
  for await (const { id, scheme, verdicts } of byCase(readLedger(run.folder), `${run.folder}/ledger.jsonl`)) {
    const own = facts.get(id);
    if (own === undefined) continue;
    if (scheme === null) expectCounts(run.folder, written.get(id)!, verdicts);
    tally.add(own, scheme, verdicts);
    const withVerdicts = seen.get(scheme);
    if (withVerdicts === undefined) seen.set(scheme, new Set([id]));
    else withVerdicts.add(id);
  }
  // A case without a verdict is a case all the same.
  for (const [scheme, withVerdicts] of seen)
    for (const [id, own] of facts) {
      if (withVerdicts.has(id)) continue;
      if (scheme === null) expectCounts(run.folder, written.get(id)!, []);
      tally.add(own, scheme, []);
    }
  return { run, measures, cases, tally };
}

/** The measures of a run, as its manifest has them. */
export function measuresOf(run: Run): readonly Measure[] {
  const { measure, zeroDivision } = run.manifest.recipe.resolved;
  if (!isRecord(measure)) throw damaged(`${run.folder}/manifest.json: recipe.resolved.measure is not a mapping`);
  return buildMeasures(measure, typeof zeroDivision === 'number' ? zeroDivision : null).measures;
}

function factsOf(record: CaseRecord, slices: readonly string[]): CaseFacts {
  return {
    case: record.case,
    failed: record.failed ?? null,
    answered: record.answered ?? true,
    slices: slices.some((slice) => slice !== 'label') ? (record.slices ?? {}) : null,
    cluster: record.cluster ?? null,
  };
}

/** Verdicts of one case and scheme together; the ledger holds them one after the other. */
async function* byCase(
  ledger: AsyncIterable<LedgerRecord>,
  place: string,
): AsyncGenerator<{ id: string; scheme: string | null; verdicts: Verdict[] }> {
  let held: { id: string; scheme: string | null; verdicts: Verdict[] } | null = null;
  for await (const record of ledger) {
    const scheme = record.scheme ?? null;
    if (held === null || held.id !== record.case || held.scheme !== scheme) {
      if (held !== null) yield held;
      held = { id: record.case, scheme, verdicts: [] };
    }
    held.verdicts.push(ledgerVerdict(record, place));
  }
  if (held !== null) yield held;
}
