import { openStore, type Store } from '../../src/store/store.ts';
import { makeReview } from '../server/review/serving-review.ts';

export const TRACE = '0af7651916cd43dd8448eb211c80319c';

/** Makes a store that has two rows in every table, and closes it. */
export function fillStore(folder: string): void {
  const store = openStore(folder);
  try {
    fillLangfuse(store);
    fillAnnotation(store);
    fillReview(store);
  } finally {
    store.close();
  }
}

function fillLangfuse(store: Store): void {
  for (const name of ['d', 'other']) store.datasets.save({ name, metadata: { a: 1 }, inputSchema: {} });
  store.datasets.saveItems('d', [
    { id: 'i1', input: { a: 1 }, expectedOutput: 1, metadata: { b: 2 }, sourceTraceId: TRACE },
    { id: 'i2', input: { a: 2 } },
  ]);
  store.datasets.version('d');
  store.datasets.saveItems('d', [{ id: 'i1', input: { a: 3 } }]);
  store.datasets.version('d');
  for (const name of ['p', 'q'])
    store.prompts.create({ name, type: 'text', prompt: 'x', labels: ['production'], tags: ['t'], config: {} });
  const { id: datasetId } = store.datasets.get('d')!;
  for (const [at, itemId] of ['i1', 'i2'].entries()) {
    const traceId = at === 0 ? TRACE : `other-${TRACE}`;
    const id = `observation-${at}`;
    store.traces.save({ id: traceId, name: 't', tags: ['x'], metadata: {}, input: 1, output: 2, userId: 'u' });
    store.traces.saveObservation({
      id,
      traceId,
      startTime: `2026-05-01T10:00:0${at}.000Z`,
      endTime: '2026-05-01T10:01:00.000Z',
      completionStartTime: '2026-05-01T10:00:30.000Z',
      promptName: 'p',
      promptVersion: 1,
      usageDetails: { input: 1 },
      costDetails: { total: 1 },
      modelParameters: {},
      experiment: {
        experimentId: 'e1',
        experimentName: 'r',
        experimentDescription: null,
        experimentMetadata: {},
        datasetId,
        itemId,
        itemExpectedOutput: null,
        itemMetadata: null,
        rootObservationId: id,
      },
    });
    store.scores.save({ id: `s${at}`, name: 'f1', value: 0.5, traceId, metadata: { c: 3 } });
    const run = store.runs.save({ datasetName: 'd', name: at === 0 ? 'r' : 'r2', metadata: {} });
    store.runs.link({ runId: run.id, itemId, traceId, observationId: id });
  }
}

function fillAnnotation(store: Store): void {
  const queues = ['a', 'b'].map((name) =>
    store.annotationQueues.create({ name, description: 'why', scoreConfigIds: ['c'] }),
  );
  for (const { id } of queues)
    store.annotationQueues.addItem(id, { objectId: TRACE, objectType: 'TRACE', status: 'COMPLETED' });
  for (const id of ['c', 'c2'])
    store.scoreConfigs.save({ id, name: id, dataType: 'CATEGORICAL', categories: [{ label: 'a', value: 0 }] });
  for (const id of ['m1', 'm2']) {
    store.comments.add({ objectType: 'TRACE', objectId: TRACE, content: 'seen' });
    store.media.announce({ id, sha256: 'h', contentType: 'text/plain', contentLength: 1 });
    store.media.setContent(id, Buffer.from('x'));
    store.media.setUpload(id, { uploadedAt: '2026-05-01T10:00:00.000Z', uploadStatus: 200, uploadError: null });
  }
}

function fillReview(store: Store): void {
  const people = [{ name: 'Anna' }, { name: 'Bora' }, { name: 'Adja', role: 'adjudicator' as const }];
  makeReview(store, { people });
  makeReview(store, { name: 'second', prefix: 'second-', people: [{ name: 'Zoe' }] });
  for (const [at, name] of ['Anna', 'Bora'].entries()) {
    const personId = `p-pilot-${name}`;
    const event = { itemId: 'case-1', personId, part: null, origin: 'library' as const };
    store.reviews.append([
      { ...event, id: `e${at}`, field: 'plant', value: at === 0 ? 'rose' : 'fern' },
      { ...event, id: `c${at}`, field: '#commit', value: true },
    ]);
  }
  for (const [at, value] of ['rose', 'fern'].entries()) {
    const personId = 'p-pilot-Adja';
    const cell = { itemId: 'case-1', field: 'plant', part: null, value };
    store.reviews.decide({ ...cell, id: `d${at}`, personId, because: 'seen' });
    store.reviews.addJudgements([{ ...cell, id: `j${at}`, reason: 'so', judge: 'a', model: 'm', promptHash: 'h' }]);
  }
}
