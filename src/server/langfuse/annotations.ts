import { visible } from '../../data/visible.ts';
import { annotationsApi } from '../../langfuse/shapes/annotations.ts';
import type { QueueItemRecord, QueueRecord } from '../../store/annotation-queues.ts';
import type { CommentObject, CommentRecord } from '../../store/comments.ts';
import { StoreConflict } from '../../store/store-conflict.ts';
import type { Store } from '../../store/store.ts';
import { existing, Refusal } from '../refusal.ts';
import { type ApiRoute, apiRoute, PROJECT_ID } from './api-route.ts';
import { pageAnswer } from './pages.ts';

type Part = (name: string) => string;

export function queueRoutes(store: Store): ApiRoute[] {
  const queues = store.annotationQueues;
  const queueOf = (part: Part): QueueRecord =>
    existing(queues.get(part('queue')), `The annotation queue ${visible(part('queue'))}`);
  const itemOf = (part: Part): QueueItemRecord =>
    existing(queues.item(queueOf(part).id, part('item')), `The item ${visible(part('item'))} of that annotation queue`);
  const answer = (queue: QueueRecord) => ({ ...queue, scoreConfigIds: [...queue.scoreConfigIds] });
  return [
    apiRoute(annotationsApi.listQueues, ({ query }) => pageAnswer(query, queues.list(query), answer)),
    apiRoute(annotationsApi.createQueue, ({ body: { name, description = null, scoreConfigIds } }) => {
      const unknown = scoreConfigIds.find((id) => store.scoreConfigs.get(id) === null);
      if (unknown !== undefined) throw new Refusal(400, `scoreConfigIds: there is no score config ${visible(unknown)}`);
      try {
        return answer(queues.create({ name, description, scoreConfigIds }));
      } catch (error) {
        // A name that is taken is a bad request in Langfuse.
        throw error instanceof StoreConflict ? new Refusal(400, error.message) : error;
      }
    }),
    apiRoute(annotationsApi.getQueue, ({ part }) => answer(queueOf(part))),
    apiRoute(annotationsApi.listQueueItems, ({ part, query: { status, ...page } }) =>
      pageAnswer(page, queues.items(queueOf(part).id, status, page), (item) => item),
    ),
    apiRoute(annotationsApi.createQueueItem, ({ part, body }) =>
      store.transaction(() => queues.addItem(queueOf(part).id, body)),
    ),
    apiRoute(annotationsApi.getQueueItem, ({ part }) => itemOf(part)),
    apiRoute(annotationsApi.updateQueueItem, ({ part, body: { status } }) =>
      store.transaction(() => {
        const item = itemOf(part);
        return status === undefined ? item : (queues.setStatus(item.queueId, item.id, status) ?? item);
      }),
    ),
    apiRoute(annotationsApi.deleteQueueItem, ({ part }) => {
      const { queueId, id } = itemOf(part);
      return { success: queues.deleteItem(queueId, id), message: 'The item is deleted.' };
    }),
  ];
}

export function commentRoutes(store: Store): ApiRoute[] {
  const exists: Readonly<Record<CommentObject, (id: string) => boolean>> = {
    TRACE: (id) => store.traces.get(id) !== null,
    OBSERVATION: (id) => store.traces.observation(id) !== null,
    SESSION: (id) => store.traces.list({ sessionId: id }, { page: 1, limit: 1 }).total > 0,
    PROMPT: (id) => store.prompts.byId(id) !== null,
  };
  const answer = (comment: CommentRecord) => ({ ...comment, projectId: PROJECT_ID, authorUserId: null });
  return [
    apiRoute(annotationsApi.createComment, ({ body: { objectType, objectId, content, authorUserId } }) => {
      if (authorUserId != null) throw new Refusal(400, 'authorUserId: there are no users here, leave it out');
      return store.transaction(() => {
        existing(exists[objectType](objectId) || null, `The ${objectType.toLowerCase()} ${visible(objectId)}`);
        return { id: store.comments.add({ objectType, objectId, content }) };
      });
    }),
    apiRoute(annotationsApi.listComments, ({ query: { page, limit, authorUserId, ...filter } }) => {
      // Comments have no authors here.
      const none = { rows: [], total: 0 };
      const paged = authorUserId === undefined ? store.comments.list(filter, { page, limit }) : none;
      return pageAnswer({ page, limit }, paged, answer);
    }),
    apiRoute(annotationsApi.getComment, ({ part }) =>
      answer(existing(store.comments.get(part('id')), `The comment ${visible(part('id'))}`)),
    ),
  ];
}
