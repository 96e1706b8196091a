import { z } from 'zod';

import { COMMENT_OBJECTS } from '../../store/comments.ts';
import { endpoint } from './endpoint.ts';
import { pageOf, pageQuery } from './paging.ts';
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

export const createComment = endpoint('POST', '/api/public/comments', {
  request: z.strictObject({
    projectId: z.string(),
    content: z.string().trim().min(1).max(LONGEST_COMMENT),
    objectId: z.string(),
    objectType: z.enum(COMMENT_OBJECTS),
    authorUserId: z.string().nullish(),
  }),
  answer: z.strictObject({ id: z.string() }),
});

export const listComments = endpoint('GET', '/api/public/comments', {
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
  answer: pageOf(comment),
});

export const getComment = endpoint('GET', '/api/public/comments/:id', { answer: comment });
