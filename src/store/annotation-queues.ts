import { randomUUID } from 'node:crypto';

import { visible } from '../data/visible.ts';
import { damagedCell, jsonCell, maybeText, maybeTimeText, now, enumCell, text, texts, timeText } from './cells.ts';
import { StoreConflict } from './store-conflict.ts';
import { type Kept, table } from './table.ts';
import { type Page, type Paged, StorePart, Where } from './store-part.ts';

export const QUEUE_OBJECTS = ['TRACE', 'OBSERVATION', 'SESSION'] as const;
export const QUEUE_STATUSES = ['PENDING', 'COMPLETED'] as const;
export type QueueStatus = (typeof QUEUE_STATUSES)[number];

const QUEUES = table({
  id: text,
  name: text,
  description: maybeText,
  scoreConfigIds: texts,
  createdAt: timeText,
  updatedAt: timeText,
});
export type QueueRecord = Kept<typeof QUEUES>;

const QUEUE_ITEMS = table({
  id: text,
  queueId: text,
  objectId: text,
  objectType: enumCell(...QUEUE_OBJECTS),
  status: enumCell(...QUEUE_STATUSES),
  completedAt: maybeTimeText,
  createdAt: timeText,
  updatedAt: timeText,
});
export type QueueItemRecord = Kept<typeof QUEUE_ITEMS>;

const NEWEST_FIRST = 'created_at DESC, seq DESC';

/** Queues of what people are to look at. */
export class AnnotationQueues extends StorePart {
  create(init: Pick<QueueRecord, 'name' | 'description' | 'scoreConfigIds'>): QueueRecord {
    const [id, time] = [randomUUID(), now()];
    return this.database.transaction(() => {
      if (this.database.row('SELECT 1 FROM annotation_queues WHERE name = ?', [init.name]) !== null)
        throw new StoreConflict(`there is an annotation queue ${visible(init.name)} already`);
      const { name, description } = init;
      const score_config_ids = jsonCell(init.scoreConfigIds);
      const cells = { id, name, created_at: time, updated_at: time, score_config_ids, description };
      this.database.insert('annotation_queues', cells);
      return this.get(id) ?? damagedCell('id');
    });
  }

  get(id: string): QueueRecord | null {
    return this.one(QUEUES, 'SELECT * FROM annotation_queues WHERE id = ?', [id]);
  }

  list(page: Page): Paged<QueueRecord> {
    return this.page(QUEUES, { from: 'annotation_queues', order: NEWEST_FIRST }, page);
  }

  addItem(queueId: string, init: Pick<QueueItemRecord, 'objectId' | 'objectType' | 'status'>): QueueItemRecord {
    const [id, time] = [randomUUID(), now()];
    return this.database.transaction(() => {
      const { objectType: object_type, objectId: object_id, status } = init;
      const cells = { id, queue_id: queueId, object_type, object_id, status, completed_at: completedAt(status, time) };
      this.database.insert('annotation_queue_items', { ...cells, created_at: time, updated_at: time });
      return this.item(queueId, id) ?? damagedCell('id');
    });
  }

  item(queueId: string, id: string): QueueItemRecord | null {
    return this.one(QUEUE_ITEMS, 'SELECT * FROM annotation_queue_items WHERE queue_id = ? AND id = ?', [queueId, id]);
  }

  items(queueId: string, status: QueueStatus | undefined, page: Page): Paged<QueueItemRecord> {
    const where = new Where().equal('queue_id', queueId).equal('status', status);
    return this.page(QUEUE_ITEMS, { from: 'annotation_queue_items', where, order: NEWEST_FIRST }, page);
  }

  /** When it was completed stays known when it is taken up again. */
  setStatus(queueId: string, id: string, status: QueueStatus): QueueItemRecord | null {
    const time = now();
    return this.database.transaction(() => {
      this.database.run(
        `UPDATE annotation_queue_items SET status = ?, completed_at = coalesce(?, completed_at), updated_at = ?
          WHERE queue_id = ? AND id = ?`,
        [status, completedAt(status, time), time, queueId, id],
      );
      return this.item(queueId, id);
    });
  }

  deleteItem(queueId: string, id: string): boolean {
    const sql = 'DELETE FROM annotation_queue_items WHERE queue_id = ? AND id = ?';
    return this.database.write(() => this.database.run(sql, [queueId, id])) > 0;
  }
}

function completedAt(status: QueueStatus, time: string): string | null {
  return status === 'COMPLETED' ? time : null;
}
