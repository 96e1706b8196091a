import type { NO_ANSWER } from '../failed-call.ts';
import { codePointLength, describe } from '../../plugin.ts';
import type { SummaryAnswer } from './model.ts';
import { type SummaryContent, type SummaryField, type SummaryLimits, SUMMARY_FIELDS } from '../run-log-records.ts';

/** The longest that each field of a summary may be, in code points, unless a variant sets another. */
export const SUMMARY_LIMITS: SummaryLimits = {
  status_action: 150,
  key_findings: 180,
  differential_rationale: 210,
  uncertainty_confidence: 120,
  recommendation_next_step: 180,
  agent_contributions: 150,
};

export const EMPTY_SUMMARY: SummaryContent = {
  status_action: '',
  key_findings: '',
  differential_rationale: '',
  uncertainty_confidence: '',
  recommendation_next_step: '',
  agent_contributions: '',
};

type SummaryOutcome = Omit<
  SummaryAnswer,
  'summarizer_input_text' | 'summarizer_input_hash' | 'llm_usage' | 'latency_ms'
>;

export function goodSummary(content: SummaryContent): SummaryOutcome {
  return { summary_content: { ...content }, schema_ok: true, schema_error: null, limits_ok: true, failure_mode: null };
}

/** In place of a summary that failed; empty fields are within their limits. */
export function noSummary(failure: typeof NO_ANSWER | 'schema_validation_error', error: string): SummaryOutcome {
  return { ...goodSummary(EMPTY_SUMMARY), schema_ok: false, schema_error: error, failure_mode: failure };
}

/**
 * The fields of a summary that an answer has, and what is wrong with the others. Half a surrogate pair, which JSON can
 * escape but no file can hold, becomes U+FFFD.
 */
export function summaryFields(
  answer: Readonly<Record<string, unknown>>,
  wanted: readonly SummaryField[] = SUMMARY_FIELDS,
): { readonly content: Partial<SummaryContent>; readonly wrong: readonly string[] } {
  const content: Partial<Record<SummaryField, string>> = {};
  const wrong: string[] = [];
  for (const field of wanted) {
    const value = Object.hasOwn(answer, field) ? answer[field] : undefined;
    if (typeof value === 'string') content[field] = value.toWellFormed().trim();
    else wrong.push(`${field}: ${value === undefined ? 'missing' : `expected text, found ${describe(value)}`}`);
  }
  return { content, wrong };
}

export interface TooLong {
  readonly field: SummaryField;
  readonly length: number;
  readonly limit: number;
}

export function tooLong(content: SummaryContent, limits: SummaryLimits = SUMMARY_LIMITS): TooLong[] {
  return SUMMARY_FIELDS.map((field) => ({
    field,
    length: codePointLength(content[field]),
    limit: limits[field],
  })).filter(({ length, limit }) => length > limit);
}

export function tooLongText(fields: readonly TooLong[]): string {
  return fields.map(({ field, length, limit }) => `${field}: ${length} characters, at most ${limit}`).join('; ');
}

export function cutToLimits(content: SummaryContent, limits: SummaryLimits = SUMMARY_LIMITS): SummaryContent {
  const cut = { ...content };
  for (const { field, limit } of tooLong(content, limits)) cut[field] = cutAtWord(content[field], limit);
  return cut;
}

/**
 * The beginning of a text, at most so many code points and no half word; a first word that is too long by itself is cut.
 *
 * @example cutAtWord('fever and cough', 11) // 'fever and'
 */
export function cutAtWord(text: string, limit: number): string {
  const points = [...text];
  if (points.length <= limit) return text;
  const head = points.slice(0, limit).join('');
  // A word that ends just at the limit stays whole.
  if (/\s/.test(points[limit]!)) return head.trimEnd();
  const whole = head.replace(/\S+$/u, '').trimEnd();
  return whole === '' ? head.trimEnd() : whole;
}
