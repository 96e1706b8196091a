import { describe } from '../../plugin.ts';
import { type DecisionAnswer, STREAM_STATES, type StreamState } from './model.ts';

export interface DecisionFields {
  readonly state: StreamState;
  readonly relevant: boolean;
  readonly complete: boolean;
  /** Null if it was not asked. */
  readonly novel: boolean | null;
}

/** The fields of an answer, or what is wrong with it. If novelty is left out, an answer about it is not read. */
export function decisionFields(
  answer: Readonly<Record<string, unknown>>,
  novelty: boolean,
): DecisionFields | { readonly error: string } {
  const wrong: string[] = [];
  const valueOf = (field: string, expected: string, fits: (value: unknown) => boolean): unknown => {
    const value = Object.hasOwn(answer, field) ? answer[field] : undefined;
    if (!fits(value))
      wrong.push(`${field}: ${value === undefined ? 'missing' : `expected ${expected}, found ${describe(value)}`}`);
    return value;
  };
  const flag = (field: string): boolean =>
    valueOf(field, 'true or false', (value) => typeof value === 'boolean') === true;
  const isState = (value: unknown): boolean => STREAM_STATES.some((one) => one === value);
  valueOf('rationale', 'text', (value) => typeof value === 'string');
  const named = valueOf('stream_state', `one of ${STREAM_STATES.join(', ')}`, isState);
  const state = STREAM_STATES.find((one) => one === named);
  const relevant = flag('is_relevant');
  const novel = novelty ? flag('is_novel') : null;
  const complete = flag('is_complete');
  return state === undefined || wrong.length > 0 ? { error: wrong.join('; ') } : { state, relevant, novel, complete };
}

/**
 * Whether it is time to summarise: at an alert always; else when something relevant and new (if novelty counts) has
 * come to its end or has been left for another topic.
 */
export function fires({ state, relevant, novel, complete }: DecisionFields): boolean {
  if (state === 'CRITICAL_ALERT') return true;
  return (complete || state === 'TOPIC_SHIFT') && relevant && novel !== false;
}

export function decisionOf(fields: DecisionFields): Pick<DecisionAnswer, 'decision' | 'filter_results'> {
  const { complete, relevant, novel } = fields;
  return {
    decision: fires(fields) ? 'summarize' : 'buffer',
    filter_results: { completeness_passed: complete, value_passed: relevant, novelty_passed: novel },
  };
}

export function failedDecision(error: string): Pick<DecisionAnswer, 'decision' | 'filter_results' | 'error'> {
  return { decision: 'buffer', filter_results: { novelty_passed: null }, error };
}
