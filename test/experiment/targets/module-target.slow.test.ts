import { spawnSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { describe, expect, it } from 'vitest';

import { UsageError } from '../../../src/data/problems.ts';
import { startModule } from '../../../src/experiment/targets/module-target.ts';
import { findModule } from '../../../src/recipe/user-module.ts';
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
export const loading = () => ({ error: 'Model is loading', estimated_time: 20 });
export const big = () => ({ n: 10n });
export const late = (_: unknown, { signal }: { signal: AbortSignal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
export const deaf = () => new Promise(() => undefined);
export const leaks = (_: unknown, { environment }: any) => ({ said: environment.OPENAI_API_KEY, home: environment.HOME_TOWN });
export const throwsKey = (_: unknown, { environment }: any) => { throw new Error('bad key ' + environment.OPENAI_API_KEY); };
export const number = 3;
export const exits = ({ id }: any) => {
  if (id === 'slow') return new Promise(() => undefined);
  if (id !== 'bad') return id;
  console.error('no licence');
  process.exit(0);
};
export const rejects = ({ id }: any) => { if (id === 'bad') Promise.reject(new Error('of nobody')); return new Promise((done) => setTimeout(done, 50, id)); };
export const loops = ({ id }: any) => { if (id === 'bad') for (;;); return id; };
export const prints = () => { console.log('hello from the module'); console.error('and again'); return 1; };
export const slow = ({ id }: any) => new Promise((done) => setTimeout(done, 700, id));
export const hears = (_: unknown, { signal }: { signal: AbortSignal }) =>
  new Promise((done) => { (globalThis as any).heard ? done((globalThis as any).heard)
    : signal.addEventListener('abort', () => { (globalThis as any).heard = signal.reason.kind; }); });
export const forges = async () => {
  const { writeSync } = await import('node:fs');
  for (const one of ['', 3, { kind: 'answer', id: 3 }, { kind: 'answer', id: '999', text: '1' }]) writeSync(1, JSON.stringify(one) + '\\n');
  return 'own';
};
export const hides = (_: unknown, { environment }: any) => { const it = environment.ODD_TOKEN; return { [it]: [JSON.stringify({ it })], quoted: it }; };
`;

const ODD = 'super"123\\xyz';

async function opened(name: string, timeoutMs = 20_000) {
  const folder = folderWith({ 'lib/extract.ts': MODULE });
  const environment = { OPENAI_API_KEY: 'sk-0123456789', HOME_TOWN: 'Bergfjord', ODD_TOKEN: ODD };
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
    ['#loading', 'Model is loading'],
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

  it('must be in or below the folder of the experiment', async () => {
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
      await expect(openHere({ use: 'module', module }, { folder })).rejects.toThrow('must be in or below');
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

  it('has several items at once', async () => {
    const target = await opened('#slow');
    const start = performance.now();
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((id) => ask(target, item(null, id))));
    expect(answers.map(({ output }) => output)).toEqual(['a', 'b', 'c', 'd']);
    expect(performance.now() - start).toBeLessThan(4 * 700);
  });

  it('hears by its signal that its answer is not wanted any more', async () => {
    const target = await opened('#hears', 60);
    expect((await failure(ask(target, item(null)))).kind).toBe('timeout');
    expect((await ask(target, item(null))).output).toBe('timeout');
  });

  it('that calls process.exit fails the items in hand, with what it last wrote, and is started again', async () => {
    const target = await opened('#exits');
    const other = failure(ask(target, item(null, 'slow')));
    const message = 'the module called process.exit(0) before it answered; it last wrote: no licence';
    expect(await failure(ask(target, item(null, 'bad')))).toMatchObject({ kind: 'program', message });
    expect(await other).toMatchObject({ kind: 'program', message });
    expect((await ask(target, item(null, 'good'))).output).toBe('good');
  });

  it('that ends again and again is not started for ever, and it is told why', async () => {
    const target = await opened('#exits');
    for (let at = 0; at < 10; at += 1) await failure(ask(target, item(null, 'bad')));
    const { kind, message } = await failure(ask(target, item(null, 'good')));
    expect(kind).toBe('access');
    expect(message).toContain('the module failed 10 times in a row without an answer');
    expect(message).toContain('the last time: the module called process.exit(0)');
  });

  it('with a rejection that nobody handles fails the items in hand, and is started again', async () => {
    const target = await opened('#rejects');
    expect(await failure(ask(target, item(null, 'bad')))).toMatchObject({
      kind: 'program',
      message: 'the module failed outside of its calls (Error: of nobody)',
    });
    expect((await ask(target, item(null, 'good'))).output).toBe('good');
  });

  it('in a loop without end is ended when the time of the item is over', async () => {
    const target = await opened('#loops', 200);
    const caught = failure(ask(target, item(null, 'bad')));
    const behind = failure(ask(target, item(null, 'good')));
    expect((await caught).kind).toBe('timeout');
    expect((await behind).kind).toBe('timeout');
    const patient = new AbortController();
    setTimeout(() => patient.abort(), 100);
    const again = await opened('#loops');
    expect((await failure(ask(again, item(null, 'bad'), patient.signal))).kind).toBe('aborted');
    // Not given to the process that is caught, but to the next.
    expect((await ask(again, item(null, 'good'))).output).toBe('good');
  });

  it('in a loop without end is ended by closing the target', async () => {
    const target = await opened('#loops');
    const caught = failure(ask(target, item(null, 'bad')));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await target.close();
    expect((await caught).kind).toBe('aborted');
    expect((await failure(ask(target, item(null, 'good')))).kind).toBe('aborted');
  });

  it('may write what it likes to its standard output, which is no answer', async () => {
    expect((await ask(await opened('#forges'), item(null))).output).toBe('own');
  });

  it('cannot hide a secret in the name of a field, in quotes or in JSON within JSON', async () => {
    const { output } = await ask(await opened('#hides'), item(null));
    expect(output).toEqual({ '[key]': ['{"it":"[key]"}'], quoted: '[key]' });
  });

  it('that is changed meanwhile is not taken for the same one', async () => {
    const folder = folderWith({ 'm.mjs': 'export default () => process.exit(1);' });
    const target = await openHere({ use: 'module', module: 'm.mjs' }, { folder });
    await failure(ask(target, item(null)));
    writeFileSync(join(folder, 'm.mjs'), 'export default () => 1;');
    expect(await failure(ask(target, item(null)))).toMatchObject({
      kind: 'access',
      message: 'the module m.mjs was changed while it was in use',
    });
  });

  it.each([
    ['process.exit(0)', 'process.exit(0);', 'the module does not load (it called process.exit(0))'],
    ['a promise that never settles', 'await new Promise(() => {});', '(its top-level await never ends)'],
    ['a rejection of nobody', "Promise.reject(new Error('lost')); await new Promise((r) => setTimeout(r, 9));", 'lost'],
  ])('is refused where its top level has %s', async (_, top, message) => {
    const folder = folderWith({ 'm.mjs': `${top} export default () => 1;` });
    const error: unknown = await openHere({ use: 'module', module: 'm.mjs' }, { folder }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(UsageError);
    expect(String(error)).toContain(message);
  });

  it.each(['for (;;);', 'await new Promise((done) => setTimeout(done, 60_000));'])(
    'is not loaded for ever: %s',
    async (top) => {
      const folder = folderWith({ 'm.mjs': `${top} export default () => 1;` });
      const found = findModule('m.mjs', folder, { what: 'module', of: 'experiment' });
      const events = { fault: () => undefined, changed: () => undefined };
      const started = startModule('m.mjs', found, { environment: {}, loadingMs: 300 }, events);
      await expect(started.protocol.ready).rejects.toThrow('it was not loaded within 1 s');
    },
  );

  it('prints nothing of its own accord, and does not keep a process alive that has its answer', () => {
    const folder = folderWith({ 'extract.ts': MODULE });
    const source = pathToFileURL(join(import.meta.dirname, '../../../src/experiment/targets/target-kinds.ts')).href;
    const script = `
      const { openTarget } = await import(${JSON.stringify(source)});
      const target = await openTarget({ use: 'module', module: 'extract.ts#prints' },
        { folder: ${JSON.stringify(folder)}, environment: {}, prompt: null, timeoutMs: 20_000 });
      const { output } = await target.answer({ id: 'a', input: null, metadata: null, repeat: 1 }, new AbortController().signal);
      console.log(output);`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      encoding: 'utf8',
      timeout: 30_000,
    });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '1\n', stderr: '' });
  });
});
