import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { InputError } from '../../../src/data/problems.ts';
import type { Target } from '../../../src/experiment/targets/target.ts';
import { folderWith } from '../../recipe/recipe-files.ts';
import { ask, failure, item, openHere } from './open-here.ts';
import { processorTime } from '../../processor-time.ts';

function opened(text: string | Buffer, name = 'answers.jsonl'): Promise<Target> {
  const folder = folderWith({});
  writeFileSync(join(folder, name), text);
  return openHere({ use: 'recorded', answers: name }, { folder });
}

const ANSWERS = [
  '{"id": "a", "output": {"items": []}}',
  '',
  '{"id": "b", "error": "out of memory", "usage": {"inputTokens": 5}}',
  '{"journal_id": "J1", "items": [{"domain": "food"}]}',
  '{"case_id": 7, "response": "Rest.", "latency_ms": 1234, "usage": {"input_tokens": 1}, "passages": ["p"]}',
  '{"id": "a", "repeat": 2, "output": "again", "passages": null}',
  '{"item_id": "ü\u2028x", "output": 0}',
].join('\n');

describe('recorded answers', () => {
  it.each([
    ['plain', Buffer.from(ANSWERS)],
    ['with Windows line ends and a byte order mark', Buffer.from(`\ufeff${ANSWERS.replaceAll('\n', '\r\n')}\r\n`)],
    ['packed', gzipSync(ANSWERS)],
  ])('are found by item and repeat: %s', async (_, bytes) => {
    const target = await opened(bytes);
    expect(await ask(target, item(null, 'a'))).toMatchObject({ output: { items: [] }, usage: null, raw: null });
    expect((await ask(target, item(null, 'a', 2))).output).toBe('again');
    expect((await ask(target, item(null, 'ü\u2028x'))).output).toBe(0);
    expect(target).toMatchObject({ kind: 'recorded', model: null });
    expect(await target.preview(item(null, 'a'))).toBeNull();
  });

  it('may have the output beside the id, as prediction files do', async () => {
    const target = await opened(ANSWERS);
    expect((await ask(target, item(null, 'J1'))).output).toEqual({ items: [{ domain: 'food' }] });
    expect(await ask(target, item(null, '7'))).toEqual({
      output: { response: 'Rest.' },
      usage: { inputTokens: 1, outputTokens: null, cost: null },
      latencyMs: 1234,
      passages: [{ id: '1', text: 'p', score: null, source: null }],
      raw: null,
    });
  });

  it('may be failures, which fail again', async () => {
    expect(await failure(ask(await opened(ANSWERS), item(null, 'b')))).toMatchObject({
      kind: 'program',
      message: 'out of memory',
      usage: { inputTokens: 5, outputTokens: null, cost: null },
    });
  });

  it('may be error objects in place of an output, which fail too', async () => {
    const target = await opened('{"id":"x","output":{"error":"Model is loading","estimated_time":20}}');
    expect(await failure(ask(target, item(null, 'x')))).toMatchObject({ kind: 'program', message: 'Model is loading' });
  });

  it('may be missing', async () => {
    const target = await opened(ANSWERS);
    expect(await failure(ask(target, item(null, 'zzz')))).toMatchObject({
      kind: 'answer',
      message: 'no recorded answer for "zzz"',
    });
    expect((await failure(ask(target, item(null, 'b', 2)))).message).toBe('no recorded answer for "b", repeat 2');
    expect((await failure(ask(await opened('{"id":"x"}'), item(null, 'x')))).message).toContain(
      'neither output nor error',
    );
  });

  it('are refused where two are for one item, with both lines', async () => {
    const error: unknown = await opened(`${ANSWERS}\n{"id":"b","output":1}\n{"id":"a","repeat":2,"output":1}`).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).problems).toMatchObject([
      { line: 8, message: 'a second answer for "b": the first is in line 3' },
      { line: 9, message: 'a second answer for "a", repeat 2: the first is in line 6' },
    ]);
  });

  it('are refused with all that is wrong in them', async () => {
    const error: unknown = await opened('{"id":"a"\n[1]\n{"output":1}\n{"id":"b","repeat":0}\n{"id":""}').catch(
      (thrown: unknown) => thrown,
    );
    expect((error as InputError).problems.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5]);
    await expect(opened('\n\n')).rejects.toThrow('no recorded answer in it');
    await expect(opened(Buffer.from([0x22, 0xe9, 0x22]))).rejects.toThrow('not UTF-8');
    await expect(openHere({ use: 'recorded', answers: 'gone.jsonl' }, { folder: folderWith({}) })).rejects.toThrow(
      'no such file',
    );
    await expect(openHere({ use: 'recorded', answers: '.' }, { folder: folderWith({}) })).rejects.toThrow(
      'is a directory',
    );
    await expect(opened(gzipSync(ANSWERS).subarray(0, 60))).rejects.toThrow('damaged or cut off');
  });

  it('are those that the file held when it was opened', async () => {
    const folder = folderWith({ 'a.jsonl': '{"id":"a","output":1}\n' });
    const target = await openHere({ use: 'recorded', answers: 'a.jsonl' }, { folder });
    writeFileSync(join(folder, 'a.jsonl'), '{"id":"a","output":2}\n');
    expect((await ask(target, item(null, 'a'))).output).toBe(1);
  });

  it('are identified by what is in them, packed or not', async () => {
    const plain = (await opened(ANSWERS)).identity;
    expect((await opened(gzipSync(ANSWERS), 'other.jsonl.gz')).identity).toEqual(plain);
    expect((await opened(`${ANSWERS}\n`)).identity).not.toEqual(plain);
  });

  it('of 10,000 items are there in a moment', async () => {
    const ids = Array.from({ length: 10_000 }, (_, at) => `item-${at}`);
    const filler = 'x'.repeat(1000);
    const start = processorTime();
    const target = await opened(ids.map((id) => JSON.stringify({ id, output: { id, filler } })).join('\n'));
    for (let at = 0; at < ids.length; at += 100) {
      const answers = await Promise.all(ids.slice(at, at + 100).map((id) => ask(target, item(null, id))));
      expect(answers.map(({ output }) => (output as { id: string }).id)).toEqual(ids.slice(at, at + 100));
    }
    expect(processorTime() - start).toBeLessThan(5000);
  });
});
