import { hash } from 'node:crypto';

import { isRecord } from '../../data/record-fields.ts';
import { visible } from '../../data/visible.ts';
import type { MediaRecord } from '../../store/media.ts';
import type { DatasetItemRecord } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { mediaApi } from '../../langfuse/shapes/media.ts';
import { existing, Refusal } from '../refusal.ts';
import { contentType, readBody } from '../request-body.ts';
import { type RouteGate, type Route, route } from '../server-app.ts';
import { type ApiRequest, type ApiRoute, apiRoute } from './api-route.ts';
import { MEDIA_CONTENT_PATH } from './keys.ts';

export type MediaUrlOf = ApiRequest<unknown, unknown>['mediaUrl'];

const ID_LENGTH = 22;
const REFERENCE = /^@@@langfuseMedia:type=[^|@]+\|id=([^|@]+)\|source=[^|@]+@@@$/;
const FIELDS = ['expectedOutput', 'input', 'metadata'] as const;

export function mediaRoutes(store: Store): ApiRoute[] {
  return [
    apiRoute(mediaApi.getUploadUrl, ({ body, mediaUrl, bodyLimit }) => {
      const { sha256Hash: sha256, contentType: type, contentLength } = body;
      if (contentLength > bodyLimit) throw new Refusal(400, `contentLength: at most ${bodyLimit} bytes are taken here`);
      const id = sha256.replaceAll('+', '-').replaceAll('/', '_').slice(0, ID_LENGTH);
      const before = store.media.get(id);
      if (before !== null && before.sha256 !== sha256)
        throw new Refusal(409, `sha256Hash: another content has the id ${visible(id)} already`);
      if (before?.uploadStatus === 200 && before.contentType === type) return { mediaId: id, uploadUrl: null };
      store.media.announce({ id, sha256, contentType: type, contentLength });
      return { mediaId: id, uploadUrl: mediaUrl('PUT', id).url };
    }),
    apiRoute(mediaApi.getMedia, ({ part, mediaUrl }) => {
      const media = mediaOf(store, part('id'));
      if (isUploaded(media)) return { ...linkOf(media, mediaUrl), uploadedAt: media.uploadedAt };
      const { uploadStatus } = media;
      const why = uploadStatus === null ? 'is not uploaded yet' : `could not be uploaded: status ${uploadStatus}`;
      throw new Refusal(404, `The media ${visible(media.id)} ${why}.`);
    }),
    apiRoute(mediaApi.updateMedia, ({ part, body }) => {
      const { uploadedAt, uploadHttpStatus: uploadStatus, uploadHttpError } = body;
      const uploadError = uploadStatus === 200 ? null : (uploadHttpError ?? null);
      if (!store.media.setUpload(part('id'), { uploadedAt, uploadStatus, uploadError })) mediaOf(store, part('id'));
      return { message: 'OK' };
    }),
  ];
}

/** The content itself. It is only ever taken as it was announced, and only ever given as a file to keep. */
export function mediaContentRoutes(store: Store, gate: RouteGate, bodyLimit: number): Route[] {
  const put = route('PUT', MEDIA_CONTENT_PATH, gate, async (context) => {
    const media = mediaOf(store, context.req.param('id') ?? '');
    const bytes = await readBody(context.req.raw, bodyLimit);
    if (contentType(context.req.raw) !== media.contentType)
      throw new Refusal(400, `The content was announced as ${media.contentType}.`);
    if (bytes.length !== media.contentLength || hash('sha256', bytes, 'base64') !== media.sha256)
      throw new Refusal(400, `The content is not the one that was announced, of ${media.contentLength} bytes.`);
    store.media.setContent(media.id, bytes);
    return context.body(null, 200);
  });
  const get = route('GET', MEDIA_CONTENT_PATH, gate, (context) => {
    const media = mediaOf(store, context.req.param('id') ?? '');
    const content = existing(store.media.content(media.id), `The content of the media ${visible(media.id)}`);
    // As a file to keep: a page within it would be a page of this server.
    const headers = { 'content-type': media.contentType, 'content-disposition': 'attachment' };
    return context.body(new Uint8Array(content), 200, headers);
  });
  return [put, get];
}

/** The references of an item to media that is here, by field and path. */
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

function mediaOf(store: Store, id: string): MediaRecord {
  return existing(store.media.get(id), `The media ${visible(id)}`);
}
