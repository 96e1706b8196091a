import { z } from 'zod';

import { endpoint, messageAnswer } from './endpoint.ts';
import * as v from './values.ts';

/** The types of content that Langfuse takes. */
const CONTENT_TYPES = `
  image/png image/jpeg image/jpg image/webp image/gif image/svg+xml image/tiff image/bmp image/avif image/heic
  audio/mpeg audio/mp3 audio/wav audio/ogg audio/oga audio/aac audio/mp4 audio/flac audio/opus audio/webm
  video/mp4 video/webm video/ogg video/mpeg video/quicktime video/x-msvideo video/x-matroska
  text/plain text/html text/css text/csv text/markdown text/x-python text/x-typescript
  application/javascript application/x-yaml application/pdf application/msword application/vnd.ms-excel
  application/vnd.openxmlformats-officedocument.spreadsheetml.sheet application/zip application/json application/xml
  application/octet-stream application/vnd.openxmlformats-officedocument.wordprocessingml.document
  application/vnd.openxmlformats-officedocument.presentationml.presentation application/rtf application/x-ndjson
  application/vnd.apache.parquet application/gzip application/x-tar application/x-7z-compressed`
  .trim()
  .split(/\s+/);

const content = {
  contentType: z.enum(CONTENT_TYPES),
  contentLength: z.int().positive(),
  sha256Hash: z.string().regex(/^[A-Za-z0-9+/]{43}=$/, { error: 'expected a SHA-256 hash in base64' }),
};

/** Of a trace or of a dataset item, never of both. */
const uploadRequest = z.union([
  z.object({
    ...content,
    traceId: z.string(),
    observationId: z.string().nullish(),
    field: z.enum(['input', 'output', 'metadata']),
    ...v.fields(z.null().optional(), 'datasetId', 'datasetItemId'),
  }),
  z.object({
    ...content,
    ...v.fields(v.anyText, 'datasetId', 'datasetItemId'),
    field: z.enum(['input', 'expectedOutput', 'metadata']),
    ...v.fields(z.null().optional(), 'traceId', 'observationId'),
  }),
]);

export const mediaApi = {
  getUploadUrl: endpoint('POST', '/api/public/media', {
    request: uploadRequest,
    /** Without an address the content is here already. */
    answer: z.strictObject({ mediaId: z.string(), uploadUrl: z.string().nullable() }),
    status: 201,
  }),
  getMedia: endpoint('GET', '/api/public/media/:id', {
    answer: z.strictObject({
      ...v.fields(v.anyText, 'mediaId', 'contentType', 'url', 'urlExpiry'),
      contentLength: z.int(),
      uploadedAt: v.time.nullish(),
    }),
  }),
  updateMedia: endpoint('PATCH', '/api/public/media/:id', {
    request: z.object({
      uploadedAt: v.sentTime,
      uploadHttpStatus: z.int().positive(),
      uploadHttpError: z.string().nullish(),
      uploadTimeMs: z.number().nullish(),
    }),
    answer: messageAnswer,
  }),
};
