import { symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { folderWith } from '../../recipe/recipe-files.ts';
import { ask, failure, item, openHere } from './open-here.ts';

const MODULE = `
export default async ({ id, input, metadata, repeat }: { id: string; input: any; metadata: unknown; repeat: number }) =>
  ({ id, length: input.text.length, metadata, repeat });
export const rich = () => ({ output: ['x'], usage: { inputTokens: 2, outputTokens: 3, cost: 0.1 }, passages: ['p'] });
export const fails = () => { throw new RangeError('no such \\u001b[2J thing'); };
export const nan = () => ({ score: NaN });
export const nothing = () => undefined;
export const cyclic = () => { const a: any = {}; a.a = a; return a; };
export const deep = () => { let a: unknown = 1; for (let i = 0; i < 300; i += 1) a = [a]; return a; };
export const big = () => ({ n: 10n });
export const late = (_: unknown, { signal }: { signal: AbortSignal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
export const deaf = () => new Promise(() => undefined);
export const leaks = (_: unknown, { environment }: any) => ({ said: environment.OPENAI_API_KEY, home: environment.HOME_TOWN });
export const throwsKey = (_: unknown, { environment }: any) => { throw new Error('bad key ' + environment.OPENAI_API_KEY); };
export const number = 3;
`;

async function opened(name: string, timeoutMs = 20_000) {
  const folder = folderWith({ 'lib/extract.ts': MODULE });
  const environment = { OPENAI_API_KEY: 'sk-0123456789', HOME_TOWN: 'Bergfjord' };
  return openHere({ use: 'module', module: `./lib/extract.ts${name}` }, { folder, environment, timeoutMs });
}

describe('a function as a target', () => {
  it('gets the item and returns the output', async () => {
    const target = await opened('');
    const given = { id: 'i1', input: { text: 'abc' }, metadata: { a: 1 }, repeat: 2 };
    expect(await ask(target, given)).toMatchObject({
      output: { id: 'i1', length: 3, metadata: { a: 1 }, repeat: 2 },
      usage: null,
      passages: null,
      raw: null,
    });
    expect(target).toMatchObject({ kind: 'module', model: null, cacheable: false });
    expect(JSON.parse((await target.preview(given)) ?? '')).toEqual(given);
  });

  it('may return usage and passages with the output', async () => {
    expect(await ask(await opened('#rich'), item('x'))).toMatchObject({
      output: ['x'],
      usage: { inputTokens: 2, outputTokens: 3, cost: 0.1 },
      passages: [{ id: '1', text: 'p', score: null, source: null }],
    });
  });

  it.each([
    ['#fails', 'RangeError: no such \\u001b[2J thing'],
    ['#nan', 'the function: the output is not JSON (score is NaN)'],
    ['#nothing', 'the function: there is no output (undefined)'],
    ['#cyclic', 'the function: the output is not JSON (Converting circular structure to JSON)'],
    ['#deep', 'the function: the output is not JSON: it is nested more than 200 levels deep'],
    ['#big', 'the function: the output is not JSON (Do not know how to serialize a BigInt)'],
  ])('%s fails the item', async (name, message) => {
    expect(await failure(ask(await opened(name), item('x')))).toMatchObject({ kind: 'program', message });
  });

  it('is given up in time, whether it listens or not', async () => {
    for (const name of ['#late', '#deaf']) {
      expect(await failure(ask(await opened(name, 40), item('x')))).toMatchObject({ kind: 'timeout' });
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 30);
      expect(await failure(ask(await opened(name), item('x'), controller.signal))).toMatchObject({ kind: 'aborted' });
    }
  });

  it('gets the environment, and cannot make a key of it appear', async () => {
    expect((await ask(await opened('#leaks'), item('x'))).output).toEqual({ said: '[key]', home: 'Bergfjord' });
    expect((await failure(ask(await opened('#throwsKey'), item('x')))).message).toBe('Error: bad key [key]');
  });

  it('is identified by its text', async () => {
    const identity = async (text: string): Promise<unknown> =>
      (await openHere({ use: 'module', module: 'm.mjs' }, { folder: folderWith({ 'm.mjs': text }) })).identity;
    const text = 'export default () => 1;';
    expect(await identity(text)).toEqual(await identity(text));
    expect(await identity(text)).not.toEqual(await identity('export default () => 2;'));
    expect(JSON.stringify(await identity(text))).not.toContain(tmpdir());
  });

  it('must lie in or below the folder of the experiment', async () => {
    const outside = folderWith({ 'm.mjs': 'export default () => 1;' });
    const folder = folderWith({ 'sub/x.txt': '' });
    symlinkSync(join(outside, 'm.mjs'), join(folder, 'link.mjs'));
    for (const module of [
      '../m.mjs',
      join(outside, 'm.mjs'),
      'link.mjs',
      'node:fs',
      'https://example.org/m.mjs',
      'data:text/javascript,1',
    ])
      await expect(openHere({ use: 'module', module }, { folder })).rejects.toThrow('must lie in or below');
  });

  it('has to be there, to load and to be a function', async () => {
    await expect(opened('#number')).rejects.toThrow('exports no function called number');
    await expect(opened('#none')).rejects.toThrow('exports no function called none');
    const folder = folderWith({ 'bad.mjs': 'export default (' });
    await expect(openHere({ use: 'module', module: 'bad.mjs' }, { folder })).rejects.toThrow(
      'the module does not load',
    );
    await expect(openHere({ use: 'module', module: 'gone.mjs' }, { folder })).rejects.toThrow(
      'cannot read gone.mjs (ENOENT)',
    );
  });
});
