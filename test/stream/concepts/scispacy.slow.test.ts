import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { scispacyExtractor, type ScispacyOptions } from '../../../src/stream/concepts/scispacy.ts';

const FAKE = join(import.meta.dirname, 'fake-scispacy.ts');

async function open(behaviour = 'good', options: ScispacyOptions = {}) {
  const extractor = await scispacyExtractor({ command: [process.execPath, FAKE, behaviour], ...options });
  onTestFinished(() => extractor.close?.());
  return extractor;
}

describe('scispacyExtractor', () => {
  it('takes candidates at the threshold and above, each id once, upper case, in order', async () => {
    const extractor = await open();
    // 0.69 is below 0.7, and "it" is shorter than 3 characters.
    expect(await extractor.extract('Ataxia: it is the brain, not ataxia alone.')).toEqual([
      'C0000002',
      'C0000003',
      'C0004134',
      'C0006104',
    ]);
    expect(await extractor.extract('')).toEqual([]);
  });

  it('answers questions that are asked at the same time, each its own', async () => {
    const extractor = await open('good', { maxK: 1 });
    const texts = ['ataxia', 'brain', '', 'brain and ataxia'];
    expect(await Promise.all(texts.map((text) => extractor.extract(text)))).toEqual([
      ['C0004134'],
      ['C0006104'],
      [],
      ['C0004134', 'C0006104'],
    ]);
  });

  it('filters, sorts, cuts to max_k and only then applies the stoplist', async () => {
    const stoplist = { concepts: new Set(['C0004134']), surfaces: new Set(['brain']) };
    const extractor = await open('good', { maxK: 2, stoplist });
    // The stopped concept keeps its place among the best two: C0000002 does not come in for it.
    expect(await extractor.extract('ataxia of the Brain')).toEqual(['C0000003']);
    expect(await extractor.explain('ataxia of the Brain')).toEqual([
      {
        surface: 'ataxia',
        lookedUp: null,
        start: 0,
        end: 6,
        dropped: null,
        candidates: [
          { id: 'C0004134', name: null, alias: null, score: 1, dropped: 'stoplist' },
          { id: 'C0000003', name: null, alias: null, score: 0.71, dropped: null },
          { id: 'C0000002', name: null, alias: null, score: 0.7, dropped: 'not among the best' },
          { id: 'C0000001', name: null, alias: null, score: 0.69, dropped: 'below threshold' },
        ],
      },
      { surface: 'Brain', lookedUp: null, start: 14, end: 19, dropped: 'stoplist', candidates: [] },
    ]);
    expect(extractor.identity.stoplist).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('names model, versions and knowledge base, and what scispaCy was told', async () => {
    const { identity } = await open('good', { threshold: 0.8, kbVersion: '2023AB' });
    expect(identity).toEqual({
      name: 'scispacy',
      version: '0.5.4',
      settings: {
        spacy: '3.7.4',
        model: 'en_core_sci_sm',
        model_version: '0.5.4',
        linker: 'umls',
        kb_version: '2023AB',
        kb_concepts: 2,
        resolve_abbreviations: true,
        linker_threshold: 0.7,
        linker_max_entities: 10,
        extractor_hash: null,
        packages: null,
        threshold: 0.8,
        max_k: 10,
        min_entity_length: 3,
      },
      knowledgeBase: `sha256:${'ab'.repeat(32)}`,
      stoplist: null,
    });
  });

  it('gives the surface forms that are long enough, lower case, each once', async () => {
    const extractor = await open();
    expect(await extractor.surfaces('It: ataxia, Ataxia, brain')).toEqual(['ataxia', 'brain']);
  });

  it('goes on after a text that fails', async () => {
    const extractor = await open();
    await expect(extractor.extract('boom')).rejects.toThrow(/failed on a text: ValueError: boom/);
    expect(await extractor.extract('brain')).toEqual(['C0006104']);
  });

  it.each([
    ['dies-at-once', /ended with exit code 3\nIts last words:\n  ModuleNotFoundError/],
    ['not-ready', /cannot start: OSError: Can't find model/],
    ['chatters', /expected \{"ready":true,…\} as its first line, found "Loading the model/],
  ])('says why a process that %s cannot be used', async (behaviour, message) => {
    await expect(open(behaviour)).rejects.toThrow(message);
  });

  it('says that a program is not there', async () => {
    const opening = scispacyExtractor({ command: ['/nowhere/python3'] });
    await expect(opening).rejects.toThrow(/\/nowhere\/python3 .*cannot be started \(ENOENT\)/);
  });

  it('does not wait for ever for a start or an answer', async () => {
    await expect(open('never-ready', { startSeconds: 0.4 })).rejects.toThrow('did not get ready within 0.4 seconds');
    const silent = await open('silent', { answerSeconds: 0.4 });
    await expect(silent.extract('ataxia')).rejects.toThrow('did not answer within 0.4 seconds');
  });

  it('tells of a process that dies between two questions, with its last words made harmless', async () => {
    const extractor = await open('dies');
    expect(await extractor.extract('brain')).toEqual(['C0006104']);
    await expect(extractor.extract('ataxia')).rejects.toThrow(
      /ended with exit code 9\nIts last words:\n  \\u001b\[31mout/,
    );
    await expect(extractor.extract('ataxia again')).rejects.toThrow(/ended with exit code 9/);
  });

  it.each([
    ['garbage', /a bad answer: it is not JSON; found "not an answer\\u001b\[2J"/],
    ['other-bytes', /a line of its output is too long, or not UTF-8/],
    ['wrong-id', /expected the id 1, found 2/],
    ['bad-score', /a bad answer: mentions\.0\.candidates\.0\.1/],
  ])('refuses %s as an answer', async (behaviour, message) => {
    const extractor = await open(behaviour);
    await expect(extractor.extract('ataxia')).rejects.toThrow(message);
  });
});
