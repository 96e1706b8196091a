import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { UsageError } from '../../src/data/problems.ts';
import { AnswerCache, answerKey, CACHE_FILE } from '../../src/experiment/answer-cache.ts';
import type { TargetAnswer } from '../../src/experiment/targets/target.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-answers-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function answer(output: unknown): TargetAnswer {
  return {
    output,
    usage: { inputTokens: 12, outputTokens: null, cost: 0.25 },
    latencyMs: 31,
    passages: [{ id: 'a.txt#1', text: 'Words.', score: 1.5, source: null }],
    raw: '{"x":1}',
  };
}

const IDENTITY = { kind: 'model', model: 'openai/m', temperature: 0, prompt: { text: 'Say {{input}}', version: 2 } };
const GIVEN = { id: 'i1', input: { text: 'Yes', n: [1, 2] }, metadata: { from: 'here' }, repeat: 1 };

describe('answerKey', () => {
  it('is the same for the same, in whatever order it is written', () => {
    const turned = { prompt: { version: 2, text: 'Say {{input}}' }, temperature: 0, model: 'openai/m', kind: 'model' };
    const key = answerKey(IDENTITY, GIVEN);
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(answerKey(turned, { ...GIVEN, input: { n: [1, 2], text: 'Yes' } })).toBe(key);
  });

  it('is another for another target, another input and another repeat', () => {
    const keys = [
      answerKey(IDENTITY, GIVEN),
      answerKey({ ...IDENTITY, temperature: 1 }, GIVEN),
      answerKey({ ...IDENTITY, prompt: { ...IDENTITY.prompt, version: 3 } }, GIVEN),
      answerKey(IDENTITY, { ...GIVEN, input: { text: 'Yes', n: [2, 1] } }),
      answerKey(IDENTITY, { ...GIVEN, input: { text: 'Yes', n: ['1', 2] } }),
      answerKey(IDENTITY, { ...GIVEN, repeat: 2 }),
      answerKey(IDENTITY, { ...GIVEN, input: JSON.parse('{"text":"Yes","n":[1,2],"__proto__":1}') as unknown }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('does not depend on id and metadata', () => {
    const other = { ...GIVEN, id: 'i2', metadata: null };
    expect(answerKey(IDENTITY, other)).toBe(answerKey(IDENTITY, GIVEN));
  });
});

describe('AnswerCache', () => {
  it('keeps answers for the next process', () => {
    const cache = new AnswerCache(join(folder, 'deep', 'down'));
    expect(cache.get('a')).toBeNull();
    cache.put('a', answer({ text: 'ä 😀', none: null }));
    cache.put('b', { output: null, usage: null, latencyMs: 0, passages: null, raw: null });
    cache.put('a', answer({ text: 'newer' }));
    cache.close();
    const again = new AnswerCache(join(folder, 'deep', 'down'));
    expect(again.get('a')).toEqual(answer({ text: 'newer' }));
    expect(again.get('b')).toEqual({ output: null, usage: null, latencyMs: 0, passages: null, raw: null });
    again.close();
    expect(readdirSync(join(folder, 'deep', 'down'))).toEqual([CACHE_FILE]);
  });

  it.skipIf(process.platform === 'win32')('is for its owner only', () => {
    new AnswerCache(folder).close();
    expect(statSync(join(folder, CACHE_FILE)).mode & 0o777).toBe(0o600);
  });

  it('gives back what looks like a prototype as plain data', () => {
    const cache = new AnswerCache(folder);
    cache.put('a', answer(JSON.parse('{"__proto__":{"polluted":true}}')));
    expect(JSON.stringify(cache.get('a')?.output)).toBe('{"__proto__":{"polluted":true}}');
    expect('polluted' in {}).toBe(false);
    cache.close();
  });

  it('ignores what is no answer', () => {
    const cache = new AnswerCache(folder);
    const database = new DatabaseSync(join(folder, CACHE_FILE));
    const insert = database.prepare('INSERT INTO answers (key, answer) VALUES (?, ?)');
    insert.run('cut', '{"output":1,"usa');
    insert.run('shape', '{"output":1}');
    insert.run('bytes', new Uint8Array([0, 255]));
    database.close();
    expect(['cut', 'shape', 'bytes'].map((key) => cache.get(key))).toEqual([null, null, null]);
    cache.put('cut', answer(1));
    expect(cache.get('cut')?.output).toBe(1);
    cache.close();
  });

  it('sets a file aside that is no database, says so and begins anew', () => {
    writeFileSync(join(folder, CACHE_FILE), 'no database at all, '.repeat(500));
    const notices: string[] = [];
    const cache = new AnswerCache(folder, (text) => notices.push(text));
    cache.put('a', answer(1));
    expect(cache.get('a')?.output).toBe(1);
    cache.close();
    const aside = join(folder, `${CACHE_FILE}.damaged-1`);
    expect(notices).toEqual([`the answer cache is damaged: it was set aside as ${aside}, and a new one begun`]);
    expect(statSync(aside).size).toBe(10_000);
  });

  it('sets a database aside that has other tables in it', () => {
    const other = new DatabaseSync(join(folder, CACHE_FILE));
    other.exec('CREATE TABLE answers (something TEXT)');
    other.close();
    const notices: string[] = [];
    const cache = new AnswerCache(folder, (text) => notices.push(text));
    cache.put('a', answer(1));
    expect([cache.get('a')?.output, notices.length]).toEqual([1, 1]);
    cache.close();
  });

  it('sets a file aside whose damage shows only when it is read, and keeps the answer that came then', () => {
    const first = new AnswerCache(folder);
    for (let at = 0; at < 500; at += 1) first.put(`key ${at}`, answer('x'.repeat(500)));
    first.close();
    truncateSync(join(folder, CACHE_FILE), 20_000);
    const notices: string[] = [];
    const cache = new AnswerCache(folder, (text) => notices.push(text));
    expect(cache.get('key 499')).toBeNull();
    cache.put('key 499', answer('again'));
    expect(cache.get('key 499')?.output).toBe('again');
    expect(notices).toHaveLength(1);
    expect(existsSync(join(folder, `${CACHE_FILE}.damaged-1`))).toBe(true);
    cache.close();
  });

  it('does not set aside what another process has put in the place of the damaged file', () => {
    const first = new AnswerCache(folder);
    for (let at = 0; at < 500; at += 1) first.put(`key ${at}`, answer('x'.repeat(500)));
    first.close();
    truncateSync(join(folder, CACHE_FILE), 20_000);
    const notices: string[] = [];
    const [slow, quick] = [0, 1].map(() => new AnswerCache(folder, (text) => notices.push(text)));
    expect(quick!.get('key 499')).toBeNull();
    quick!.put('key 499', answer('again'));
    expect(slow!.get('key 499')?.output).toBe('again');
    expect(notices).toHaveLength(1);
    slow!.close();
    quick!.close();
  });

  it('refuses a place where no file can be, as a mistake of the call', () => {
    mkdirSync(join(folder, CACHE_FILE));
    expect(() => new AnswerCache(folder)).toThrow(UsageError);
    writeFileSync(join(folder, 'file'), '');
    expect(() => new AnswerCache(join(folder, 'file'))).toThrow('cannot open the answer cache');
  });

  it('has nothing once it is closed', () => {
    const cache = new AnswerCache(folder);
    cache.put('a', answer(1));
    cache.close();
    cache.close();
    expect(cache.get('a')).toBeNull();
  });

  it('is written by several processes at once, from its first moment on', async () => {
    const writers = ['a', 'b', 'c', 'd'].map((name) => writer(name, 150));
    expect(await Promise.all(writers.map(ended))).toEqual([0, 0, 0, 0]);
    const cache = new AnswerCache(folder);
    const keys = ['a', 'b', 'c', 'd'].flatMap((name) => Array.from({ length: 150 }, (_, at) => `${name}${at}`));
    expect(keys.filter((key) => cache.get(key) === null)).toEqual([]);
    expect(cache.get('d149')?.output).toBe(149);
    cache.close();
  });

  it('has every answer that was put before a kill -9', async () => {
    const killed = writer('k', 1_000_000);
    const put = await new Promise<number>((resolve) => {
      let said = '';
      killed.stdout!.on('data', (chunk: Buffer) => {
        said += String(chunk);
        const last = Number(said.split('\n').at(-2));
        if (last < 200) return;
        killed.kill('SIGKILL');
        resolve(last);
      });
    });
    await ended(killed);
    const notices: string[] = [];
    const cache = new AnswerCache(folder, (text) => notices.push(text));
    for (let at = 0; at <= put; at += 1) expect(cache.get(`k${at}`)?.output).toBe(at);
    expect(notices).toEqual([]);
    cache.close();
  });
});

/** A process that puts numbers and says of each that it is there. */
function writer(name: string, count: number): ChildProcess {
  const module = pathToFileURL(join(import.meta.dirname, '../../src/experiment/answer-cache.ts')).href;
  const code = `
    import { writeSync } from 'node:fs';
    import { AnswerCache } from ${JSON.stringify(module)};
    const cache = new AnswerCache(${JSON.stringify(folder)});
    for (let at = 0; at < ${count}; at += 1) {
      cache.put(${JSON.stringify(name)} + at, { output: at, usage: null, latencyMs: 1, passages: null, raw: null });
      writeSync(1, at + '\\n');
    }
    cache.close();`;
  return spawn(process.execPath, ['--conditions=assay-source', '--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function ended(process: ChildProcess): Promise<number | null> {
  process.stdout!.resume();
  return (
    process.exitCode ??
    new Promise((resolve) => {
      process.once('exit', resolve);
    })
  );
}
