import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, describe, expect, it } from 'vitest';

import type { Backend } from '../../../src/experiment/backend.ts';
import { copyPrompt } from '../../../src/experiment/datasets/copies.ts';
import { localBackend } from '../../../src/experiment/local-backend.ts';

const folders: string[] = [];
const opened: Backend[] = [];

afterEach(async () => {
  for (const backend of opened.splice(0)) await backend.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function local(): Backend {
  const folder = mkdtempSync(join(tmpdir(), 'assay-copy-'));
  folders.push(folder);
  const backend = localBackend(folder);
  opened.push(backend);
  return backend;
}

async function twoVersions(): Promise<Backend> {
  const backend = local();
  const config = { temperature: 0 };
  await backend.savePrompt({
    name: 'extract',
    type: 'text',
    prompt: 'one',
    config,
    labels: ['production'],
    tags: ['a'],
  });
  await backend.savePrompt({ name: 'extract', type: 'text', prompt: 'two', labels: ['staging'] });
  return backend;
}

describe('a copy of a prompt', () => {
  it('is the version in production unless another is asked for, with labels, config and tags', async () => {
    const [from, to] = [await twoVersions(), local()];
    expect(await copyPrompt(from, to, 'extract')).toEqual({
      name: 'extract',
      from: 1,
      version: 1,
      made: true,
      labels: ['production'],
    });
    expect(await to.prompt('extract')).toMatchObject({ prompt: 'one', config: { temperature: 0 }, tags: ['a'] });
    expect(await copyPrompt(from, to, 'extract', { label: 'staging' })).toMatchObject({
      from: 2,
      version: 2,
      made: true,
    });
    expect(await to.prompt('extract', { label: 'staging' })).toMatchObject({ version: 2, prompt: 'two' });
  });

  it('is not made twice, and gets labels that are new', async () => {
    const [from, to] = [await twoVersions(), local()];
    await to.savePrompt({ name: 'extract', type: 'text', prompt: 'something else', labels: ['production'] });
    await copyPrompt(from, to, 'extract', { version: 1 });
    expect(await copyPrompt(from, to, 'extract', { version: 1 })).toEqual({
      name: 'extract',
      from: 1,
      version: 2,
      made: false,
      labels: [],
    });
    await from.labelPrompt('extract', 1, ['checked']);
    expect(await copyPrompt(from, to, 'extract')).toMatchObject({ made: false, labels: ['checked'] });
    const found = await to.prompt('extract', { label: 'checked' });
    expect(found).toMatchObject({ version: 2 });
    expect(found!.labels.toSorted()).toEqual(['checked', 'latest', 'production']);
  });

  it('may be a chat', async () => {
    const [from, to] = [local(), local()];
    const prompt = [
      { role: 'system', content: 'Read {{language}}.' },
      { type: 'placeholder', name: 'history' },
    ] as const;
    await from.savePrompt({ name: 'chat', type: 'chat', prompt, labels: ['production'] });
    await copyPrompt(from, to, 'chat');
    expect(await to.prompt('chat')).toMatchObject({ type: 'chat', prompt });
    expect(await copyPrompt(from, to, 'chat')).toMatchObject({ made: false });
  });

  it('is refused where there is nothing to copy', async () => {
    const [from, to] = [await twoVersions(), local()];
    await expect(copyPrompt(from, to, 'nobody')).rejects.toThrow(
      `there is no prompt "nobody" with the label "production" in ${from.place}`,
    );
    await expect(copyPrompt(from, to, 'extract', { version: 9 })).rejects.toThrow('of version 9 in');
  });
});
