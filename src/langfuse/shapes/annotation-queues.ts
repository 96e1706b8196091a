import { z } from 'zod';

import { QUEUE_OBJECTS, QUEUE_STATUSES } from '../../store/annotation-queues.ts';
import { endpoint } from './endpoint.ts';
import { pageOf, pageQuery } from './paging.ts';
import { time } from './values.ts';

const QUEUES = '/api/public/annotation-queues';

const queue = z.strictObject({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  scoreConfigIds: z.array(z.string()),
  createdAt: time,
  updatedAt: time,
});

const queueItem = z.strictObject({
  id: z.string(),
  queueId: z.string(),
  objectId: z.string(),
  objectType: z.enum(QUEUE_OBJECTS),
  status: z.enum(QUEUE_STATUSES),
  completedAt: time.nullable(),
  createdAt: time,
  updatedAt: time,
});

export const listQueues = endpoint('GET', QUEUES, {
  query: z.strictObject(pageQuery),
  answer: pageOf(queue),
});

export const createQueue = endpoint('POST', QUEUES, {
  request: z.strictObject({
    name: z.string(),
    description: z.string().nullish(),
    scoreConfigIds: z.array(z.string()).min(1),
  }),
  answer: queue,
});

export const getQueue = endpoint('GET', `${QUEUES}/:queue`, { answer: queue });

export const listQueueItems = endpoint('GET', `${QUEUES}/:queue/items`, {
  query: z.strictObject({ ...pageQuery, status: z.enum(QUEUE_STATUSES).optional() }),
  answer: pageOf(queueItem),
});

export const createQueueItem = endpoint('POST', `${QUEUES}/:queue/items`, {
  request: z.strictObject({
    objectId: z.string(),
    objectType: z.enum(QUEUE_OBJECTS),
    status: z.enum(QUEUE_STATUSES).default('PENDING'),
  }),
  answer: queueItem,
});

export const getQueueItem = endpoint('GET', `${QUEUES}/:queue/items/:item`, { answer: queueItem });

export const updateQueueItem = endpoint('PATCH', `${QUEUES}/:queue/items/:item`, {
  request: z.strictObject({ status: z.enum(QUEUE_STATUSES).optional() }),
  answer: queueItem,
});

export const deleteQueueItem = endpoint('DELETE', `${QUEUES}/:queue/items/:item`, {
  answer: z.strictObject({ success: z.boolean(), message: z.string() }),
});
