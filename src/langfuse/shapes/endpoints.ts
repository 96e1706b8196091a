import * as annotationQueues from './annotation-queues.ts';
import * as comments from './comments.ts';
import * as datasetItems from './dataset-items.ts';
import * as datasetRunItems from './dataset-run-items.ts';
import * as datasetRuns from './dataset-runs.ts';
import * as datasets from './datasets.ts';
import type { Endpoint } from './endpoint.ts';
import { listExperimentItems } from './experiment-items.ts';
import { listExperiments } from './experiments.ts';
import { getHealth } from './health.ts';
import { ingest } from './ingestion.ts';
import * as media from './media.ts';
import { listObservationsV2 } from './observations-v2.ts';
import { getObservation, listObservations } from './observations.ts';
import { exportTraces } from './otlp.ts';
import { getProjects } from './projects.ts';
import * as prompts from './prompts.ts';
import * as scoreConfigs from './score-configs.ts';
import { getScoreV2, listScoresV2 } from './scores-v2.ts';
import { listScoresV3 } from './scores-v3.ts';
import { createScore, deleteScore } from './scores.ts';
import * as traces from './traces.ts';

/** Our own copy of the part of Langfuse's public API that is served and used here. */
export const ENDPOINTS: readonly Endpoint[] = [
  getHealth,
  getProjects,
  ingest,
  exportTraces,
  datasets.listDatasets,
  datasets.createDataset,
  datasets.getDataset,
  datasets.getDatasetWithItems,
  datasetItems.createDatasetItem,
  datasetItems.listDatasetItems,
  datasetItems.getDatasetItem,
  datasetItems.deleteDatasetItem,
  datasetRuns.listDatasetRuns,
  datasetRuns.getDatasetRun,
  datasetRuns.deleteDatasetRun,
  datasetRunItems.createDatasetRunItem,
  datasetRunItems.listDatasetRunItems,
  listExperiments,
  listExperimentItems,
  traces.listTraces,
  traces.getTrace,
  traces.deleteTrace,
  traces.deleteTraces,
  listObservations,
  getObservation,
  listObservationsV2,
  createScore,
  deleteScore,
  listScoresV2,
  getScoreV2,
  listScoresV3,
  scoreConfigs.listScoreConfigs,
  scoreConfigs.createScoreConfig,
  scoreConfigs.getScoreConfig,
  scoreConfigs.updateScoreConfig,
  prompts.listPrompts,
  prompts.createPrompt,
  prompts.getPrompt,
  prompts.deletePrompt,
  prompts.updatePromptVersion,
  comments.createComment,
  comments.listComments,
  comments.getComment,
  annotationQueues.listQueues,
  annotationQueues.createQueue,
  annotationQueues.getQueue,
  annotationQueues.listQueueItems,
  annotationQueues.createQueueItem,
  annotationQueues.getQueueItem,
  annotationQueues.updateQueueItem,
  annotationQueues.deleteQueueItem,
  media.getUploadUrl,
  media.getMedia,
  media.updateMedia,
];

/** All that answer at a path as it stands in a URL, names still encoded. */
export function endpointsAt(path: string): Endpoint[] {
  const parts = path.split('/');
  return ENDPOINTS.filter((one) => {
    const expected = one.path.split('/');
    return (
      expected.length === parts.length &&
      expected.every((part, at) => (part.startsWith(':') ? parts[at] !== '' : part === parts[at]))
    );
  });
}

export function endpointFor(method: string, path: string): Endpoint | null {
  return endpointsAt(path).find((one) => one.method === method) ?? null;
}
