import { hash } from 'node:crypto';

import type { Hono } from 'hono';

import { isRecord } from '../../data/record-fields.ts';
import { visible } from '../../data/visible.ts';
import type { MediaRecord } from '../../store/media.ts';
import type { DatasetItemRecord } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { getMedia, getUploadUrl, MEDIA_CONTENT_PATH, updateMedia } from '../../langfuse/shapes/media.ts';
import { notFound, Refusal } from '../refusal.ts';
import { contentType, readBody } from '../request-body.ts';
import type { Asked, Serve } from './route.ts';

export type MediaUrlOf = Asked<unknown, unknown>['mediaUrl'];

const ID_LENGTH = 22;
const REFERENCE = /^@@@langfuseMedia:type=[^|@]+\|id=([^|@]+)\|source=[^|@]+@@@$/;
const FIELDS = ['expectedOutput', 'input', 'metadata'] as const;

export function serveMedia(serve: Serve, store: Store): void {
  serve(getUploadUrl, ({ body, mediaUrl, bodyLimit }) => {
    const { sha256Hash: sha256, contentType: type, contentLength } = body;
    if (contentLength > bodyLimit) throw new Refusal(400, `contentLength: at most ${bodyLimit} bytes are taken here`);
    const id = sha256.replaceAll('+', '-').replaceAll('/', '_').slice(0, ID_LENGTH);
    const before = store.media.get(id);
    if (before !== null && before.sha256 !== sha256) {
      throw new Refusal(409, `sha256Hash: another content has the id ${visible(id)} already`);
    }
    if (before?.uploadStatus === 200 && before.contentType === type) return { mediaId: id, uploadUrl: null };
    store.media.announce({ id, sha256, contentType: type, contentLength });
    return { mediaId: id, uploadUrl: mediaUrl('PUT', id).url };
  });
  serve(getMedia, ({ part, mediaUrl }) => {
    const media = findMedia(store, part('id'));
    if (media.uploadStatus === null) throw new Refusal(404, `The media ${visible(media.id)} is not uploaded yet.`);
    if (!isUploaded(media)) {
      throw new Refusal(404, `The upload of the media ${visible(media.id)} failed with status ${media.uploadStatus}.`);
    }
    return { ...linkOf(media, mediaUrl), uploadedAt: media.uploadedAt };
  });
  serve(updateMedia, ({ part, body }) => {
    const { uploadedAt, uploadHttpStatus: uploadStatus, uploadHttpError } = body;
    const uploadError = uploadStatus === 200 ? null : (uploadHttpError ?? null);
    if (!store.media.setUpload(part('id'), { uploadedAt, uploadStatus, uploadError })) findMedia(store, part('id'));
    return { message: 'OK' };
  });
}

/** The content itself. It is only ever taken as it was announced, and only ever given as a file to keep. */
export function serveMediaContent(app: Hono, store: Store, bodyLimit: number): void {
  app.put(MEDIA_CONTENT_PATH, async (context) => {
    const media = findMedia(store, context.req.param('id'));
    const bytes = await readBody(context.req.raw, bodyLimit);
    if (contentType(context.req.raw) !== media.contentType) {
      throw new Refusal(400, `The content was announced as ${media.contentType}.`);
    }
    if (bytes.length !== media.contentLength || hash('sha256', bytes, 'base64') !== media.sha256) {
      throw new Refusal(400, `The content is not the one that was announced, of ${media.contentLength} bytes.`);
    }
    store.media.setContent(media.id, bytes);
    return context.body(null, 200);
  });
  app.get(MEDIA_CONTENT_PATH, (context) => {
    const media = findMedia(store, context.req.param('id'));
    const content = store.media.content(media.id);
    if (content === null) throw notFound(`The content of the media ${visible(media.id)}`);
    return context.body(new Uint8Array(content), 200, {
      'content-type': media.contentType,
      // A page within it would be a page of this server.
      'content-disposition': 'attachment',
    });
  });
}

/** Where an item refers to media that is here, by field and path. */
export function mediaReferences(store: Store, item: DatasetItemRecord, mediaUrl: MediaUrlOf) {
  return FIELDS.flatMap((field) =>
    referencesIn(item[field], '$')
      .toSorted((a, b) => (a.jsonPath < b.jsonPath ? -1 : 1))
      .flatMap(({ id, ...reference }) => {
        const media = store.media.get(id);
        return media === null || !isUploaded(media) ? [] : [{ field, ...reference, media: linkOf(media, mediaUrl) }];
      }),
  );
}

function referencesIn(value: unknown, jsonPath: string): { id: string; referenceString: string; jsonPath: string }[] {
  if (typeof value === 'string') {
    const id = REFERENCE.exec(value)?.[1];
    return id === undefined ? [] : [{ id, referenceString: value, jsonPath }];
  }
  if (!Array.isArray(value) && !isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    referencesIn(part, /^\d+$/.test(name) ? `${jsonPath}[${name}]` : `${jsonPath}['${name}']`),
  );
}

function linkOf({ id, contentType: type, contentLength }: MediaRecord, mediaUrl: MediaUrlOf) {
  const { url, expires } = mediaUrl('GET', id);
  return { mediaId: id, contentType: type, contentLength, url, urlExpiry: expires };
}

function isUploaded({ uploadStatus }: MediaRecord): boolean {
  return uploadStatus === 200 || uploadStatus === 201;
}

function findMedia(store: Store, id: string): MediaRecord {
  const found = store.media.get(id);
  if (found === null) throw notFound(`The media ${visible(id)}`);
  return found;
}
