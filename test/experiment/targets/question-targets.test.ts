import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { folderWith } from '../../recipe/recipe-files.ts';
import { completion } from '../models/model-server.ts';
import { ask, failure, item, openWithModel, sentTo } from './open-here.ts';

describe('the vanilla model', () => {
  it.each([
    [{ scenario: 'I sleep badly.', ground_truth_prakriti: 'Vata' }],
    [{ question: 'I sleep badly.', text: 'not this' }],
    ['I sleep badly.'],
  ])('is asked what the input asks: %j', async (input) => {
    const { target, server } = await openWithModel([completion('Rest.')], { use: 'vanilla' });
    expect(await ask(target, item(input))).toMatchObject({
      output: { response: 'Rest.' },
      passages: null,
      raw: 'Rest.',
    });
    expect(sentTo(server)[1]).toEqual({ role: 'user', content: 'I sleep badly.' });
    expect(JSON.stringify(server.requests[0]!.body)).not.toContain('Vata');
    expect(server.requests[0]!.body).not.toHaveProperty('response_format');
  });

  it('fails where nothing is asked, and where nothing is answered', async () => {
    const { target, server } = await openWithModel([completion(' ')], { use: 'vanilla' });
    expect(await failure(ask(target, item({ note: 'x' })))).toMatchObject({ kind: 'request' });
    expect(server.requests).toHaveLength(0);
    expect(await failure(ask(target, item('x')))).toMatchObject({ kind: 'schema' });
  });
});

const TEXTS = {
  'texts/charaka/sleep.md': 'Warm milk before bed brings sleep. Oil on the feet calms vata.',
  'texts/food.txt': 'Ginger kindles the fire of digestion. Avoid cold milk at night.',
  'texts/hindi.txt': 'वात दोष में नींद कम आती है।',
  'texts/notes.pdf': 'sleep sleep sleep',
};
const RAG = { use: 'rag', folder: './texts', size: 6, overlap: 0, passages: 2 };

describe('the model with passages', () => {
  it('is given the passages that fit best, and they are recorded with the answer', async () => {
    const folder = folderWith(TEXTS);
    const { target, server } = await openWithModel([completion('Drink warm milk [1].')], RAG, { folder });
    const answer = await ask(target, item({ scenario: 'What brings sleep before bed?' }));
    const [first, second] = answer.passages ?? [];
    expect(first).toMatchObject({
      id: 'charaka/sleep.md#1',
      text: 'Warm milk before bed brings sleep.',
      source: 'charaka/sleep.md',
    });
    // Six passages of 6, 6, 6, 5, 6 and 1 words, 5 in the mean. This one alone has four of the words, once each:
    // ln(1 + 5.5 / 1.5) = ln(14 / 3) for each, over 1 + 1.2 · (0.25 + 0.75 · 6 / 5) = 2.38.
    expect(first?.score).toBeCloseTo((4 * Math.log(14 / 3)) / 2.38, 12);
    expect(second).toBeUndefined();
    expect(answer.output).toEqual({
      response: 'Drink warm milk [1].',
      retrieved_context: ['Warm milk before bed brings sleep.'],
      sources: ['charaka/sleep.md'],
    });
    expect(sentTo(server)[1]?.content).toBe(
      'Passages:\n\n[1] charaka/sleep.md#1\nWarm milk before bed brings sleep.\n\nQuestion: What brings sleep before bed?',
    );
  });

  it('gives no more passages than it may, and finds Hindi', async () => {
    const folder = folderWith(TEXTS);
    const { target } = await openWithModel([completion('ok')], { ...RAG, passages: 1 }, { folder });
    expect((await ask(target, item('milk'))).passages).toHaveLength(1);
    expect((await ask(target, item('नींद क्यों नहीं आती?'))).passages).toMatchObject([{ source: 'hindi.txt' }]);
  });

  it('says so where no passage fits', async () => {
    const folder = folderWith(TEXTS);
    const { target, server } = await openWithModel([completion('I do not know.')], RAG, { folder });
    const { output, passages } = await ask(target, item('zebra'));
    expect(passages).toEqual([]);
    expect(output).toEqual({ response: 'I do not know.', retrieved_context: [], sources: [] });
    expect(sentTo(server)[1]?.content).toContain('(none was found)');
  });

  it('is another target with other texts, wherever the folder lies', async () => {
    const opened = async (files: Record<string, string>): Promise<unknown> =>
      (await openWithModel([], RAG, { folder: folderWith(files) })).target.identity['corpus'];
    expect(await opened(TEXTS)).toBe(await opened(TEXTS));
    expect(await opened({ ...TEXTS, 'texts/food.txt': 'Other.' })).not.toBe(await opened(TEXTS));
    expect(await opened({ ...TEXTS, 'texts/notes.pdf': 'other' })).toBe(await opened(TEXTS));
  });

  it('follows no link, and reads no text that is none', async () => {
    const folder = folderWith({ 'texts/a.txt': 'inside', 'secret/s.txt': 'zebra stripes' });
    symlinkSync(join(folder, 'secret'), join(folder, 'texts', 'link'));
    symlinkSync(join(folder, 'secret', 's.txt'), join(folder, 'texts', 's.txt'));
    const { target } = await openWithModel([completion('ok')], RAG, { folder });
    expect((await ask(target, item('zebra'))).passages).toEqual([]);
    writeFileSync(join(folder, 'texts', 'latin.txt'), Buffer.from([0x63, 0x61, 0x66, 0xe9]));
    await expect(openWithModel([], RAG, { folder })).rejects.toThrow('it is not UTF-8 text');
  });

  it('is refused without texts, and without a place for passages in its prompt', async () => {
    const folder = folderWith({ 'texts/x.pdf': 'x', 'file.txt': 'x' });
    await expect(openWithModel([], RAG, { folder })).rejects.toThrow('./texts holds no text');
    await expect(openWithModel([], { ...RAG, folder: 'nowhere' }, { folder })).rejects.toThrow(
      /cannot read the folder nowhere/,
    );
    await expect(openWithModel([], { ...RAG, folder: 'file.txt' }, { folder })).rejects.toThrow('is a file');
    await expect(openWithModel([], { ...RAG, prompt: '{{ question }}' }, { folder })).rejects.toThrow(
      'no {{ passages }}',
    );
  });
});
