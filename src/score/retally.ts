import { z } from 'zod';

import { isRecord } from '../data/record-fields.ts';
import { visible } from '../data/visible.ts';
import { type Verdict, VERDICTS } from '../judge/verdict.ts';
import type { Measure } from '../measure/measure.ts';
import { buildMeasures } from '../measure/measures.ts';
import { type CaseResult, verdictCounts } from '../measure/results.ts';
import { Tally } from '../measure/tally.ts';
import { customMeasures } from '../recipe/definitions.ts';
import { damaged, ledgerVerdicts } from './ledger.ts';
import { readLedgerCases } from './run-file.ts';
import type { Measures, Run } from './run.ts';

/**
 * Adds a run's ledger up again, since the ledger is where every number comes from. With other measures than the run's
 * own, columns of two runs are alike: both were added up for the same ones. `onCase` is called once per case, with the
 * verdicts of the recipe's own scheme.
 */
export async function retally(
  run: Run,
  measures: readonly Measure[] = measuresOf(run),
  onCase?: (result: CaseResult, verdicts: readonly Verdict[]) => void,
) {
  const { slice } = run.manifest.recipe.resolved;
  const slices = Array.isArray(slice) ? slice.filter((one) => typeof one === 'string') : [];
  const tally = new Tally(measures, slices);

  const cases = new Map<string, CaseResult>();
  /** The cases that have verdicts, by scheme. */
  const judged = new Map<string | null, Set<string>>([[null, new Set()]]);
  for await (const { result, records } of readLedgerCases(run.folder)) {
    cases.set(result.case, result);
    const verdicts = ledgerVerdicts(records, run.folder, null);
    const byScheme = Map.groupBy(verdicts, ({ scheme }) => scheme);
    const verdictsOfCase = byScheme.get(null) ?? [];
    expectCounts(run.folder, result, verdictsOfCase);
    onCase?.(result, verdictsOfCase);
    for (const [scheme, own] of byScheme) {
      judged.set(scheme, (judged.get(scheme) ?? new Set()).add(result.case));
      tally.add(result, scheme, own);
    }
  }
  // A case without a verdict is still a case.
  for (const [scheme, ids] of judged) for (const [id, result] of cases) if (!ids.has(id)) tally.add(result, scheme, []);
  return { run, measures, cases, tally };
}

/** The measures of a run, as its manifest has them, less those whose code is not at hand: `lackingCode` lists these. */
export function measuresOf(run: Run): readonly Measure[] {
  const { measure, zeroDivision } = run.manifest.recipe.resolved;
  if (!isRecord(measure)) throw damaged(`${run.folder}/manifest.json: recipe.resolved.measure is not a mapping`);
  const custom = customMeasures(run.definitions ?? []);
  const lacking = new Set(lackingCode(run).flatMap(({ defines, name }) => (defines === 'measure' ? [name] : [])));
  const known = Object.entries(measure).filter(([name, params]) => {
    const { of, measure: inner, measures: parts } = isRecord(params) ? params : {};
    const isLacking = [of, inner, parts].flat().some((one) => typeof one === 'string' && lacking.has(one));
    if (isLacking) lacking.add(name);
    return !isLacking;
  });
  return buildMeasures(Object.fromEntries(known), typeof zeroDivision === 'number' ? zeroDivision : null, custom)
    .measures;
}

/** What user code defined for a run, as its manifest lists it. */
export const customFacts = z
  .array(
    z.looseObject({
      defines: z.string(),
      name: z.string(),
      about: z.string(),
      module: z.string().optional(),
      sha256: z.string(),
    }),
  )
  .catch([]);

/** What user code defined for a run and is not at hand, or not as it was: a run folder does not hold code. */
export function lackingCode({ manifest, definitions = [] }: Run): { defines: string; name: string; why: string }[] {
  return customFacts.parse(manifest.recipe.resolved['custom']).flatMap(({ defines, name, sha256 }) => {
    const known = definitions.find((one) => one.defines === defines && one.name === name);
    if (known?.sha256 === sha256) return [];
    const why =
      known === undefined ? 'its code is not in the run folder (--recipe FILE)' : 'its code has changed since';
    return [{ defines, name, why }];
  });
}

/** Weights are summed in one order, so what is more than this apart is not rounding. */
const ROUNDING = 1e-9;

/** A ledger that was edited, or belongs to another run, would give figures that the run's own report does not have. */
export function expectCounts(folder: string, written: CaseResult, verdicts: readonly Verdict[]): void {
  const found = verdictCounts(verdicts);
  const apart = VERDICTS.find((verdict) => Math.abs(written.counts[verdict] - found[verdict]) > ROUNDING);
  if (apart === undefined) return;
  throw damaged(
    `${folder}: case ${visible(written.case)} has ${found[apart]} ${apart} in the ledger, but ${written.counts[apart]} in cases.jsonl`,
  );
}

/**
 * The same for measures.json, of which only the values can be added up again, not their intervals. If the manifest has
 * hashes, edits were noticed when the run was read.
 */
export async function expectValues(run: Run): Promise<void> {
  const { folder, measures, manifest } = run;
  if (manifest.files !== undefined) return;
  const recounted = (await retally(run)).tally.values();
  const keyOf = ({ name, slice }: Measures['measures'][number]): string => JSON.stringify([name, slice]);
  const again = new Map(recounted.map((one) => [keyOf(one), one.value]));
  for (const one of measures.measures) {
    const sum = again.get(keyOf(one));
    const apart = sum === undefined ? 0 : Math.abs((one.value ?? Infinity) - (sum ?? Infinity));
    if (one.value === sum || apart <= ROUNDING * Math.abs(sum ?? 1)) continue;
    throw damaged(
      `${folder}/measures.json: ${visible(one.name)} is ${one.value ?? 'no value'}, but the ledger adds up to ${sum ?? 'no value'}`,
    );
  }
}
