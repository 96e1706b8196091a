import { describe } from '../../../data/record-fields.ts';
import { STREAM_STATES, type StreamState } from './model.ts';

/** What a model says about a stretch of the stream. */
export interface DecisionFields {
  readonly state: StreamState;
  readonly relevant: boolean;
  readonly complete: boolean;
  /** Null where it was not asked. */
  readonly novel: boolean | null;
}

/** The fields of an answer, or what is wrong with it. Where novelty is left out, an answer about it is not read. */
export function decisionFields(
  answer: Readonly<Record<string, unknown>>,
  novelty: boolean,
): DecisionFields | { readonly error: string } {
  const wrong: string[] = [];
  const flag = (field: string): boolean => {
    const value = Object.hasOwn(answer, field) ? answer[field] : undefined;
    if (typeof value === 'boolean') return value;
    wrong.push(`${field}: ${value === undefined ? 'missing' : `expected true or false, found ${describe(value)}`}`);
    return false;
  };
  if (typeof answer['rationale'] !== 'string') wrong.push(`rationale: ${foundInstead(answer['rationale'], 'text')}`);
  const state = STREAM_STATES.find((one) => one === answer['stream_state']);
  if (state === undefined)
    wrong.push(`stream_state: ${foundInstead(answer['stream_state'], `one of ${STREAM_STATES.join(', ')}`)}`);
  const relevant = flag('is_relevant');
  const novel = novelty ? flag('is_novel') : null;
  const complete = flag('is_complete');
  return state === undefined || wrong.length > 0 ? { error: wrong.join('; ') } : { state, relevant, novel, complete };
}

/**
 * Whether it is time to summarise: at an alert always; else when something relevant and new (where novelty counts) has
 * come to its end or has been left for another topic.
 */
export function fires({ state, relevant, novel, complete }: DecisionFields): boolean {
  if (state === 'CRITICAL_ALERT') return true;
  return (complete || state === 'TOPIC_SHIFT') && relevant && novel !== false;
}

function foundInstead(value: unknown, expected: string): string {
  return value === undefined ? 'missing' : `expected ${expected}, found ${describe(value)}`;
}
