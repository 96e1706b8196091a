import { visible } from '../../data/visible.ts';
import type { QueueItemRecord, QueueRecord } from '../../store/annotation-queues.ts';
import { StoreConflict } from '../../store/store-conflict.ts';
import type { Store } from '../../store/store.ts';
import * as shapes from '../../langfuse/shapes/annotation-queues.ts';
import { pageMeta } from './pages.ts';
import { notFound, Refusal } from '../refusal.ts';
import type { Serve } from './route.ts';

type Part = (name: string) => string;

export function serveAnnotationQueues(serve: Serve, store: Store): void {
  const queues = store.annotationQueues;
  serve(shapes.listQueues, ({ query }) => {
    const { rows, total } = queues.list(query);
    return { data: rows.map(queueAnswer), meta: pageMeta(query, total) };
  });
  serve(shapes.createQueue, ({ body: { name, description = null, scoreConfigIds } }) => {
    const unknown = scoreConfigIds.find((id) => store.scoreConfigs.get(id) === null);
    if (unknown !== undefined) throw new Refusal(400, `scoreConfigIds: there is no score config ${visible(unknown)}`);
    try {
      return queueAnswer(queues.create({ name, description, scoreConfigIds }));
    } catch (error) {
      // A name that is taken is a bad request in Langfuse.
      throw error instanceof StoreConflict ? new Refusal(400, error.message) : error;
    }
  });
  serve(shapes.getQueue, ({ part }) => queueAnswer(findQueue(store, part)));
  serve(shapes.listQueueItems, ({ part, query: { status, ...page } }) => {
    const { rows, total } = queues.items(findQueue(store, part).id, status, page);
    return { data: [...rows], meta: pageMeta(page, total) };
  });
  serve(shapes.createQueueItem, ({ part, body }) =>
    store.transaction(() => queues.addItem(findQueue(store, part).id, body)),
  );
  serve(shapes.getQueueItem, ({ part }) => findItem(store, part));
  serve(shapes.updateQueueItem, ({ part, body: { status } }) =>
    store.transaction(() => {
      const item = findItem(store, part);
      return status === undefined ? item : (queues.setStatus(item.queueId, item.id, status) ?? item);
    }),
  );
  serve(shapes.deleteQueueItem, ({ part }) => {
    const { queueId, id } = findItem(store, part);
    return { success: queues.deleteItem(queueId, id), message: 'The item is deleted.' };
  });
}

function findQueue({ annotationQueues }: Store, part: Part): QueueRecord {
  const found = annotationQueues.get(part('queue'));
  if (found === null) throw notFound(`The annotation queue ${visible(part('queue'))}`);
  return found;
}

function findItem(store: Store, part: Part): QueueItemRecord {
  const found = store.annotationQueues.item(findQueue(store, part).id, part('item'));
  if (found === null) throw notFound(`The item ${visible(part('item'))} of that annotation queue`);
  return found;
}

function queueAnswer(queue: QueueRecord) {
  return { ...queue, scoreConfigIds: [...queue.scoreConfigIds] };
}
