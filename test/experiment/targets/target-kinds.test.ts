import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { sha256Of } from '../../../src/data/sha256-of.ts';
import { sortedJson } from '../../../src/data/sorted-json.ts';
import { schemaProblems } from '../../../src/prepare/schema-problems.ts';
import { promptOf } from '../../../src/experiment/targets/prompt.ts';
import { targetKind, targetSchema } from '../../../src/experiment/targets/target-kinds.ts';
import { openHere } from './open-here.ts';

function problems(value: unknown): string[] {
  const { error } = targetSchema.safeParse(value);
  return error === undefined
    ? []
    : schemaProblems(targetSchema, value, error, []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('the target of an experiment', () => {
  it('is filled with what is usual', () => {
    expect(targetSchema.parse({ use: 'rag', model: 'm', folder: 'texts' })).toEqual({
      use: 'rag',
      model: 'm',
      folder: 'texts',
      temperature: 0,
      passages: 5,
      size: 200,
      overlap: 40,
      k1: 1.2,
      b: 0.75,
    });
    expect(targetSchema.parse({ use: 'command', command: 'cat' })).toMatchObject({ processes: 1, parallel: 1 });
    expect(targetSchema.parse({ use: 'http', url: 'http://x' })).toMatchObject({
      method: 'POST',
      allow: 'loopback',
      headers: {},
    });
    expect(targetSchema.parse({ use: 'graph-extractor', model: 'm', temperature: null })).toMatchObject({
      temperature: null,
      answerFormat: 'schema',
    });
  });

  it('says what is wrong, where', () => {
    expect(problems({ use: 'modle' })).toEqual([
      'use: expected one of model, http, command, module, recorded, journal-extractor, graph-extractor, vanilla, rag, found "modle": did you mean model or module?',
    ]);
    expect(problems({ use: 'model' })).toEqual(['model: expected text, found nothing']);
    expect(problems({ use: 'vanilla', model: 'm', folder: 'x' })).toEqual([
      'folder: there is no setting called folder',
    ]);
    expect(problems({ use: 'rag', model: 'm', folder: 'x', size: 5, overlap: 5 })).toEqual([
      'overlap: expected less than size: each passage has to bring new words',
    ]);
    expect(problems({ use: 'http', url: 'http://x', output: 'answer' })).toEqual([
      'output: expected a JSON pointer such as /answer/text',
    ]);
    expect(problems({ use: 'model', model: 'm', prompt: { name: 'p', label: 'l', version: 1 } })).toEqual([
      'prompt: expected a label or a version, not both',
    ]);
  });

  it('suggests the target that another word stands for', () => {
    const said = (target: unknown): string | undefined => /(?:, found .*)?$/.exec(problems(target)[0] ?? '')?.[0];
    expect(said({ use: 'program', command: 'cat' })).toBe(', found "program": did you mean command?');
    expect(said({ use: 'constructor' })).toBe(', found "constructor"');
    expect(said({ use: 3 })).toBe(', found 3');
    expect(said({})).toBe('');
  });

  it('has a command that can be started', () => {
    expect(problems({ use: 'command', command: [''] })).not.toEqual([]);
    expect(problems({ use: 'command', command: ['  ', 'x'] })).not.toEqual([]);
    expect(problems({ use: 'command', command: ['a\0b'] })).not.toEqual([]);
    expect(problems({ use: 'command', command: ['a', 'b\0'] })).not.toEqual([]);
    expect(problems({ use: 'command', command: 'a\0b' })).not.toEqual([]);
    expect(problems({ use: 'command', command: 'a', cwd: 'b\0' })).toEqual([
      'cwd: expected text without a NUL character',
    ]);
    expect(problems({ use: 'command', command: ['a', ''] })).toEqual([]);
  });

  it('can be told as JSON Schema', () => {
    expect(z.toJSONSchema(targetSchema, { io: 'input' })).toHaveProperty('oneOf');
  });

  it('names the stored prompt that it needs, and how it is usually called', () => {
    const named = targetSchema.parse({ use: 'model', model: 'm', prompt: { name: 'p', label: 'staging' } });
    expect(promptOf(named)).toEqual({ name: 'p', label: 'staging' });
    for (const prompt of ['inline', { text: 'inline' }, { file: 'p.txt' }])
      expect(promptOf(targetSchema.parse({ use: 'model', model: 'm', prompt }))).toBeNull();
    expect(promptOf(targetSchema.parse({ use: 'command', command: 'cat' }))).toBeNull();
    expect(
      ['model', 'graph-extractor', 'journal-extractor', 'vanilla', 'rag', 'http'].map(
        (use) => targetKind(use)?.promptName,
      ),
    ).toEqual(['extraction', 'graph-extraction', 'journal-extraction', 'advice', 'advice-with-passages', undefined]);
  });
});

describe('what identifies a target', () => {
  // Answers are cached under it, so that a word of a prompt that changes is paid for by everybody.
  it.each([
    ['model', 'sha256:4e4ef8659'],
    ['graph-extractor', 'sha256:2692232eb'],
    ['journal-extractor', 'sha256:14b41defb'],
    ['vanilla', 'sha256:e7335e359'],
  ])('stays the same for the prompt that comes with Assay: %s', async (use, hash) => {
    const environment = { OPENAI_BASE_URL: 'http://localhost:9/v1' };
    const { identity } = await openHere({ use, model: 'openai-compatible/test' }, { environment });
    expect(sha256Of(sortedJson(identity)).slice(0, 16)).toBe(hash);
  });
});
