import { visible } from '../../data/visible.ts';
import type { DatasetItemInit, DatasetItemRecord, DatasetRecord } from '../../store/records.ts';
import { schemasOf } from '../../experiment/datasets/validate-item.ts';
import type { Store } from '../../store/store.ts';
import { createDatasetItem, deleteDatasetItem, getDatasetItem, listDatasetItems } from '../shapes/dataset-items.ts';
import { isClimbingName } from './climbing-path.ts';
import { defined } from './defined.ts';
import { findDataset } from './find-dataset.ts';
import { itemProblem } from './item-schema.ts';
import { pageMeta } from './pages.ts';
import { notFound, Refusal } from './refusal.ts';
import type { Serve } from './route.ts';

export function serveDatasetItems(serve: Serve, store: Store): void {
  serve(createDatasetItem, ({ body }) => {
    const { datasetName, id, status, ...fields } = body;
    if (id != null && isClimbingName(id)) throw new Refusal(400, 'id: this one could not be asked for in a path');
    const init = { ...defined(fields), ...(id == null ? {} : { id }), ...(status == null ? {} : { status }) };
    return store.transaction(() => {
      checkItem(store, findDataset(store, datasetName), init);
      const [saved] = store.datasets.saveItems(datasetName, [init]);
      if (saved === undefined) throw new Error('an item was saved and is not there');
      return datasetItemAnswer(saved);
    });
  });
  serve(getDatasetItem, ({ part }) => {
    const item = store.datasets.item(part('id'));
    if (item === null) throw notFound(`The dataset item ${visible(part('id'))}`);
    return datasetItemAnswer(item);
  });
  serve(listDatasetItems, ({ query }) => {
    const { datasetName, version, sourceTraceId, sourceObservationId, ...page } = query;
    const datasetId = datasetName === undefined ? undefined : findDataset(store, datasetName).id;
    const filter = { datasetId, sourceTraceId, sourceObservationId, at: version };
    const { rows, total } = store.datasets.listItems(filter, page);
    return { data: rows.map(datasetItemAnswer), meta: pageMeta(page, total) };
  });
  serve(deleteDatasetItem, ({ part }) => {
    if (!store.datasets.deleteItem(part('id'))) throw notFound(`The dataset item ${visible(part('id'))}`);
    return { message: 'The dataset item is deleted.' };
  });
}

/** Media is not kept here, so that nothing refers to any. */
export function datasetItemAnswer(item: DatasetItemRecord) {
  return { ...item, mediaReferences: [] };
}

/** As it will be: what is not given stays as it was. */
function checkItem(store: Store, dataset: DatasetRecord, init: DatasetItemInit): void {
  const before = init.id === undefined ? null : store.datasets.item(init.id);
  const item = {
    input: init.input === undefined ? before?.input : init.input,
    expectedOutput: init.expectedOutput === undefined ? before?.expectedOutput : init.expectedOutput,
  };
  const problem = itemProblem(item, schemasOf(dataset));
  if (problem !== null) throw new Refusal(400, `Dataset item validation failed: ${problem}`);
}
