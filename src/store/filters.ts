/**
 * What lists can be narrowed to. What is left out narrows nothing; of a list of values, one has to fit, so that an empty
 * list fits nothing. Times: from is included, to is not.
 */
type Narrowed<Text extends string, List extends string = never> = {
  readonly [Name in Text]?: string | undefined;
} & { readonly [Name in List]?: readonly string[] | undefined };

/** `at`: as they were at that time. */
export type ItemFilter = Narrowed<'datasetId' | 'sourceTraceId' | 'sourceObservationId' | 'at'>;

export type PromptFilter = Narrowed<'name' | 'label' | 'tag' | 'fromUpdatedAt' | 'toUpdatedAt'>;

/** All of the tags have to be there. */
export type TraceFilter = Narrowed<
  'name' | 'userId' | 'sessionId' | 'fromTimestamp' | 'toTimestamp' | 'version' | 'release',
  'tags' | 'environment'
>;

export type ObservationFilter = Narrowed<
  | 'traceId'
  | 'parentObservationId'
  | 'name'
  | 'type'
  | 'userId'
  | 'level'
  | 'fromStartTime'
  | 'toStartTime'
  | 'version'
  | 'experimentId'
  | 'experimentItemId',
  'environment'
>;

export type ScoreOperator = '<' | '>' | '<=' | '>=' | '!=' | '=';

/** The operator is `=` where it is left out; the user is that of the trace that is scored. */
export type ScoreFilter = Narrowed<
  'dataType' | 'source' | 'fromTimestamp' | 'toTimestamp' | 'userId' | 'configId',
  'ids' | 'traceIds' | 'observationIds' | 'sessionIds' | 'datasetRunIds' | 'names' | 'environment'
> & { readonly value?: number | undefined; readonly operator?: ScoreOperator | undefined };

/** Times are those of an experiment's first item. */
export type ExperimentFilter = Narrowed<'fromTime' | 'toTime', 'ids' | 'names' | 'datasetIds'>;

/** Times are those of the items. */
export type ExperimentItemFilter = Narrowed<
  'fromTime' | 'toTime',
  'experimentIds' | 'experimentNames' | 'itemIds' | 'datasetIds'
>;
