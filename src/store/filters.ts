/**
 * What lists can be narrowed to. What is left out narrows nothing; of a list of values, one has to fit, so that an empty
 * list fits nothing. Times: from is included, to is not.
 */
export interface ItemFilter {
  readonly datasetId?: string | undefined;
  readonly sourceTraceId?: string | undefined;
  readonly sourceObservationId?: string | undefined;
  /** As they were at that time. */
  readonly at?: string | undefined;
}

export interface PromptFilter {
  readonly name?: string | undefined;
  readonly label?: string | undefined;
  readonly tag?: string | undefined;
  readonly fromUpdatedAt?: string | undefined;
  readonly toUpdatedAt?: string | undefined;
}

export interface TraceFilter {
  readonly name?: string | undefined;
  readonly userId?: string | undefined;
  readonly sessionId?: string | undefined;
  /** All of them have to be there. */
  readonly tags?: readonly string[] | undefined;
  readonly fromTimestamp?: string | undefined;
  readonly toTimestamp?: string | undefined;
  readonly environment?: readonly string[] | undefined;
  readonly version?: string | undefined;
  readonly release?: string | undefined;
}

export interface ObservationFilter {
  readonly traceId?: string | undefined;
  readonly parentObservationId?: string | undefined;
  readonly name?: string | undefined;
  readonly type?: string | undefined;
  readonly userId?: string | undefined;
  readonly level?: string | undefined;
  readonly fromStartTime?: string | undefined;
  readonly toStartTime?: string | undefined;
  readonly environment?: readonly string[] | undefined;
  readonly version?: string | undefined;
  readonly experimentId?: string | undefined;
  readonly experimentItemId?: string | undefined;
}

export type ScoreOperator = '<' | '>' | '<=' | '>=' | '!=' | '=';

export interface ScoreFilter {
  readonly ids?: readonly string[] | undefined;
  readonly traceIds?: readonly string[] | undefined;
  readonly observationIds?: readonly string[] | undefined;
  readonly sessionIds?: readonly string[] | undefined;
  readonly datasetRunIds?: readonly string[] | undefined;
  readonly names?: readonly string[] | undefined;
  readonly dataType?: string | undefined;
  readonly source?: string | undefined;
  readonly environment?: readonly string[] | undefined;
  readonly fromTimestamp?: string | undefined;
  readonly toTimestamp?: string | undefined;
  readonly value?: number | undefined;
  /** `=` where it is left out. */
  readonly operator?: ScoreOperator | undefined;
  /** Of the trace that is scored. */
  readonly userId?: string | undefined;
  readonly configId?: string | undefined;
}

/** Times are those of an experiment's first item. */
export interface ExperimentFilter {
  readonly ids?: readonly string[] | undefined;
  readonly names?: readonly string[] | undefined;
  readonly datasetIds?: readonly string[] | undefined;
  readonly fromTime?: string | undefined;
  readonly toTime?: string | undefined;
}

/** Times are those of the items. */
export interface ExperimentItemFilter {
  readonly experimentIds?: readonly string[] | undefined;
  readonly experimentNames?: readonly string[] | undefined;
  readonly itemIds?: readonly string[] | undefined;
  readonly datasetIds?: readonly string[] | undefined;
  readonly fromTime?: string | undefined;
  readonly toTime?: string | undefined;
}
