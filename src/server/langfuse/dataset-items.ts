import { isRecord } from '../../data/record-fields.ts';
import { visible } from '../../data/visible.ts';
import type { DatasetItemInit, DatasetItemRecord } from '../../store/records.ts';
import { schemasOf } from '../../experiment/datasets/validate-item.ts';
import type { Store } from '../../store/store.ts';
import {
  createDatasetItem,
  deleteDatasetItem,
  getDatasetItem,
  listDatasetItems,
} from '../../langfuse/shapes/dataset-items.ts';
import { CONTROL_CHARACTERS } from '../../store/text-like-json.ts';
import { isClimbingName } from '../climbing-path.ts';
import { defined } from '../../experiment/defined.ts';
import { findDataset } from './find-dataset.ts';
import { itemProblem } from './item-schema.ts';
import { mediaReferences, type MediaUrlOf } from './media.ts';
import { pageMeta } from './pages.ts';
import { valueOfText } from '../parse-json.ts';
import { notFound, Refusal } from '../refusal.ts';
import type { Serve } from './route.ts';

export function serveDatasetItems(serve: Serve, store: Store): void {
  serve(createDatasetItem, ({ body, mediaUrl }) => {
    const { datasetName, id, status, input, expectedOutput, metadata, ...sources } = body;
    if (id != null && isClimbingName(id)) throw new Refusal(400, 'id: this one could not be asked for in a path');
    return store.transaction(() => {
      const dataset = findDataset(store, datasetName);
      const before = id == null ? null : store.datasets.item(id);
      const init: DatasetItemInit = {
        ...defined(sources),
        ...(id == null ? {} : { id }),
        ...(status == null ? {} : { status }),
        ...defined({
          input: keptValue(input ?? before?.input),
          expectedOutput: keptValue(expectedOutput ?? before?.expectedOutput),
          metadata: keptValue(metadata ?? before?.metadata),
        }),
      };
      if (id == null && input == null) throw invalidItem('Dataset item input cannot be null');
      const problem = itemProblem(init, schemasOf(dataset));
      if (problem !== null) throw invalidItem(problem);
      const [saved] = store.datasets.saveItems(datasetName, [init]);
      if (saved === undefined) throw new Error('an item was saved and is not there');
      return datasetItemAnswer(store, saved, mediaUrl);
    });
  });
  serve(getDatasetItem, ({ part, mediaUrl }) => {
    const item = store.datasets.item(part('id'));
    if (item === null) throw notFound(`The dataset item ${visible(part('id'))}`);
    return datasetItemAnswer(store, item, mediaUrl);
  });
  serve(listDatasetItems, ({ query, mediaUrl }) => {
    const { datasetName, version, sourceTraceId, sourceObservationId, ...page } = query;
    const datasetId = datasetName === undefined ? undefined : findDataset(store, datasetName).id;
    const filter = { datasetId, sourceTraceId, sourceObservationId, at: version };
    const { rows, total } = store.datasets.listItems(filter, page);
    return { data: rows.map((item) => datasetItemAnswer(store, item, mediaUrl)), meta: pageMeta(page, total) };
  });
  serve(deleteDatasetItem, ({ part }) => {
    if (!store.datasets.deleteItem(part('id'))) throw notFound(`The dataset item ${visible(part('id'))}`);
    return { message: 'The dataset item is deleted.' };
  });
}

export function datasetItemAnswer(store: Store, item: DatasetItemRecord, mediaUrl: MediaUrlOf) {
  return { ...item, mediaReferences: mediaReferences(store, item, mediaUrl) };
}

/**
 * As Langfuse keeps it, and keeps it again with every change of the item: a text that is JSON becomes the value, an empty
 * one nothing, and control characters are taken out.
 */
function keptValue(value: unknown): unknown {
  return withoutControls(typeof value === 'string' ? valueOfText(value) : value);
}

function withoutControls(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(CONTROL_CHARACTERS, '');
  if (Array.isArray(value)) return value.map(withoutControls);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutControls(inner)]));
}

function invalidItem(problem: string): Refusal {
  return new Refusal(400, `Dataset item validation failed: ${problem}`);
}
