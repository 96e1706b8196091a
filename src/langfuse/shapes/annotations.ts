import { z } from 'zod';

import { QUEUE_OBJECTS, QUEUE_STATUSES } from '../../store/annotation-queues.ts';
import { COMMENT_OBJECTS } from '../../store/comments.ts';
import { endpoint } from './endpoint.ts';
import * as v from './values.ts';

const QUEUES = '/api/public/annotation-queues';
const ITEMS = `${QUEUES}/:queue/items`;
const COMMENTS = '/api/public/comments';
const LONGEST_COMMENT = 5000;

const queue = z.strictObject({
  ...v.fields(v.anyText, 'id', 'name'),
  description: v.nullableText,
  scoreConfigIds: v.textList,
  ...v.fields(v.time, 'createdAt', 'updatedAt'),
});

const queueItem = z.strictObject({
  ...v.fields(v.anyText, 'id', 'queueId', 'objectId'),
  objectType: z.enum(QUEUE_OBJECTS),
  status: z.enum(QUEUE_STATUSES),
  completedAt: v.time.nullable(),
  ...v.fields(v.time, 'createdAt', 'updatedAt'),
});

const comment = z.strictObject({
  ...v.fields(v.anyText, 'id', 'projectId', 'objectId', 'content'),
  objectType: z.enum(COMMENT_OBJECTS),
  authorUserId: v.nullishText,
  ...v.fields(v.time, 'createdAt', 'updatedAt'),
});

export const annotationsApi = {
  listQueues: endpoint('GET', QUEUES, { query: z.strictObject(v.pageQuery), answer: v.pageOf(queue) }),
  createQueue: endpoint('POST', QUEUES, {
    request: z.strictObject({ name: v.anyText, description: v.nullishText, scoreConfigIds: v.textList.min(1) }),
    answer: queue,
  }),
  getQueue: endpoint('GET', `${QUEUES}/:queue`, { answer: queue }),
  listQueueItems: endpoint('GET', ITEMS, {
    query: z.strictObject({ ...v.pageQuery, status: z.enum(QUEUE_STATUSES).optional() }),
    answer: v.pageOf(queueItem),
  }),
  createQueueItem: endpoint('POST', ITEMS, {
    request: z.strictObject({
      objectId: v.anyText,
      objectType: z.enum(QUEUE_OBJECTS),
      status: z.enum(QUEUE_STATUSES).default('PENDING'),
    }),
    answer: queueItem,
  }),
  getQueueItem: endpoint('GET', `${ITEMS}/:item`, { answer: queueItem }),
  updateQueueItem: endpoint('PATCH', `${ITEMS}/:item`, {
    request: z.strictObject({ status: z.enum(QUEUE_STATUSES).optional() }),
    answer: queueItem,
  }),
  deleteQueueItem: endpoint('DELETE', `${ITEMS}/:item`, {
    answer: z.strictObject({ success: z.boolean(), message: v.anyText }),
  }),
  createComment: endpoint('POST', COMMENTS, {
    request: z.strictObject({
      ...v.fields(v.anyText, 'projectId', 'objectId'),
      content: z.string().trim().min(1).max(LONGEST_COMMENT),
      objectType: z.enum(COMMENT_OBJECTS),
      authorUserId: v.nullishText,
    }),
    answer: z.strictObject({ id: v.anyText }),
  }),
  listComments: endpoint('GET', COMMENTS, {
    query: z
      .strictObject({
        ...v.pageQuery,
        objectType: z.enum(COMMENT_OBJECTS).optional(),
        ...v.fields(v.optionalText, 'objectId', 'authorUserId'),
      })
      .refine(({ objectId, objectType }) => objectId === undefined || objectType !== undefined, {
        path: ['objectType'],
        error: 'has to be there beside objectId',
      }),
    answer: v.pageOf(comment),
  }),
  getComment: endpoint('GET', `${COMMENTS}/:id`, { answer: comment }),
};
