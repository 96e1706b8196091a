import { Document, stringify, visit } from 'yaml';

import { count, safeJson, sha256Of, sortedJson, VERSION } from '../../plugin.ts';
import { type CsvColumn, NO_CLAIM, renderCsv } from '../../report.ts';
import type { UsedList } from '../calibrate/case-list.ts';
import { CASE_COLUMNS } from '../calibrate/case-table.ts';
import type { Violation } from '../calibrate/constraints.ts';
import { SCORE_NAMES, type ScoreName, whyNoScore } from '../calibrate/scores.ts';
import type { ScoredPolicy, PolicySweep } from '../calibrate/sweep.ts';
import { datasetHash } from '../dataset-hash.ts';
import { gateSettings, listJson } from './calibration-v3.ts';
import { OBJECTIVES, settingShares, surenessText } from './calibration-words.ts';
import { paretoFigure } from './pareto-figure.ts';

export function sweepHashes(
  { grid, cases }: PolicySweep,
  list: UsedList | null,
): { readonly grid: string; readonly inputs: string } {
  const traces = cases.map(({ caseId, sha256 }) => [caseId, sha256] as const);
  return {
    grid: sha256Of(sortedJson(grid)),
    inputs: datasetHash({ masRunId: null, caseListHash: list?.sha256 ?? null, traces }),
  };
}

/** The sweep as one JSON document. It holds no time, so the same input gives the same bytes. */
export function sweepJson(sweep: PolicySweep, list: UsedList | null, notices: readonly string[]): string {
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
    ...gateSettings(gate),
    on_front: onFront,
    distance,
    violations,
    scores: Object.fromEntries(SCORE_NAMES.map((name) => [name, score(name)])),
  };
}

/** What each policy did with each case, a line each; null if a case has no value. */
export function perCaseLines({ policies, cases, table }: PolicySweep): string {
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
export function gridYaml({ grid }: PolicySweep): string {
  const document = new Document(grid, { aliasDuplicateObjects: false });
  visit(document, {
    Seq(_, list) {
      list.flow = true;
    },
  });
  return document.toString({ lineWidth: 100, flowCollectionPadding: false });
}

/** The chosen policy as the lines of a variant's YAML file; null if none was chosen. */
export function chosenYaml(sweep: PolicySweep, list: UsedList | null): string | null {
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

/** Every policy with its scores, a row each; an empty cell is a score without a value. */
export function sweepCsv({ policies, chosen, stability, cases }: PolicySweep): string {
  return renderCsv(
    [
      ['policy_id', ({ policy }) => policy.id],
      ['min_words', ({ policy }) => policy.minWords],
      ['max_words', ({ policy }) => policy.maxWords],
      ['silence_timer_ms', ({ policy }) => policy.silenceMs],
      ['max_wait_timeout_ms', ({ policy }) => policy.maxWaitMs],
      ...SCORE_NAMES.map((name): CsvColumn<PolicySweep['policies'][number]> => [
        name,
        ({ scores }) => scores[name].value,
      ]),
      ['n_cases', () => cases.length],
      ['n_cases_with_flush', ({ scores }) => scores.ttff_content_p50_ms.n],
      ['constraint_violations', ({ violations }) => violations.map(violationText).join('; ')],
      ['on_front', ({ onFront }) => onFront],
      ['distance', ({ distance }) => distance],
      ['chosen', ({ place }) => place === chosen?.place],
      ['chosen_in_resamples', ({ place }) => stability?.chosen[place]],
    ],
    policies,
  );
}

function violationText({ constraint, value, bound, side }: Violation): string {
  if (value === null || bound === null) return 'an objective has no value';
  const short = (number: number): string => String(Math.round(number * 100) / 100);
  return `${constraint}: ${short(value)}, ${side} ${short(bound)}`;
}

const DRAWN = ['flush_count_mean', 'ttff_content_p50_ms', 'worst_wait_p95_ms'] as const;

/** The policies that keep to every constraint, as updates against the two kinds of waiting. */
export function sweepFigure(sweep: PolicySweep): string {
  const { policies, chosen, cases, survivors, objectives } = sweep;
  const names = objectives.map(({ name }) => name);
  const isDefault = names.length === DRAWN.length && DRAWN.every((name) => names.includes(name));
  const removed = policies.length - survivors;
  return paretoFigure({
    policies: policies
      .filter(({ violations }) => violations.length === 0)
      .map(({ policy, scores, onFront, place }) => ({
        id: policy.id,
        updates: scores.flush_count_mean.value,
        latencyMs: scores.ttff_content_p50_ms.value,
        tailMs: scores.worst_wait_p95_ms.value,
        onFront,
        chosen: place === chosen?.place,
      })),
    names: {
      updates: 'updates: flushes a case, mean',
      latency: 'first flush, median over cases',
      tail: 'words are held, p95',
    },
    traces: cases.length,
    notes: [
      ...(removed === 0 ? [] : [`${count(removed)} policies that break a constraint are not drawn.`]),
      ...(isDefault ? [] : [`Here the front is that of ${names.map((name) => OBJECTIVES[name].title).join(', ')}.`]),
    ],
  });
}
