import { SCORE_NAMES } from '../tasks/stream/calibrate/scores.ts';
import type { Sweep } from '../tasks/stream/calibrate/sweep.ts';
import { violationText } from './stream-calibration-words.ts';

const PARAMETERS = ['policy_id', 'min_words', 'max_words', 'silence_timer_ms', 'max_wait_timeout_ms'] as const;
const STANDING = [
  'n_cases',
  'n_cases_with_flush',
  'constraint_violations',
  'on_front',
  'distance',
  'chosen',
  'chosen_in_resamples',
] as const;

/** Every policy with its scores, a row each; an empty cell is a score without a value. */
export function sweepCsv({ policies, chosen, stability, cases }: Sweep): string {
  const rows = policies.map(({ policy, place, scores, violations, onFront, distance }) => [
    policy.id,
    policy.minWords,
    policy.maxWords,
    policy.silenceMs,
    policy.maxWaitMs,
    ...SCORE_NAMES.map((name) => scores[name].value),
    cases.length,
    scores.ttff_content_p50_ms.n,
    violations.map(violationText).join('; '),
    onFront,
    distance,
    place === chosen?.place,
    stability === null ? null : stability.chosen[place]!,
  ]);
  return `${[[...PARAMETERS, ...SCORE_NAMES, ...STANDING], ...rows].map((row) => row.map(cell).join(',')).join('\n')}\n`;
}

function cell(value: string | number | boolean | null): string {
  if (value === null) return '';
  const text = String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
