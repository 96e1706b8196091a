import { randomUUID } from 'node:crypto';

import { now, enumCell, text, timeText } from './cells.ts';
import { type Changes, type Kept, table } from './table.ts';
import { type Page, type Paged, StorePart, Where } from './store-part.ts';

export const COMMENT_OBJECTS = ['TRACE', 'OBSERVATION', 'SESSION', 'PROMPT'] as const;
export type CommentObject = (typeof COMMENT_OBJECTS)[number];

const COMMENTS = table({
  id: text,
  objectType: enumCell(...COMMENT_OBJECTS),
  objectId: text,
  content: text,
  createdAt: timeText,
  updatedAt: timeText,
});
export type CommentRecord = Kept<typeof COMMENTS>;

export type CommentFilter = Changes<Pick<CommentRecord, 'objectType' | 'objectId'>>;

/** Comments on traces, observations, sessions and prompts. */
export class Comments extends StorePart {
  add({ objectType, objectId, content }: Pick<CommentRecord, 'objectType' | 'objectId' | 'content'>): string {
    const [id, time] = [randomUUID(), now()];
    const cells = { id, object_type: objectType, object_id: objectId, created_at: time, updated_at: time, content };
    this.database.write(() => this.database.insert('comments', cells));
    return id;
  }

  get(id: string): CommentRecord | null {
    return this.one(COMMENTS, 'SELECT * FROM comments WHERE id = ?', [id]);
  }

  /** In the order in which they were made. */
  list({ objectType, objectId }: CommentFilter, page: Page): Paged<CommentRecord> {
    const where = new Where().equal('object_type', objectType).equal('object_id', objectId);
    return this.page(COMMENTS, { from: 'comments', where, order: 'seq' }, page);
  }
}
