import { z } from 'zod';

import { QUEUE_OBJECTS, QUEUE_STATUSES } from '../../store/annotation-queues.ts';
import { endpoint } from './endpoint.ts';
import { pageMeta, pageQuery } from './paging.ts';
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

export const listQueues = endpoint({
  method: 'GET',
  path: QUEUES,
  generation: 'both',
  query: z.strictObject(pageQuery),
  answer: z.strictObject({ data: z.array(queue), meta: pageMeta }),
  status: 200,
});

export const createQueue = endpoint({
  method: 'POST',
  path: QUEUES,
  generation: 'both',
  request: z.strictObject({
    name: z.string(),
    description: z.string().nullish(),
    scoreConfigIds: z.array(z.string()).min(1),
  }),
  answer: queue,
  status: 200,
});

export const getQueue = endpoint({
  method: 'GET',
  path: `${QUEUES}/:queue`,
  generation: 'both',
  answer: queue,
  status: 200,
});

export const listQueueItems = endpoint({
  method: 'GET',
  path: `${QUEUES}/:queue/items`,
  generation: 'both',
  query: z.strictObject({ ...pageQuery, status: z.enum(QUEUE_STATUSES).optional() }),
  answer: z.strictObject({ data: z.array(queueItem), meta: pageMeta }),
  status: 200,
});

export const createQueueItem = endpoint({
  method: 'POST',
  path: `${QUEUES}/:queue/items`,
  generation: 'both',
  request: z.strictObject({
    objectId: z.string(),
    objectType: z.enum(QUEUE_OBJECTS),
    status: z.enum(QUEUE_STATUSES).default('PENDING'),
  }),
  answer: queueItem,
  status: 200,
});

export const getQueueItem = endpoint({
  method: 'GET',
  path: `${QUEUES}/:queue/items/:item`,
  generation: 'both',
  answer: queueItem,
  status: 200,
});

export const updateQueueItem = endpoint({
  method: 'PATCH',
  path: `${QUEUES}/:queue/items/:item`,
  generation: 'both',
  request: z.strictObject({ status: z.enum(QUEUE_STATUSES).optional() }),
  answer: queueItem,
  status: 200,
});

export const deleteQueueItem = endpoint({
  method: 'DELETE',
  path: `${QUEUES}/:queue/items/:item`,
  generation: 'both',
  answer: z.strictObject({ success: z.boolean(), message: z.string() }),
  status: 200,
});
