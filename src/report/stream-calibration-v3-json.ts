import { VERSION } from '../score/version.ts';
import type { V3Calibration } from '../tasks/stream/calibrate/calibrate-v3.ts';
import type { UsedList } from '../tasks/stream/calibrate/case-list.ts';
import type { GatePolicy } from '../tasks/stream/replay/token-gate.ts';
import { safeJson } from './safe-json.ts';
import { v3Notices } from './stream-calibration-v3.ts';

/** The calibration of V3 as a file. It holds no time, so the same input gives the same bytes. */
export function v3Json(found: V3Calibration): string {
  const { resampling, interval } = found;
  return safeJson({
    schema: 'assay.stream.v3-calibration',
    schema_version: '1.0.0',
    assay: VERSION,
    method: 'per case the median CTU of regular flushes, the median over cases, rounded up',
    variant: found.variant,
    source: found.gate === null ? 'run logs' : 'traces',
    gate: found.gate === null ? null : gateJson(found.gate),
    chunk_size_ctu: found.chunkCtu,
    median_ctu: found.median,
    interval:
      interval === null
        ? null
        : {
            ...interval,
            level: resampling.level,
            method: 'bootstrap-percentile over cases',
            resamples: resampling.resamples,
            seed: resampling.seed,
          },
    no_interval: found.noInterval,
    n_cases: found.n,
    regular_flushes: found.regular,
    excluded_flushes: found.excluded,
    case_list: listJson(found.list),
    inputs_hash: found.inputsHash,
    notices: v3Notices(found),
    cases: found.cases.map(({ caseId, median, flushes, excluded, sha256 }) => ({
      case_id: caseId,
      median_ctu: median,
      regular_flushes: flushes,
      excluded_flushes: excluded,
      sha256,
    })),
  });
}

export function listJson(list: UsedList | null): object | null {
  if (list === null) return null;
  return { file: list.name, sha256: list.sha256, first: list.first, missing: list.missing };
}

/** A gate's settings under the names that grids and reports have. */
export function gateJson({ minWords, maxWords, silenceMs, maxWaitMs, maxWait }: GatePolicy): object {
  return {
    min_words: minWords,
    max_words: maxWords,
    silence_timer_ms: silenceMs,
    max_wait_timeout_ms: maxWaitMs,
    max_wait: maxWait,
  };
}
