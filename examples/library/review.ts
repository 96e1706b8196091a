// A review in a store: created, answered, looked at, exported as a sheet and served.
// Run it from the root of a checkout: node tools/runtime/run.js examples/library/review.ts
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { fileSource, memorySource } from 'assay';
import { planRecipe } from 'assay/pipeline';
import { openStore } from 'assay/experiment';
import {
  conflictsOf,
  consultSources,
  createReview,
  loadSnapshot,
  overviewOf,
  personLink,
  readSheet,
  reviewLines,
  reviewSecret,
  sheetsFor,
  writeReviewLines,
} from 'assay/review';
import { startReviewServer } from 'assay/server';

const plan = await planRecipe('consult/ayurmind');
const store = openStore(await mkdtemp(join(tmpdir(), 'assay-')));
const secret = reviewSecret(store.folder);
const answers = [{ system: 'plain', source: fileSource('examples/consult/plain.jsonl') }];
const people = [
  ...['Asha', 'Bela', 'Chand'].map((name) => ({ name, role: 'reviewer' as const, groups: ['expert'] })),
  { name: 'Farah', role: 'adjudicator' as const, groups: [] },
];
const review = createReview(store, {
  name: 'pilot',
  form: plan.review!,
  task: plan.task,
  seed: 42,
  people,
  secret,
  origin: null,
  expiresAt: '2099-01-01T00:00:00.000Z',
  sources: await consultSources({ cases: fileSource('examples/consult/cases.csv'), answers, plan }),
});

// What the app and the sheets do: events are added, the last one holds.
const [asha, bela] = store.reviews.people(review.id);
const item = store.reviews.items(review.id).find(({ kind, caseId }) => kind === 'case' && caseId === 'C04')!;
for (const [person, value] of [
  [asha!, 'vata'],
  [bela!, 'pitta'],
] as const)
  store.reviews.append([
    {
      id: `${person.id}-1`,
      itemId: item.id,
      personId: person.id,
      field: 'prakriti',
      part: null,
      value,
      origin: 'library',
    },
    {
      id: `${person.id}-2`,
      itemId: item.id,
      personId: person.id,
      field: '#commit',
      part: null,
      value: true,
      origin: 'library',
    },
  ]);

const snapshot = loadSnapshot(store, 'pilot');
const [conflict] = conflictsOf(snapshot);
console.log(
  conflict?.field,
  conflict?.answers.map(({ value }) => value),
  conflict?.waiting,
); // prakriti [ 'vata', 'pitta' ] 1
console.log(overviewOf(snapshot).items); // { total: 12, done: 0 }
console.log(writeReviewLines(reviewLines(snapshot), 'csv').split('\r\n').length); // a header, two lines, the end

const [sheet] = sheetsFor(snapshot, asha!.id); // outputs_for_human_review.csv
const past = (itemId: string, personId: string) => store.reviews.history(snapshot.review.id, { itemId, personId });
const read = await readSheet(snapshot, asha!.id, memorySource(sheet!.name, sheet!.content), past);
console.log(read.problems.length, read.unchanged); // 0 1: the same answer again changes nothing

const server = await startReviewServer({ store, host: '127.0.0.1', port: 0, log: console.error });
const { link } = personLink(asha!, secret, server.url, new Date());
console.log(link?.startsWith(`${server.url}/#`)); // true
await server.close();
store.close();
