import { hash } from 'node:crypto';

import { MediaContentType } from '@langfuse/core';
import { describe, expect, it } from 'vitest';

import { basic, type SdkServing, sdkServing, serving } from './serving.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PICTURE = Buffer.from('not really a picture');
const ANNOUNCED = {
  contentType: 'image/png' as const,
  contentLength: PICTURE.length,
  sha256Hash: hash('sha256', PICTURE, 'base64'),
  traceId: TRACE,
  field: 'input',
};

async function announced({ client }: SdkServing): Promise<{ mediaId: string; uploadUrl: string }> {
  const { mediaId, uploadUrl } = await client.api.media.getUploadUrl(ANNOUNCED);
  return { mediaId, uploadUrl: uploadUrl ?? '' };
}

function put(url: string, body: Uint8Array<ArrayBuffer> = PICTURE, type = 'image/png') {
  return fetch(url, { method: 'PUT', headers: { 'content-type': type }, body });
}

describe('comments through the official SDK', () => {
  it('are made on what is here, and read', async () => {
    const { client, store } = await sdkServing();
    store.traces.save({ id: TRACE, sessionId: 's' });
    store.traces.saveObservation({ id: 'o', traceId: TRACE });
    const prompt = store.prompts.create({ name: 'p', type: 'text', prompt: 'x' });
    const objects = [
      ['TRACE', TRACE],
      ['OBSERVATION', 'o'],
      ['SESSION', 's'],
      ['PROMPT', prompt.id],
    ] as const;
    for (const [objectType, objectId] of objects) {
      const comment = { projectId: 'assay', objectType, objectId, content: `  about ${objectType}\n` };
      const { id } = await client.api.comments.create(comment);
      expect(await client.api.comments.getById(id)).toMatchObject({ objectType, content: `about ${objectType}` });
      const missing = { ...comment, objectId: 'none' };
      await expect(client.api.comments.create(missing)).rejects.toMatchObject({ statusCode: 404 });
    }
    expect((await client.api.comments.get()).meta.totalItems).toBe(4);
    const { data } = await client.api.comments.get({ objectType: 'SESSION', objectId: 's', limit: 1 });
    expect(data).toMatchObject([{ projectId: 'assay', objectId: 's', authorUserId: null }]);
    expect((await client.api.comments.get({ authorUserId: 'somebody' })).data).toEqual([]);
  });

  it.each([
    ['nothing in it', { content: ' ' }],
    ['too much in it', { content: 'x'.repeat(5001) }],
    ['another kind of object', { objectType: 'DATASET' }],
    ['an author, since there are no users', { authorUserId: 'u' }],
    ['a field that there is not', { position: 3 }],
  ])('are refused with %s', async (_, wrong) => {
    const { ask, store } = await serving();
    store.traces.save({ id: TRACE });
    const good = { projectId: 'assay', objectType: 'TRACE', objectId: TRACE, content: 'x' };
    expect((await ask('POST', '/api/public/comments', { ...good, ...wrong })).status).toBe(400);
    expect((await ask('GET', '/api/public/comments?objectId=x')).status).toBe(400);
  });
});

describe('annotation queues through the official SDK', () => {
  it('are made, filled, worked off and emptied', async () => {
    const { client } = await sdkServing();
    const api = client.api.annotationQueues;
    const { id: config } = await client.api.scoreConfigs.create({ name: 'fluent', dataType: 'BOOLEAN' });
    const named = { name: 'to look at', scoreConfigIds: [config] };
    const queue = await api.createQueue({ ...named, description: 'odd ones' });
    expect((await api.listQueues()).data).toEqual([queue]);
    expect(await api.getQueue(queue.id)).toEqual(queue);
    const first = await api.createQueueItem(queue.id, { objectId: TRACE, objectType: 'TRACE' });
    const done = await api.createQueueItem(queue.id, { objectId: 'o', objectType: 'OBSERVATION', status: 'COMPLETED' });
    expect([first.status, first.completedAt, done.status]).toEqual(['PENDING', null, 'COMPLETED']);
    expect((await api.listQueueItems(queue.id)).data.map(({ id }) => id)).toEqual([done.id, first.id]);
    expect((await api.listQueueItems(queue.id, { status: 'PENDING' })).data.map(({ id }) => id)).toEqual([first.id]);
    const finished = await api.updateQueueItem(queue.id, first.id, { status: 'COMPLETED' });
    expect(finished.completedAt).not.toBeNull();
    expect(await api.updateQueueItem(queue.id, first.id, { status: 'PENDING' })).toMatchObject({
      status: 'PENDING',
      completedAt: finished.completedAt,
    });
    expect(await api.deleteQueueItem(queue.id, first.id)).toMatchObject({ success: true });
    await expect(api.getQueueItem(queue.id, first.id)).rejects.toMatchObject({ statusCode: 404 });
    await expect(api.getQueueItem('none', done.id)).rejects.toMatchObject({ statusCode: 404 });
    await expect(api.createQueue(named)).rejects.toMatchObject({ statusCode: 400 });
    await expect(api.createQueue({ name: 'odd', scoreConfigIds: ['none'] })).rejects.toMatchObject({ statusCode: 400 });
    await expect(api.createQueue({ name: 'bare', scoreConfigIds: [] })).rejects.toMatchObject({ statusCode: 400 });
  });
});

describe('media through the official SDK', () => {
  it('is announced, uploaded, told, and read, without the keys and once only', async () => {
    const server = await sdkServing();
    const { client } = server;
    const { mediaId, uploadUrl } = await announced(server);
    expect(mediaId).toBe(ANNOUNCED.sha256Hash.replaceAll('+', '-').replaceAll('/', '_').slice(0, 22));
    await expect(client.api.media.get(mediaId)).rejects.toMatchObject({ statusCode: 404 });
    expect((await put(uploadUrl)).status).toBe(200);
    await client.api.media.patch(mediaId, { uploadedAt: '2026-05-01T10:00:00Z', uploadHttpStatus: 200 });
    const media = await client.api.media.get(mediaId);
    expect(media).toMatchObject({ contentType: 'image/png', contentLength: PICTURE.length });
    const read = await fetch(media.url);
    expect(Buffer.from(await read.arrayBuffer())).toEqual(PICTURE);
    expect(read.headers.get('content-type')).toBe('image/png');
    expect(read.headers.get('content-disposition')).toBe('attachment');
    expect(read.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await client.api.media.getUploadUrl(ANNOUNCED)).toEqual({ mediaId, uploadUrl: null });

    const reference = `@@@langfuseMedia:type=image/png|id=${mediaId}|source=bytes@@@`;
    await client.api.datasets.create({ name: 'd' });
    const item = await client.dataset.createItem({
      datasetName: 'd',
      input: { a: [reference, 'x'], "b'": `not alone: ${reference}` },
      expectedOutput: reference,
      metadata: { other: reference.replace(mediaId, 'unknown') },
    });
    expect(item.mediaReferences).toMatchObject([
      { field: 'expectedOutput', jsonPath: '$', referenceString: reference, media: { mediaId } },
      { field: 'input', jsonPath: "$['a'][0]", media: { contentLength: PICTURE.length } },
    ]);
  });

  it('is only what was announced, and only for who has its address', async () => {
    const { mediaId, uploadUrl } = await announced(await sdkServing());
    expect((await put(uploadUrl, Buffer.from('not really a pictur3'))).status).toBe(400);
    expect((await put(uploadUrl, Buffer.from('short'))).status).toBe(400);
    expect((await put(uploadUrl, PICTURE, 'text/html')).status).toBe(400);
    const address = new URL(uploadUrl);
    const changed = (name: string, value: string): string => {
      const other = new URL(address);
      other.searchParams.set(name, value);
      return other.href;
    };
    const [bare] = uploadUrl.split('?');
    for (const url of [
      bare!,
      changed('signature', 'x'),
      changed('signature', ''),
      changed('expires', '2999-01-01T00:00:00.000Z'),
      uploadUrl.replace(mediaId, 'A'.repeat(22)),
    ]) {
      expect((await put(url)).status, url).toBe(401);
    }
    // An address to write is none to read, but the keys are enough for both.
    expect((await fetch(uploadUrl)).status).toBe(401);
    const keys = { authorization: basic() };
    expect((await fetch(bare!, { headers: keys })).status).toBe(404);
    expect((await put(uploadUrl)).status).toBe(200);
    expect((await fetch(bare!, { headers: keys })).status).toBe(200);
  });

  it('is taken, kept and given back under every content type of the SDK', async () => {
    const { client } = await sdkServing();
    const types = Object.values(MediaContentType);
    expect(types).toEqual(expect.arrayContaining(['text/plain', 'text/csv', 'image/png', 'application/json']));
    for (const type of types) {
      const bytes = Buffer.from(`a content of ${type}`);
      const sha256Hash = hash('sha256', bytes, 'base64');
      const announcement = { ...ANNOUNCED, contentType: type, contentLength: bytes.length, sha256Hash };
      const { mediaId, uploadUrl } = await client.api.media.getUploadUrl(announcement);
      expect((await put(uploadUrl!, bytes, type)).status, type).toBe(200);
      await client.api.media.patch(mediaId, { uploadedAt: '2026-05-01T10:00:00Z', uploadHttpStatus: 200 });
      const { contentType, url } = await client.api.media.get(mediaId);
      const read = await fetch(url);
      expect([contentType, read.headers.get('content-type')]).toEqual([type, type]);
      expect(Buffer.from(await read.arrayBuffer())).toEqual(bytes);
    }
  });

  it.each([
    ['a type that is not taken', { contentType: 'text/evil' }],
    ['a hash that is none', { sha256Hash: 'x' }],
    ['no length', { contentLength: 0 }],
    ['more than is taken', { contentLength: 16 * 1024 * 1024 + 1 }],
    ['both a trace and an item', { datasetId: 'd', datasetItemId: 'i' }],
    ['a field of the other', { field: 'expectedOutput' }],
  ])('is refused with %s', async (_, wrong) => {
    const { ask } = await serving();
    expect((await ask('POST', '/api/public/media', { ...ANNOUNCED, ...wrong })).status).toBe(400);
    expect((await ask('POST', '/api/public/media', ANNOUNCED)).status).toBe(201);
    expect((await ask('GET', '/api/public/media/none')).status).toBe(404);
    const told = { uploadedAt: '2026-05-01T10:00:00Z', uploadHttpStatus: 200 };
    expect((await ask('PATCH', '/api/public/media/none', told)).status).toBe(404);
  });
});
