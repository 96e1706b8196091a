import { z } from 'zod';

import { QUEUE_OBJECTS, QUEUE_STATUSES } from '../../store/annotation-queues.ts';
import { COMMENT_OBJECTS } from '../../store/comments.ts';
import { endpoint } from './endpoint.ts';
import { pageOf, pageQuery } from './paging.ts';
import { fields, nullableText, nullishText, optionalText, text, texts, time } from './values.ts';

const QUEUES = '/api/public/annotation-queues';
const ITEMS = `${QUEUES}/:queue/items`;
const COMMENTS = '/api/public/comments';
const LONGEST_COMMENT = 5000;

const queue = z.strictObject({
  ...fields(text, 'id', 'name'),
  description: nullableText,
  scoreConfigIds: texts,
  ...fields(time, 'createdAt', 'updatedAt'),
});

const queueItem = z.strictObject({
  ...fields(text, 'id', 'queueId', 'objectId'),
  objectType: z.enum(QUEUE_OBJECTS),
  status: z.enum(QUEUE_STATUSES),
  completedAt: time.nullable(),
  ...fields(time, 'createdAt', 'updatedAt'),
});

const comment = z.strictObject({
  ...fields(text, 'id', 'projectId', 'objectId', 'content'),
  objectType: z.enum(COMMENT_OBJECTS),
  authorUserId: nullishText,
  ...fields(time, 'createdAt', 'updatedAt'),
});

export const listQueues = endpoint('GET', QUEUES, { query: z.strictObject(pageQuery), answer: pageOf(queue) });

export const createQueue = endpoint('POST', QUEUES, {
  request: z.strictObject({ name: text, description: nullishText, scoreConfigIds: texts.min(1) }),
  answer: queue,
});

export const getQueue = endpoint('GET', `${QUEUES}/:queue`, { answer: queue });

export const listQueueItems = endpoint('GET', ITEMS, {
  query: z.strictObject({ ...pageQuery, status: z.enum(QUEUE_STATUSES).optional() }),
  answer: pageOf(queueItem),
});

export const createQueueItem = endpoint('POST', ITEMS, {
  request: z.strictObject({
    objectId: text,
    objectType: z.enum(QUEUE_OBJECTS),
    status: z.enum(QUEUE_STATUSES).default('PENDING'),
  }),
  answer: queueItem,
});

export const getQueueItem = endpoint('GET', `${ITEMS}/:item`, { answer: queueItem });

export const updateQueueItem = endpoint('PATCH', `${ITEMS}/:item`, {
  request: z.strictObject({ status: z.enum(QUEUE_STATUSES).optional() }),
  answer: queueItem,
});

export const deleteQueueItem = endpoint('DELETE', `${ITEMS}/:item`, {
  answer: z.strictObject({ success: z.boolean(), message: text }),
});

export const createComment = endpoint('POST', COMMENTS, {
  request: z.strictObject({
    ...fields(text, 'projectId', 'objectId'),
    content: z.string().trim().min(1).max(LONGEST_COMMENT),
    objectType: z.enum(COMMENT_OBJECTS),
    authorUserId: nullishText,
  }),
  answer: z.strictObject({ id: text }),
});

export const listComments = endpoint('GET', COMMENTS, {
  query: z
    .strictObject({
      ...pageQuery,
      objectType: z.enum(COMMENT_OBJECTS).optional(),
      ...fields(optionalText, 'objectId', 'authorUserId'),
    })
    .refine(({ objectId, objectType }) => objectId === undefined || objectType !== undefined, {
      path: ['objectType'],
      error: 'has to be there beside objectId',
    }),
  answer: pageOf(comment),
});

export const getComment = endpoint('GET', `${COMMENTS}/:id`, { answer: comment });
