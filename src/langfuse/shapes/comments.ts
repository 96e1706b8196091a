import { z } from 'zod';

import { COMMENT_OBJECTS } from '../../store/comments.ts';
import { endpoint } from './endpoint.ts';
import { pageMeta, pageQuery } from './paging.ts';
import { time } from './values.ts';

const LONGEST_COMMENT = 5000;

const comment = z.strictObject({
  id: z.string(),
  projectId: z.string(),
  createdAt: time,
  updatedAt: time,
  objectType: z.enum(COMMENT_OBJECTS),
  objectId: z.string(),
  content: z.string(),
  authorUserId: z.string().nullish(),
});

export const createComment = endpoint({
  method: 'POST',
  path: '/api/public/comments',
  generation: 'both',
  request: z.strictObject({
    projectId: z.string(),
    content: z.string().trim().min(1).max(LONGEST_COMMENT),
    objectId: z.string(),
    objectType: z.enum(COMMENT_OBJECTS),
    authorUserId: z.string().nullish(),
  }),
  answer: z.strictObject({ id: z.string() }),
  status: 200,
});

export const listComments = endpoint({
  method: 'GET',
  path: '/api/public/comments',
  generation: 'both',
  query: z
    .strictObject({
      ...pageQuery,
      objectType: z.enum(COMMENT_OBJECTS).optional(),
      objectId: z.string().optional(),
      authorUserId: z.string().optional(),
    })
    .refine(({ objectId, objectType }) => objectId === undefined || objectType !== undefined, {
      path: ['objectType'],
      error: 'has to be there beside objectId',
    }),
  answer: z.strictObject({ data: z.array(comment), meta: pageMeta }),
  status: 200,
});

export const getComment = endpoint({
  method: 'GET',
  path: '/api/public/comments/:id',
  generation: 'both',
  answer: comment,
  status: 200,
});
