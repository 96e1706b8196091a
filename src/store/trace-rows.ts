import { isRecord } from '../data/record-fields.ts';
import {
  damaged,
  flag,
  json,
  maybeNumber,
  maybeText,
  maybeTimeText,
  numbers,
  type Row,
  text,
  texts,
  timeText,
} from './cells.ts';
import type { ExperimentLink, ObservationRecord, TraceRecord } from './records.ts';

export function traceRecord(row: Row): TraceRecord {
  return {
    id: text(row, 'id'),
    timestamp: timeText(row, 'timestamp'),
    name: maybeText(row, 'name'),
    input: json(row, 'input'),
    output: json(row, 'output'),
    metadata: json(row, 'metadata'),
    userId: maybeText(row, 'user_id'),
    sessionId: maybeText(row, 'session_id'),
    release: maybeText(row, 'release'),
    version: maybeText(row, 'version'),
    environment: text(row, 'environment'),
    tags: texts(row, 'tags'),
    public: flag(row, 'public'),
    createdAt: timeText(row, 'created_at'),
    updatedAt: timeText(row, 'updated_at'),
  };
}

export function observationRecord(row: Row): ObservationRecord {
  return {
    id: text(row, 'id'),
    traceId: text(row, 'trace_id'),
    parentObservationId: maybeText(row, 'parent_observation_id'),
    type: text(row, 'type'),
    name: maybeText(row, 'name'),
    startTime: timeText(row, 'start_time'),
    endTime: maybeTimeText(row, 'end_time'),
    completionStartTime: maybeTimeText(row, 'completion_start_time'),
    model: maybeText(row, 'model'),
    modelParameters: json(row, 'model_parameters'),
    input: json(row, 'input'),
    output: json(row, 'output'),
    metadata: json(row, 'metadata'),
    level: text(row, 'level'),
    statusMessage: maybeText(row, 'status_message'),
    version: maybeText(row, 'version'),
    environment: text(row, 'environment'),
    usageDetails: numbers(row, 'usage_details'),
    costDetails: numbers(row, 'cost_details'),
    promptName: maybeText(row, 'prompt_name'),
    promptVersion: maybeNumber(row, 'prompt_version'),
    experiment: experimentLink(json(row, 'experiment')),
    createdAt: timeText(row, 'created_at'),
    updatedAt: timeText(row, 'updated_at'),
  };
}

export function experimentLink(link: unknown): ExperimentLink | null {
  if (link === null) return null;
  if (!isRecord(link)) return damaged('experiment');
  const given = (name: string): string => maybe(link[name]) ?? damaged('experiment');
  return {
    experimentId: given('experimentId'),
    experimentName: given('experimentName'),
    experimentDescription: maybe(link['experimentDescription']),
    experimentMetadata: link['experimentMetadata'] ?? null,
    datasetId: maybe(link['datasetId']),
    itemId: given('itemId'),
    itemExpectedOutput: link['itemExpectedOutput'] ?? null,
    itemMetadata: link['itemMetadata'] ?? null,
    rootObservationId: maybe(link['rootObservationId']),
  };
}

function maybe(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : damaged('experiment');
}
