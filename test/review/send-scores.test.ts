import { describe, expect, it, vi } from 'vitest';

import { reviewSection } from '../../src/recipe/review-section.ts';
import { createReview } from '../../src/review/create-review.ts';
import { linesOfScores } from '../../src/review/score-lines.ts';
import { reviewLines, writeReviewLines } from '../../src/review/review-lines.ts';
import { reviewScores, scoreName } from '../../src/review/review-scores.ts';
import { fetchReviewScores, keepReviewScores, sendReviewScores } from '../../src/review/send-scores.ts';
import { loadSnapshot } from '../../src/review/snapshot.ts';
import type { ScoreRecord } from '../../src/store/records.ts';
import type { CellValue } from '../../src/store/review-records.ts';
import type { Store } from '../../src/store/store.ts';
import { KEYS, serving } from '../server/langfuse/serving.ts';
import { ALL, scratchStore } from '../store/scratch-store.ts';

const FORM = reviewSection.parse({
  show: [
    { field: 'text', title: 'Question' },
    { field: 'response', title: 'Answer', of: 'answer' },
  ],
  fields: {
    good: { type: 'scale', title: 'Good?', dimensions: { safety: 'Safety' } },
    kind: { type: 'choice', title: 'Kind?', options: { a: 'A', b: 'B' } },
    has: { type: 'checklist', title: 'Has?', items: { diet: 'Diet', herbs: 'Herbs' }, notApplicable: ['herbs'] },
    claims: { type: 'items', title: 'True?', from: 'sentences', labels: { yes: 'Yes', no: 'No' } },
    comment: { type: 'text', title: 'More?' },
  },
});
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const LONG = 'word '.repeat(150).trim();

/** One person's answers to two items: one whose trace is known, and one without. */
function reviewed(): {
  readonly store: Store;
  readonly say: (nr: number, field: string, part: string | null, value: CellValue) => void;
} {
  const store = scratchStore();
  const source = (caseId: string, hidden: Readonly<Record<string, unknown>>) => ({
    caseId,
    system: 'rag',
    language: null,
    texts: { text: `Question ${caseId}`, response: 'Eat well. Rest.' },
    predicted: [],
    passages: [],
    hidden,
  });
  const { id } = createReview(store, {
    name: 'pilot',
    form: FORM,
    task: 'consult',
    seed: 1,
    sources: [source('1', { traceId: TRACE }), source('2', {})],
    people: [{ name: 'Asha', role: 'reviewer', groups: [] }],
    origin: null,
    secret: Buffer.from('a secret of more than thirty-two characters'),
    expiresAt: '2031-01-01T00:00:00.000Z',
  });
  const [person] = store.reviews.people(id);
  const items = store.reviews.items(id);
  let next = 0;
  const say = (nr: number, field: string, part: string | null, value: CellValue): void => {
    next += 1;
    const cell = { field, part, value, origin: 'library' } as const;
    store.reviews.append([{ id: `e${next}`, itemId: items[nr]!.id, personId: person!.id, ...cell }]);
  };
  say(0, 'good', 'safety', 4);
  say(0, 'kind', null, 'b');
  say(0, 'has', 'diet', true);
  say(0, 'has', 'herbs', 'na');
  say(0, 'claims', null, [
    { id: 's1', start: 0, end: 9, text: 'Eat well.', label: 'yes', from: ['s1'] },
    { id: 's2', start: 10, end: 15, text: 'Rest.', label: 'no', from: ['s2'] },
  ]);
  say(0, 'comment', null, LONG);
  say(0, '#commit', null, true);
  say(1, 'good', 'safety', 2);
  say(1, '#commit', null, true);
  return { store, say };
}

const EXPECTED = [
  ['review_claims', 'CATEGORICAL', 'no', 'Rest.'],
  ['review_claims', 'CATEGORICAL', 'yes', 'Eat well.'],
  ['review_comment', 'TEXT', `${LONG.slice(0, 499)}…`, LONG],
  ['review_good.safety', 'NUMERIC', 4, null],
  ['review_has.diet', 'BOOLEAN', 1, null],
  ['review_has.herbs', 'CATEGORICAL', 'na', null],
  ['review_kind', 'CATEGORICAL', 'b', null],
];

function cells(scores: readonly ScoreRecord[]): unknown[][] {
  return scores
    .map(({ name, dataType, value, stringValue, comment }) => [
      name,
      dataType,
      dataType === 'NUMERIC' || dataType === 'BOOLEAN' ? value : stringValue,
      comment,
    ])
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

describe('scores of reviewers', () => {
  it('are one for each answer, on the trace of the item, or on one that is made for it', () => {
    const { store } = reviewed();
    const { scores, traces } = reviewScores(loadSnapshot(store, 'pilot'));
    expect(scores).toHaveLength(8);
    expect(scores.filter(({ traceId }) => traceId === TRACE)).toHaveLength(7);
    expect(traces).toMatchObject([
      {
        name: 'review pilot',
        input: { text: 'Question 2' },
        output: 'Eat well. Rest.',
        metadata: { system: 'rag', case: '2' },
      },
    ]);
    expect(scores[7]?.traceId).toBe(traces[0]?.traceId);
    expect(new Set(scores.map(({ id }) => id)).size).toBe(8);
  });

  it('go into the local store, again without a difference, and follow what people change', () => {
    const { store, say } = reviewed();
    const keep = () => keepReviewScores(store, loadSnapshot(store, 'pilot'));
    expect(keep()).toMatchObject({ scores: 8, traces: 1, tracesAre: 'made', removed: 0 });
    const before = store.scores.list({}, ALL).rows;
    expect(cells(store.scores.ofTrace(TRACE))).toEqual(EXPECTED);
    expect(before[0]).toMatchObject({
      authorUserId: 'Asha',
      source: 'ANNOTATION',
      metadata: { review: 'pilot', reviewer: 'Asha' },
    });
    expect(store.traces.get(before.find(({ traceId }) => traceId !== TRACE)!.traceId!)).toMatchObject({
      name: 'review pilot',
      output: 'Eat well. Rest.',
    });
    expect(keep()).toMatchObject({ scores: 8, traces: 0 });
    const unchanged = (rows: readonly ScoreRecord[]) => rows.map(({ updatedAt: _, ...rest }) => rest);
    expect(unchanged(store.scores.list({}, ALL).rows)).toEqual(unchanged(before));

    say(0, 'good', 'safety', 5);
    say(0, 'kind', null, null);
    expect(keep()).toMatchObject({ scores: 7, removed: 1 });
    expect(cells(store.scores.ofTrace(TRACE))).toEqual(
      EXPECTED.filter(([name]) => name !== 'review_kind').map((one) =>
        one[0] === 'review_good.safety' ? ['review_good.safety', 'NUMERIC', 5, null] : one,
      ),
    );
  });

  it('leave scores of others on the same trace alone', () => {
    const { store } = reviewed();
    store.scores.save({ id: 'own', name: 'review_kind', value: 'x', traceId: TRACE });
    store.scores.save({ id: 'f1', name: 'f1', value: 1, traceId: TRACE });
    keepReviewScores(store, loadSnapshot(store, 'pilot'));
    expect(store.scores.get('own')).not.toBeNull();
    expect(store.scores.get('f1')).not.toBeNull();
  });

  it('go to Langfuse, again without a difference', async () => {
    const { store } = reviewed();
    const served = await serving();
    const environment = {
      LANGFUSE_BASE_URL: served.url,
      LANGFUSE_PUBLIC_KEY: KEYS.publicKey,
      LANGFUSE_SECRET_KEY: KEYS.secretKey,
    };
    const send = () => sendReviewScores(environment, loadSnapshot(store, 'pilot'));
    expect(await send()).toMatchObject({ scores: 8, traces: 1, tracesAre: 'sent', place: served.url });
    expect(cells(served.store.scores.ofTrace(TRACE))).toEqual(EXPECTED);
    const { rows } = served.store.scores.list({}, ALL);
    expect(rows.every(({ metadata }) => (metadata as { reviewer: string }).reviewer === 'Asha')).toBe(true);
    const made = rows.find(({ traceId }) => traceId !== TRACE)!;
    expect(served.store.traces.get(made.traceId!)).toMatchObject({ name: 'review pilot', output: 'Eat well. Rest.' });
    await send();
    expect(served.store.scores.list({}, ALL).total).toBe(8);
    expect(served.store.traces.list({}, ALL).total).toBe(1);
  });
});

/** Langfuse as a review sees it, with what it has been sent. */
async function langfuse() {
  const served = await serving();
  const environment = {
    LANGFUSE_BASE_URL: served.url,
    LANGFUSE_PUBLIC_KEY: KEYS.publicKey,
    LANGFUSE_SECRET_KEY: KEYS.secretKey,
  };
  return { served, environment };
}

describe('scores of reviewers in Langfuse', () => {
  it('are annotations by a config for each question, which is made once', async () => {
    const { store } = reviewed();
    const { served, environment } = await langfuse();
    const send = () => sendReviewScores(environment, loadSnapshot(store, 'pilot'));
    expect(await send()).toMatchObject({ scores: 8, configs: 6, readBack: 8 });
    expect(await send()).toMatchObject({ scores: 8, configs: 0, readBack: 8 });
    const { rows: configs } = served.store.scoreConfigs.list(ALL);
    const ofName = new Map(configs.map((config) => [config.name, config]));
    expect(configs).toHaveLength(6);
    expect(ofName.get('review_good.safety')).toMatchObject({ dataType: 'NUMERIC', minValue: 1, maxValue: 5 });
    expect(ofName.get('review_has.diet')).toMatchObject({ dataType: 'BOOLEAN' });
    // It may be na, so that it is a category whatever the answer is: one type for a name.
    expect(ofName.get('review_has.herbs')?.categories?.map(({ label }) => label)).toEqual(['yes', 'no', 'na']);
    expect(ofName.get('review_claims')?.categories?.map(({ label }) => label)).toEqual(['yes', 'no', 'false']);
    for (const { name, source, configId } of served.store.scores.list({}, ALL).rows)
      expect([name, source, configId]).toEqual([name, 'ANNOTATION', ofName.get(name)?.id]);
  });

  it('carry the note of a reviewer on a claim, and can be read back as the same answers', async () => {
    const { store, say } = reviewed();
    say(0, 'claims', null, [
      { id: 's1', start: 0, end: 9, text: 'Eat well.', label: 'yes', note: 'a truism', from: ['s1'] },
      { id: 's2', start: 10, end: 15, text: 'Rest.', label: 'no', from: ['s2'] },
    ]);
    const { served, environment } = await langfuse();
    const snapshot = loadSnapshot(store, 'pilot');
    await sendReviewScores(environment, snapshot);
    const claims = served.store.scores.ofTrace(TRACE).filter(({ name }) => name === 'review_claims');
    expect(claims.map(({ stringValue, comment }) => [stringValue, comment])).toEqual([
      ['yes', 'a truism'],
      ['no', 'Rest.'],
    ]);
    // By someone in Langfuse, and something that is no answer.
    const config = served.store.scoreConfigs.list(ALL).rows.find(({ name }) => name === 'review_kind')!;
    const byHand = { source: 'ANNOTATION', traceId: TRACE, dataType: 'CATEGORICAL' } as const;
    served.store.scores.save({
      ...byHand,
      id: 'h',
      name: 'review_kind',
      value: 'a',
      configId: config.id,
      authorUserId: 'u1',
    });
    served.store.scores.save({ ...byHand, id: 'o', name: 'tone', value: 'a', configId: config.id });
    const { lines, others } = linesOfScores(snapshot, (await fetchReviewScores(environment, snapshot))!);
    const own = lines.filter(({ reviewer }) => reviewer === 'Asha');
    expect(writeReviewLines(own, 'jsonl')).toBe(writeReviewLines(reviewLines(snapshot), 'jsonl'));
    expect(lines.filter(({ reviewer }) => reviewer === 'u1')).toMatchObject([
      { case_id: '1', system: 'rag', field: 'kind', part: null, value: 'a', role: 'reviewer' },
    ]);
    expect(others).toBe(1);
  });

  it('reuse a config that takes the answers, and name one that does not', async () => {
    const { store } = reviewed();
    const { served, environment } = await langfuse();
    const configs = served.store.scoreConfigs;
    const send = () => sendReviewScores(environment, loadSnapshot(store, 'pilot'));
    configs.save({ id: 'wide', name: 'review_good.safety', dataType: 'NUMERIC', minValue: 0, maxValue: 10 });
    configs.save({ id: 'kind', name: 'review_kind', dataType: 'NUMERIC' });
    await expect(send()).rejects.toThrow('review_kind" is NUMERIC there, and CATEGORICAL here');
    configs.save({ id: 'kind', name: 'review_kind', dataType: 'CATEGORICAL', categories: [{ label: 'a', value: 0 }] });
    await expect(send()).rejects.toThrow('lacks the category "b" there');
    configs.save({ id: 'kind', name: 'review_kind', dataType: 'CATEGORICAL', isArchived: true });
    await expect(send()).rejects.toThrow('is archived');
    expect(served.store.scores.list({}, ALL).total).toBe(0);
    configs.save({ id: 'kind', name: 'old', dataType: 'NUMERIC' });
    expect(await send()).toMatchObject({ configs: 5 });
    expect(served.store.scores.list({ names: ['review_good.safety'] }, ALL).rows[0]?.configId).toBe('wide');
  });

  it('follow what people change: every changed answer, a removed remark, and all of it again at once', async () => {
    const { store, say } = reviewed();
    const { served, environment } = await langfuse();
    const send = () => sendReviewScores(environment, loadSnapshot(store, 'pilot'));
    const shown = (): Record<string, unknown> =>
      Object.fromEntries(
        cells(served.store.scores.ofTrace(TRACE)).map(([name, , value, comment]) => [String(name), [value, comment]]),
      );
    say(0, 'claims', null, [
      { id: 's1', start: 0, end: 9, text: 'Eat well.', label: 'yes', note: 'a truism', from: ['s1'] },
    ]);
    await send();
    expect(shown()).toMatchObject({ 'review_good.safety': [4, null], review_claims: ['yes', 'a truism'] });
    // Random ids of events would let the earlier value win in half of the rounds, if their times were equal.
    for (const round of [1, 2, 3, 4, 5]) {
      say(0, 'good', 'safety', round);
      say(0, 'kind', null, round % 2 === 0 ? 'b' : 'a');
      say(0, 'has', 'diet', round % 2 === 0);
      say(0, 'comment', null, `round ${round}`);
      expect(await send()).toMatchObject({ readBack: expect.any(Number) });
      expect(shown()).toMatchObject({
        'review_good.safety': [round, null],
        review_kind: [round % 2 === 0 ? 'b' : 'a', null],
        'review_has.diet': [round % 2 === 0 ? 1 : 0, null],
        review_comment: [`round ${round}`, null],
      });
    }
  });

  it.each([3, 4] as const)(
    'are in the environment of their trace, with a server like Langfuse %i',
    async (generation) => {
      const { store } = reviewed();
      const served = await serving({ generation });
      for (const { traces } of [served.store, store]) {
        traces.save({ id: TRACE, timestamp: '2026-01-01T00:00:00.000Z', environment: 'staging' });
        const root = { parentObservationId: null, type: 'SPAN', startTime: '2026-01-01T00:00:00.000Z' } as const;
        traces.saveObservation({ ...root, id: 'r', traceId: TRACE, environment: 'staging' });
      }
      const snapshot = loadSnapshot(store, 'pilot');
      keepReviewScores(store, snapshot);
      await sendReviewScores(served.environment, snapshot);
      for (const { scores } of [served.store, store])
        for (const { traceId, environment } of scores.list({}, ALL).rows)
          expect([traceId, environment]).toEqual([traceId, traceId === TRACE ? 'staging' : 'default']);
    },
  );

  it('are in the environment of runs if Langfuse does not have the trace', async () => {
    const { store } = reviewed();
    const { served, environment } = await langfuse();
    await sendReviewScores(environment, loadSnapshot(store, 'pilot'));
    const { rows } = served.store.scores.list({ traceIds: [TRACE] }, ALL);
    expect(new Set(rows.map((score) => score.environment))).toEqual(new Set(['sdk-experiment']));
  });

  it('that differ there are an error that names the values, with advice that fits', async () => {
    const { store, say } = reviewed();
    const { served, environment } = await langfuse();
    await sendReviewScores(environment, loadSnapshot(store, 'pilot'));
    say(0, 'kind', null, 'a');
    say(0, 'good', 'safety', 1);
    vi.spyOn(served.store.scores, 'merge').mockReturnValue();
    const error: unknown = await sendReviewScores(environment, loadSnapshot(store, 'pilot'), 0).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({
      message: expect.stringMatching(
        /took 8 scores, but 2 differ there: review_good\.safety of case "1" \("Asha"\): 4 there, 1 here; review_kind of case "1" \("Asha"\): "b" there, "a" here$/,
      ),
      next: expect.stringMatching(/^it may still show earlier answers: export again in a minute/),
    });
    expect(error).not.toMatchObject({ next: expect.stringContaining('score configs') });
  });

  it('that do not arrive are an error', async () => {
    const { store } = reviewed();
    const { served, environment } = await langfuse();
    vi.spyOn(served.store.scores, 'merge').mockReturnValue();
    await expect(sendReviewScores(environment, loadSnapshot(store, 'pilot'), 0)).rejects.toMatchObject({
      message: expect.stringContaining('took 8 scores, but 8 are not there'),
      next: expect.stringContaining('compare the score configs'),
    });
  });
});

describe('names of scores', () => {
  it('are short enough for a config, and still one for each question', () => {
    const long = 'a'.repeat(64);
    expect(scoreName('kind', null)).toBe('review_kind');
    expect(scoreName(long, 'b')).toMatch(/^review_a{21}_[0-9a-f]{6}$/);
    expect(scoreName(long, 'b')).not.toBe(scoreName(long, 'c'));
  });
});
