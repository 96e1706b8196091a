import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { judgeFigures } from '../../src/review/judge-agreement.ts';
import { reviewLines } from '../../src/review/review-lines.ts';
import { loadSnapshot } from '../../src/review/snapshot.ts';
import { startBatchServer } from '../experiment/batch/batch-server.ts';
import { soundAnswer } from '../review/judge/judge-server.ts';
import { inStore, judge, judgeReview, judging, KEY, reviewFolder, snapshotOf } from '../review/judge/judging.ts';
import { temporaryFolder } from './run-assay.ts';

describe('assay review judge', () => {
  it('asks every question of every item it is for, and keeps the answers apart from people’s', async () => {
    const { folder, server, ask } = await judging(soundAnswer);
    const { stdout, stderr, error } = await ask('--yes');
    expect(error).toBeNull();
    // plant of 2 cases; safety, contents and claims of 2 answers.
    expect(stderr).toMatch(/^8 calls to openai-compatible\/test, about \d[\d,]* tokens to read, on 4 items\.\n/);
    expect(stdout).toContain('8 questions answered, 0 failures\n');
    expect(server.calls).toHaveLength(8);

    const snapshot = snapshotOf(folder);
    expect(snapshot.judgements).toHaveLength(2 + 2 * (2 + 2 + 1));
    expect(snapshot.judgements.find(({ field, part }) => field === 'safety' && part === 'dose')).toMatchObject({
      value: 2,
      reason: 'The answer says so.',
      model: 'openai-compatible/test',
      judge: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    });
    expect(snapshot.judgements.find(({ field }) => field === 'claims')?.value).toMatchObject([
      { id: 'c1', label: 'yes', text: 'Water it daily.', note: 'The question asks for it.' },
      { id: 'c2', label: 'no' },
    ]);
    expect(snapshot.states).toEqual([]);
    expect(reviewLines(snapshot)).toEqual([]);
  });

  it('shows the model what a reviewer sees and nothing else', async () => {
    const { server, ask } = await judging(soundAnswer);
    await ask('--yes');
    for (const { text } of server.calls) {
      expect(text).toContain('What ails my plant');
      expect(text).toContain('Judge each answer by itself.');
      expect(text).not.toMatch(/Secret|case-of-gold|answer-1|pilot|Asha/);
    }
    const claims = server.calls.find(({ text }) => text.includes('Is each claim supported?'));
    expect(claims?.text).toContain('c1: "Water it daily."');
    expect(claims?.schema).toMatchObject({ properties: { things: {} } });
    const plant = server.calls.find(({ text }) => text.includes('Which plant?'));
    expect(plant?.text).not.toContain('Water it daily');
  });

  it('warns before the trial of another model, on one item too, ends the figure of the first', async () => {
    const { folder, ask } = await judging(soundAnswer);
    await ask('--yes --field claims,safety');
    const trial = '--model openai-compatible/other --field claims,safety --max-items 1';
    const note =
      'Note: the agreement of openai-compatible/test on 2 items (claims, safety) expires with the first answer of another model or prompt.\n';
    const asked = await ask(trial);
    expect(asked.stderr).toContain(note);
    expect(judgeFigures(snapshotOf(folder)).map(({ expired }) => expired)).toEqual([null, null]);
    expect((await ask(`${trial} --yes`)).stderr).toContain(note);
    expect(judgeFigures(snapshotOf(folder)).map(({ field, model, expired }) => [field, model, expired])).toEqual([
      ['safety', 'openai-compatible/other', null],
      ['safety', 'openai-compatible/test', 'the model has changed'],
      ['claims', 'openai-compatible/other', null],
      ['claims', 'openai-compatible/test', 'the model has changed'],
    ]);
  });

  it('asks by a batch, keeps the same answers, and asks again what a batch answered in vain', async () => {
    const words = (body: unknown): string => JSON.stringify(body).replaceAll('\\n', ' ');
    let isSound = false;
    const answer = (body: unknown): string => {
      const text = words(body);
      const sound = soundAnswer({ text, authorization: '', schema: null });
      return isSound || !text.includes('Is it safe?') ? sound : '{}';
    };
    const server = await startBatchServer({ answer });
    onTestFinished(() => server.close());
    const folder = reviewFolder();
    const batched = () => judge(folder, `${server.url}/v1`, '--yes', '--batch', '--batch-poll', '20ms', '--no-cache');
    const first = await batched();
    expect(first.stdout).toContain('6 questions answered, 2 failures\n');
    expect(first.stderr).toContain('Note: 8 requests submitted as batch_1.\n');
    expect(server.stats()).toMatchObject({ batches: 1, batched: { unknown: 8 }, single: {} });
    isSound = true;
    const second = await batched();
    expect(second.error).toBeNull();
    expect(server.stats()).toMatchObject({ batches: 2, batched: { unknown: 10 }, single: {} });
    const { folder: plain, ask } = await judging(soundAnswer);
    await ask('--yes');
    const kept = (of: string) =>
      snapshotOf(of)
        .judgements.map(({ itemId, field, part, value }) => JSON.stringify([itemId, field, part, value]))
        .toSorted();
    expect(kept(folder)).toEqual(kept(plain));
  });

  it('makes no call before it is told to', async () => {
    const { server, ask } = await judging(soundAnswer);
    const { stderr, error } = await ask('--field claims');
    expect(stderr).toContain('2 calls to openai-compatible/test');
    expect(error).toContain('nothing has been asked');
    expect(server.calls).toHaveLength(0);
  });

  it('asks only what is named, of as many items as it may', async () => {
    const { folder, ask } = await judging(soundAnswer);
    const { stdout } = await ask('--yes --max-items 1 --json --field', 'claims, safety');
    expect(JSON.parse(stdout)).toMatchObject({ review: 'pilot', answered: 2, failures: [], stopped: null });
    expect(new Set(snapshotOf(folder).judgements.map(({ field, itemId }) => `${field} ${itemId}`))).toEqual(
      new Set(['claims answer-1', 'safety answer-1']),
    );
  });

  it('asks nothing again while nothing has changed, and everything for another prompt, which lets the old labels expire', async () => {
    const { folder, server, ask } = await judging(soundAnswer);
    await ask('--yes --field claims');
    const again = await ask('--yes --field claims');
    expect(again.stderr).toContain('Nothing to ask; 2 questions answered before.');
    expect(again.error).toBeNull();
    expect(server.calls).toHaveLength(2);

    const prompt = join(folder, 'strict.txt');
    writeFileSync(prompt, 'Be strict.\n{{ question }}\n{{ material }}\n{{ things }}');
    const strict = await ask('--yes --field claims --prompt', prompt);
    expect(again.stderr).not.toContain('expires');
    expect(strict.stderr).toContain(
      'Note: the agreement of openai-compatible/test on 2 items (claims) expires with the first answer of another model or prompt.',
    );
    expect(server.calls).toHaveLength(4);
    expect(server.calls[3]?.text).toMatch(/^Be strict\.\nQuestion: /);
    const snapshot = snapshotOf(folder);
    expect(new Set(snapshot.judgements.map((one) => one.judge)).size).toBe(2);
    expect(judgeFigures(snapshot).map(({ expired }) => expired)).toEqual([null, 'the prompt has changed']);
  });

  it('takes a prompt of the store by its name, also one without variables', async () => {
    const { folder, server, ask } = await judging(soundAnswer);
    inStore(folder, (store) =>
      store.prompts.create({ name: 'house-rules', type: 'text', prompt: 'Doubt everything.' }),
    );
    await ask('--yes --field claims --max-items 1 --prompt house-rules');
    expect(server.calls[0]?.text).toMatch(/^Doubt everything\.\n\nQuestion: Is each claim supported\?/);
    const { error } = await ask('--yes --prompt hous-rules');
    expect(error).toContain('there is no prompt "hous-rules"');
  });

  it('uses an answer that was paid for in another review', async () => {
    const { folder, server, ask } = await judging(soundAnswer);
    await ask('--yes --field plant');
    inStore(folder, (store) => {
      const { form, items } = loadSnapshot(store, 'pilot');
      store.reviews.create({
        name: 'second',
        seed: 1,
        task: 'consult',
        form,
        origin: {},
        people: [],
        assignments: [],
        items: items.map(({ reviewId: _, ...item }) => ({ ...item, id: `second-${item.id}` })),
      });
    });
    const { stdout } = await judgeReview('second', folder, server.url, '--field', 'plant', '--yes');
    expect(stdout).toContain('2 questions answered, 2 of them without a call');
    expect(server.calls).toHaveLength(2);
  });
});

describe('answers that cannot be used', () => {
  const broken: Readonly<Record<string, [string, RegExp]>> = {
    'no JSON': ['I think it is fine.', /cannot be used: .*JSON/],
    'half a JSON': ['{"things": [{"id": "c1"', /cannot be used/],
    'a label that is not on the list': [
      '{"things":[{"id":"c1","reason":"","label":"maybe"},{"id":"c2","reason":"","label":"no"}]}',
      /allowed values \(yes, no\)/,
    ],
    'a thing left out': ['{"things":[{"id":"c1","reason":"","label":"yes"}]}', /1 of 2 have no label/],
    'a thing that nobody asked about': [
      '{"things":[{"id":"c7","reason":"","label":"yes"},{"id":"c2","reason":"","label":"no"}]}',
      /nothing with the id "c7"/,
    ],
    'prototype keys': ['{"__proto__":{"things":[]},"constructor":1}', /cannot be used/],
    nothing: ['', /cannot be used|empty|no answer/],
  };

  it.each(Object.entries(broken))(
    'are failures, shown and counted, and nothing is kept: %s',
    async (_, [content, why]) => {
      const { folder, ask } = await judging(() => content);
      const { stdout, error, next } = await ask('--yes --field claims --max-items 1');
      expect(next).toBe('try another model or another prompt');
      expect(stdout).toContain('0 questions answered, 1 failure\n');
      expect(stdout.replaceAll(/\n {4}/g, ' ')).toMatch(why);
      expect(error).toContain('none of 1 answer can be used');
      expect(snapshotOf(folder).judgements).toEqual([]);
    },
  );

  it('do not cost the others theirs, and are asked again by the same command', async () => {
    const { folder, server, ask } = await judging((call) =>
      call.text.includes('plant 1') ? 'no idea' : soundAnswer(call),
    );
    const first = await ask('--yes --field claims');
    expect(first.error).toBeNull();
    expect(first.stdout).toContain('1 question answered, 1 failure\n');
    expect(first.stdout).toContain('answer-1, claims: ');
    server.answer = soundAnswer;
    const second = await ask('--yes --field claims');
    expect(second.stderr).toContain('1 call to');
    expect(snapshotOf(folder).judgements).toHaveLength(2);
  });

  it('with terminal codes and endless words are shown harmless and short', async () => {
    const evil = `{"things":[{"id":"\\u001b[31m${'x'.repeat(5000)}","reason":"","label":"yes"}]}`;
    const { ask } = await judging(() => evil);
    const { stdout } = await ask('--yes --field claims --max-items 1');
    expect(stdout).not.toContain('\u001b');
    expect(stdout.length).toBeLessThan(2000);
  });
});

describe('what goes wrong', () => {
  it('never shows or keeps the key, also where the server sends it back', async () => {
    const { folder, server, ask } = await judging((call) => {
      const reason = `you sent ${call.authorization}`;
      return JSON.stringify({ answer: { reason, value: 'rose' } });
    });
    const good = await ask('--yes --field plant');
    expect(server.calls[0]?.authorization).toContain(KEY);
    server.answer = (call) => `not JSON: ${call.authorization}`;
    const bad = await ask('--yes --field claims');
    expect(JSON.stringify([good, bad])).not.toContain(KEY);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) expect(readFileSync(join(file.parentPath, file.name)).includes(KEY)).toBe(false);
    expect(snapshotOf(folder).judgements[0]?.reason).toBe('you sent Bearer [key]');
  });

  it('is said at once where no call can succeed', async () => {
    const { server, ask } = await judging(() => 401);
    const { error, next } = await ask('--yes --concurrency 1');
    expect(error).toContain('no call can succeed');
    expect(server.calls).toHaveLength(1);
    expect(next).toBe('check the key, the name of the model and --base-url; the same command goes on');
  });

  it('is told with what there is: an unknown review, question, model', async () => {
    const folder = reviewFolder();
    const url = 'http://127.0.0.1:9/v1';
    expect((await judge(folder, url, '--field', 'claim', '--yes')).error).toContain('--field "claim"');
    expect((await judge(folder, url, '--field', 'comment', '--yes')).error).toContain('comment');
    expect((await judge(folder, url, '--temperature', 'hot', '--yes')).error).toContain('--temperature hot');
    expect((await judge(temporaryFolder(), url, '--yes')).error).toContain('there is no review');
  });

  it('ends at the budget of tokens, says so, and goes on with a larger one', async () => {
    const { server, ask } = await judging(soundAnswer);
    const first = await ask('--yes --max-tokens 200 --concurrency 1');
    expect(first.stdout).toContain('2 questions answered');
    expect(first.stdout).toContain('Not everything was asked: the budget of 200 tokens is used up');
    const second = await ask('--yes');
    expect(second.stdout).toContain('6 questions answered');
    expect(server.calls).toHaveLength(8);
  });
});
