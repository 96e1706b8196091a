import { damagedCell, isoTime, maybeNumber, maybeText, maybeTimeText, now, number, text } from './cells.ts';
import { type Kept, table } from './table.ts';
import { StorePart } from './store-part.ts';

const MEDIA = table({
  id: text,
  /** In base64. */
  sha256: text,
  contentType: text,
  contentLength: number,
  uploadedAt: maybeTimeText,
  /** What the client was answered when it sent the content; null until it reports that. */
  uploadStatus: maybeNumber,
  uploadError: maybeText,
});
export type MediaRecord = Kept<typeof MEDIA>;

type MediaInit = Pick<MediaRecord, 'id' | 'sha256' | 'contentType' | 'contentLength'>;
type Upload = Pick<MediaRecord, 'uploadedAt' | 'uploadStatus' | 'uploadError'>;

const COLUMNS = 'id, sha256, content_type, content_length, uploaded_at, upload_status, upload_error';

/** Pictures, sounds and files that traces and dataset items refer to. */
export class Media extends StorePart {
  /** Makes room for a content that is to come; one that is here under this id under another type has to come again. */
  announce({ id, sha256, contentType, contentLength }: MediaInit): void {
    const time = now();
    const cells = { id, sha256, content_type: contentType, content_length: contentLength };
    const change =
      'ON CONFLICT (id) DO UPDATE SET content_type = excluded.content_type, updated_at = excluded.updated_at';
    const times = { created_at: time, updated_at: time };
    this.database.write(() => this.database.insert('media', { ...cells, ...times }, change));
  }

  get(id: string): MediaRecord | null {
    return this.one(MEDIA, `SELECT ${COLUMNS} FROM media WHERE id = ?`, [id]);
  }

  /** Null before it came. */
  content(id: string): Uint8Array | null {
    const content = this.database.row('SELECT content FROM media WHERE id = ?', [id])?.['content'] ?? null;
    return content === null || content instanceof Uint8Array ? content : damagedCell('content');
  }

  setContent(id: string, content: Uint8Array): void {
    this.database.write(() => this.database.run('UPDATE media SET content = ? WHERE id = ?', [content, id]));
  }

  /** What the client reports of its upload; false where there is no such media. */
  setUpload(id: string, { uploadedAt, uploadStatus, uploadError }: Upload): boolean {
    const sql = 'UPDATE media SET uploaded_at = ?, upload_status = ?, upload_error = ?, updated_at = ? WHERE id = ?';
    const at = uploadedAt === null ? null : isoTime(uploadedAt);
    return this.database.write(() => this.database.run(sql, [at, uploadStatus, uploadError, now(), id])) > 0;
  }
}
