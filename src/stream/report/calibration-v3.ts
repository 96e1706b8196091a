import {
  count,
  plural,
  type Document,
  levelText,
  numberColumns,
  safeJson,
  type Table,
  textColumns,
  VERSION,
} from '../../plugin.ts';
import { FEW_UNITS } from '../../stats.ts';
import type { V3Calibration } from '../calibrate/calibrate-v3.ts';
import type { UsedList } from '../calibrate/case-list.ts';
import type { GatePolicy } from '../replay/token-gate.ts';

const ROWS_SHOWN = 20;
const RULE =
  'Per case the median size of the regular flushes in CTU, then the median over cases, rounded up. Flushes at the end ' +
  'of the trace and of a turn are left out.';

/** The chunk, what it is based on, and the lines for the variant. It holds no time: the same input gives the same bytes. */
export function v3Document(calibration: V3Calibration): Document {
  const { chunkCtu, cases, list, inputsHash, variant, gate } = calibration;
  const source = gate === null ? `the logged flushes of ${variant}` : `traces passed through the gate of ${variant}`;
  return {
    title: `V3 chunk: ${chunkCtu === null ? 'inconclusive' : `${chunkCtu} CTU`}`,
    ...(chunkCtu === null ? { mark: 'inconclusive' } : {}),
    about: `From ${source}, ${plural(cases.length, 'case')}.`,
    sections: [
      { blocks: [{ text: sentence(calibration) }, { text: RULE, tone: 'quiet' }] },
      { blocks: [{ list: v3Notices(calibration), mark: 'warning' }] },
      {
        title: 'For the variant',
        blocks: [chunkCtu === null ? null : { code: v3Yaml(chunkCtu).trimEnd(), language: 'yaml' }],
      },
      {
        title: 'Cases',
        blocks: [
          {
            columns: [
              ...textColumns('case'),
              ...numberColumns('median CTU', 'flushes'),
              { title: 'end of trace', align: 'right', drop: 1 },
              { title: 'turn end', align: 'right', drop: 2 },
            ],
            rows: cases.map(({ caseId, median, flushes, excluded }) => [
              caseId,
              median === null ? '–' : count(median),
              count(flushes),
              count(excluded['end_of_trace'] ?? 0),
              count(excluded['turn_end'] ?? 0),
            ]),
            shown: ROWS_SHOWN,
            rest: ' in the report',
          },
        ],
      },
      { title: 'Sources', on: 'page', blocks: [hashTable([['all inputs', inputsHash]], list, cases)] },
    ],
  };
}

export function hashTable(
  first: readonly (readonly [what: string, hash: string])[],
  list: UsedList | null,
  cases: readonly { readonly caseId: string; readonly sha256: string }[],
): Table {
  return {
    columns: [{ title: 'what' }, { title: 'hash' }],
    rows: [
      ...first,
      ...(list === null ? [] : [[list.name, list.sha256]]),
      ...cases.map(({ caseId, sha256 }) => [caseId, sha256]),
    ],
  };
}

/** The lines of a variant's YAML file that fix the chunk. */
export function v3Yaml(chunkCtu: number): string {
  return `fixed_trigger:\n  enabled: true\n  chunk_size_ctu: ${chunkCtu}\n`;
}

function sentence({ median, interval, noInterval, n, regular, excluded, resampling, chunkCtu }: V3Calibration): string {
  if (median === null || chunkCtu === null) return `There is no chunk: ${noInterval ?? 'no value'}.`;
  const left = Object.values(excluded).reduce((sum, some) => sum + some, 0);
  const sureness =
    interval === null
      ? `no interval: ${noInterval ?? ''}`
      : `${levelText(resampling.level)} interval ${count(interval.low)} to ${count(interval.high)}, bootstrap over cases`;
  return (
    `The median of ${plural(n, 'case')} is ${count(median)} CTU (${sureness}), so the chunk is ${count(chunkCtu)}. ` +
    `${plural(regular, 'regular flush', 'regular flushes')}; ${count(left)} left out.`
  );
}

function v3Notices({ n, cases, list, interval, gate }: V3Calibration): string[] {
  const without = cases.length - n;
  const few = `the interval rests on ${plural(n, 'case')}: from so few, resampling gives it too narrow`;
  return [
    ...(interval !== null && n < FEW_UNITS ? [few] : []),
    ...(without === 0 ? [] : [`${plural(without, 'case has', 'cases have')} no regular flush and no say`]),
    ...(list === null || list.missing.length === 0
      ? []
      : [
          `of the first ${count(list.first)} cases of ${list.name}, ${count(list.missing.length)} are missing: ` +
            'what all of them would give is not known',
        ]),
    ...(gate?.maxWait === 'first-buffer-only' ? [FIRST_BUFFER_ONLY] : []),
  ];
}

export const FIRST_BUFFER_ONLY =
  'the longest wait counts for the first buffer of an agent only, as in the published logs';

export function v3Json(calibration: V3Calibration): string {
  const { resampling, interval, gate } = calibration;
  const { level, resamples, seed } = resampling;
  return safeJson({
    schema: 'assay.stream.v3-calibration',
    schema_version: '1.0.0',
    assay: VERSION,
    method: 'per case the median CTU of regular flushes, the median over cases, rounded up',
    variant: calibration.variant,
    source: gate === null ? 'run logs' : 'traces',
    gate: gate === null ? null : gateSettings(gate),
    chunk_size_ctu: calibration.chunkCtu,
    median_ctu: calibration.median,
    interval:
      interval === null ? null : { ...interval, level, method: 'bootstrap-percentile over cases', resamples, seed },
    no_interval: calibration.noInterval,
    n_cases: calibration.n,
    regular_flushes: calibration.regular,
    excluded_flushes: calibration.excluded,
    case_list: listJson(calibration.list),
    inputs_hash: calibration.inputsHash,
    notices: v3Notices(calibration),
    cases: calibration.cases.map(({ caseId, median, flushes, excluded, sha256 }) => ({
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
export function gateSettings({ minWords, maxWords, silenceMs, maxWaitMs, maxWait }: GatePolicy) {
  return {
    min_words: minWords,
    max_words: maxWords,
    silence_timer_ms: silenceMs,
    max_wait_timeout_ms: maxWaitMs,
    max_wait: maxWait,
  };
}
