import { Document, stringify, visit } from 'yaml';

import { sortedJson } from '../data/sorted-json.ts';
import { sha256Of } from '../data/sha256-of.ts';
import { VERSION } from '../score/version.ts';
import type { UsedList } from '../tasks/stream/calibrate/case-list.ts';
import { CASE_COLUMNS } from '../tasks/stream/calibrate/case-table.ts';
import { SCORE_NAMES, type ScoreName, whyNoScore } from '../tasks/stream/calibrate/scores.ts';
import type { ScoredPolicy, Sweep } from '../tasks/stream/calibrate/sweep.ts';
import { datasetHash } from '../tasks/stream/dataset-hash.ts';
import { safeJson } from './safe-json.ts';
import { gateJson, listJson } from './stream-calibration-v3-json.ts';
import { settingShares, surenessText } from './stream-calibration-words.ts';
import { NO_CLAIM } from './svg/small-print.ts';

/** What a sweep was made from, as hashes. */
export function sweepHashes(
  { grid, cases }: Sweep,
  list: UsedList | null,
): { readonly grid: string; readonly inputs: string } {
  const traces = cases.map(({ caseId, sha256 }) => [caseId, sha256] as const);
  return {
    grid: sha256Of(sortedJson(grid)),
    inputs: datasetHash({ masRunId: null, caseListHash: list?.sha256 ?? null, traces }),
  };
}

/** The sweep as one JSON document. It holds no time, so the same input gives the same bytes. */
export function sweepJson(sweep: Sweep, list: UsedList | null, notices: readonly string[]): string {
  const { chosen, usual, stability, front } = sweep;
  const hashes = sweepHashes(sweep, list);
  return safeJson({
    schema: 'assay.stream.tokengate-sweep',
    schema_version: '1.0.0',
    assay: VERSION,
    grid_hash: hashes.grid,
    inputs_hash: hashes.inputs,
    case_list: listJson(list),
    cases: sweep.cases.map(({ caseId, sha256 }) => ({ case_id: caseId, sha256 })),
    policies: {
      tried: sweep.policies.length,
      not_tried: sweep.invalid.map(({ policy, because }) => ({ policy_id: policy.id, because })),
      survivors: sweep.survivors,
      front: front.map(({ policy }) => policy.id),
    },
    constraints: sweep.bounds.map(({ constraint, score, side, limit, ofMinWords, derived }) => ({
      constraint,
      score,
      side,
      limit,
      times_min_words: ofMinWords,
      derived,
    })),
    removed: sweep.removed,
    objectives: sweep.objectives,
    chosen: chosen === null ? null : policyJson(chosen),
    usual: policyJson(usual),
    stability:
      stability === null
        ? null
        : {
            resamples: stability.resamples,
            seed: stability.seed,
            none_left: stability.noneLeft,
            chosen: chosen === null ? null : stability.chosen[chosen.place]!,
            on_front: chosen === null ? null : (stability.onFront.get(chosen.place) ?? 0),
            by_policy: [...stability.chosen.entries()].flatMap(([place, times]) =>
              times === 0 ? [] : [{ policy_id: sweep.policies[place]!.policy.id, times }],
            ),
            by_setting: Object.fromEntries(
              settingShares(sweep).map(({ name, values }) => [
                name,
                values.map(([value, times]) => ({ value, times })),
              ]),
            ),
            objectives: stability.spread,
          },
    no_stability: sweep.noStability,
    sureness: surenessText(sweep),
    notices,
    claim: NO_CLAIM,
  });
}

function policyJson({ policy, scores, violations, onFront, distance }: ScoredPolicy): object {
  const { id, ...gate } = policy;
  const score = (name: ScoreName): object => {
    const { value, n } = scores[name];
    return { value, n, ...(value === null ? { undefined: whyNoScore(name) } : {}) };
  };
  return {
    policy_id: id,
    ...gateJson(gate),
    on_front: onFront,
    distance,
    violations,
    scores: Object.fromEntries(SCORE_NAMES.map((name) => [name, score(name)])),
  };
}

/** What each policy did with each case, a line each; null where a case has no value. */
export function perCaseLines({ policies, cases, table }: Sweep): string {
  const lines: string[] = [];
  for (const { policy, place } of policies)
    for (const [at, { caseId }] of cases.entries()) {
      const values = CASE_COLUMNS.map((name) => {
        const value = table.columns[name][place * cases.length + at]!;
        return [name, Number.isNaN(value) ? null : value];
      });
      lines.push(JSON.stringify({ policy_id: policy.id, case_id: caseId, ...Object.fromEntries(values) }));
    }
  return `${lines.join('\n')}\n`;
}

/** The grid with everything filled in that it left out. */
export function gridYaml({ grid }: Sweep): string {
  const document = new Document(grid, { aliasDuplicateObjects: false });
  visit(document, {
    Seq(_, list) {
      list.flow = true;
    },
  });
  return document.toString({ lineWidth: 100, flowCollectionPadding: false });
}

/** The chosen policy as the lines of a variant's YAML file; null where none was chosen. */
export function chosenYaml(sweep: Sweep, list: UsedList | null): string | null {
  if (sweep.chosen === null) return null;
  const { id, minWords, maxWords, silenceMs, maxWaitMs, maxWait } = sweep.chosen.policy;
  const hashes = sweepHashes(sweep, list);
  const lines = stringify({
    components: {
      token_gate: {
        enabled: true,
        min_words: minWords,
        max_words: maxWords,
        silence_timer: silenceMs / 1000,
        max_wait_timeout: maxWaitMs / 1000,
        max_wait: maxWait,
      },
    },
  });
  return `# ${id} of grid ${hashes.grid}\n# on traces ${hashes.inputs}\n# ${surenessText(sweep)}\n${lines}`;
}
