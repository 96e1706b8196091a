import { visible } from '../../data/visible.ts';
import type { CommentObject, CommentRecord } from '../../store/comments.ts';
import type { Store } from '../../store/store.ts';
import { createComment, getComment, listComments } from '../../langfuse/shapes/comments.ts';
import { pageMeta } from './pages.ts';
import { PROJECT_ID } from './project.ts';
import { notFound, Refusal } from '../refusal.ts';
import type { Serve } from './route.ts';

export function serveComments(serve: Serve, store: Store): void {
  serve(createComment, ({ body }) => {
    const { objectType, objectId, content } = body;
    if (body.authorUserId != null) throw new Refusal(400, 'authorUserId: there are no users here, leave it out');
    return store.transaction(() => {
      if (!isThere(store, objectType, objectId)) {
        throw notFound(`The ${objectType.toLowerCase()} ${visible(objectId)}`);
      }
      return { id: store.comments.add({ objectType, objectId, content }) };
    });
  });
  serve(listComments, ({ query }) => {
    const { page, limit, authorUserId, ...filter } = query;
    const { rows, total } =
      authorUserId === undefined ? store.comments.list(filter, { page, limit }) : { rows: [], total: 0 };
    return { data: rows.map(commentAnswer), meta: pageMeta({ page, limit }, total) };
  });
  serve(getComment, ({ part }) => {
    const found = store.comments.get(part('id'));
    if (found === null) throw notFound(`The comment ${visible(part('id'))}`);
    return commentAnswer(found);
  });
}

function isThere(store: Store, type: CommentObject, id: string): boolean {
  switch (type) {
    case 'TRACE':
      return store.traces.get(id) !== null;
    case 'OBSERVATION':
      return store.traces.observation(id) !== null;
    case 'SESSION':
      return store.traces.list({ sessionId: id }, { page: 1, limit: 1 }).total > 0;
    case 'PROMPT':
      return store.prompts.byId(id) !== null;
  }
}

function commentAnswer(comment: CommentRecord) {
  return { ...comment, projectId: PROJECT_ID, authorUserId: null };
}
