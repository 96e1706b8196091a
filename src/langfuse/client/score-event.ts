import type { ScoreBody } from '@langfuse/core';

/** One score on its way; its own id tells it from others of the same batch. */
export interface ScoreEvent {
  readonly id: string;
  readonly type: 'score-create';
  readonly timestamp: string;
  /** The types of the SDK lack the source, which the API takes. */
  readonly body: ScoreBody & { readonly source?: 'API' | 'ANNOTATION' };
}
