import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';

import { describe, expect, it } from 'vitest';

import { isAlive } from '../../../src/data/is-alive.ts';
import type { Target } from '../../../src/experiment/targets/target.ts';
import { folderWith } from '../../recipe/recipe-files.ts';
import { ask, failure, item, openHere } from './open-here.ts';

/** Reads lines and hands each item to `on`; `say` writes a line. */
const LINES = `
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
appendFileSync('pids', process.pid + '\\n');
const say = (line) => process.stdout.write((typeof line === 'string' ? line : JSON.stringify(line)) + '\\n');
const lines = createInterface({ input: process.stdin });
`;

interface Opened {
  readonly target: Target;
  /** Of the processes that were started, in that order. */
  pids(): number[];
}

async function opened(
  on: string,
  spec: Readonly<Record<string, unknown>> = {},
  environment: Readonly<Record<string, string>> = {},
): Promise<Opened> {
  const folder = folderWith({
    'child.mjs': `${LINES}lines.on('line', (line) => { const it = JSON.parse(line); ${on} });`,
  });
  const target = await openHere(
    { use: 'command', command: [process.execPath, 'child.mjs'], ...spec },
    { folder, environment: { PATH: process.env['PATH'], ...environment } },
  );
  const file = join(folder, 'pids');
  return {
    target,
    pids: () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : []),
  };
}

async function gone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (!isAlive(pid)) return true;
    await sleep(20);
  }
  return false;
}

describe('a command as a target', () => {
  it('gets an item as a line of JSON and answers with one, in one process for all items', async () => {
    const { target, pids } = await opened(`say({ id: it.id, output: it, usage: { cost: 0.5 }, passages: ['p'] });`);
    const given = { id: 'i1', input: { text: 'a\nb\u2028c' }, metadata: { x: 1 }, repeat: 3 };
    const answer = await ask(target, given);
    expect(answer).toMatchObject({
      output: given,
      usage: { inputTokens: null, outputTokens: null, cost: 0.5 },
      passages: [{ text: 'p' }],
    });
    await ask(target, item('x', 'i2'));
    expect(pids()).toHaveLength(1);
    expect(JSON.parse((await target.preview(given)) ?? '')).toEqual(given);
    expect(target).toMatchObject({ kind: 'command', cacheable: false, mostAtOnce: 1 });
  });

  it('may answer out of order: answers go by id', async () => {
    const { target, pids } = await opened(
      `(globalThis.held ??= []).push(it.id);
       if (held.length === 3) for (const id of held.reverse()) say({ id, output: 'of ' + id });`,
      { parallel: 3 },
    );
    const answers = await Promise.all(['a', 'b', 'c'].map((id) => ask(target, item(null, id))));
    expect(answers.map(({ output }) => output)).toEqual(['of a', 'of b', 'of c']);
    expect(pids()).toHaveLength(1);
  });

  it('does not mix up repeats of one item', async () => {
    const { target } = await opened(
      `setTimeout(() => say({ id: it.id, output: it.repeat }), it.repeat === 1 ? 40 : 0);`,
      {
        parallel: 4,
      },
    );
    const answers = await Promise.all([1, 2, 3].map((repeat) => ask(target, item(null, 'a', repeat))));
    expect(answers.map(({ output }) => output)).toEqual([1, 2, 3]);
  });

  it('runs in as many processes as it may, each with one item at a time', async () => {
    const { target, pids } = await opened(`setTimeout(() => say({ id: it.id, output: process.pid }), 50);`, {
      processes: 2,
    });
    const start = performance.now();
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((id) => ask(target, item(null, id))));
    const took = performance.now() - start;
    expect(new Set(answers.map(({ output }) => output))).toEqual(new Set(pids()));
    expect(pids()).toHaveLength(2);
    expect(target.mostAtOnce).toBe(2);
    // Waiting for a turn is not its time.
    for (const { latencyMs } of answers.slice(2)) expect(latencyMs).toBeLessThan(took - 45);
  });

  it('may say that an item failed, and goes on', async () => {
    const { target, pids } = await opened(
      `if (it.id === 'bad') say({ id: it.id, error: { message: 'too \\u001b[2J long' }, usage: { inputTokens: 9 } });
       else say({ id: it.id, output: null });`,
    );
    expect(await failure(ask(target, item(null, 'bad')))).toMatchObject({
      kind: 'program',
      message: 'too \\u001b[2J long',
      usage: { inputTokens: 9 },
    });
    expect((await ask(target, item(null, 'ok'))).output).toBeNull();
    expect(pids()).toHaveLength(1);
  });

  it('that dies fails the items it has, with what it last wrote, and is started again', async () => {
    const { target, pids } = await opened(
      `if (it.id === 'bad') { console.error('line one'); console.error('Traceback: \\u001b[31mno memory'); process.exit(3); }
       say({ id: it.id, output: 1 });`,
    );
    await ask(target, item(null, 'a'));
    expect(await failure(ask(target, item(null, 'bad')))).toMatchObject({
      kind: 'program',
      message:
        'the command ended (exit code 3) before it answered; it last wrote: line one | Traceback: \\u001b[31mno memory',
    });
    expect((await ask(target, item(null, 'b'))).output).toBe(1);
    expect(pids()).toHaveLength(2);
  });

  it('that dies again and again is not started for ever', async () => {
    const { target, pids } = await opened(
      `console.error('no model\\u001b[2J', process.env.MY_TOKEN); process.exit(1);`,
      {},
      {
        MY_TOKEN: 'tok-0123456789',
      },
    );
    for (let at = 0; at < 10; at += 1)
      expect(await failure(ask(target, item(null, `i${at}`)))).toMatchObject({ kind: 'program' });
    expect(await failure(ask(target, item(null, 'last')))).toMatchObject({
      kind: 'access',
      message:
        'the command failed 10 times in a row without an answer, and is not started again (once it is put right, ' +
        '--only-failed asks for these items again); the last time: the command ended (exit code 1) before it ' +
        'answered; it last wrote: no model\\u001b[2J [key]',
    });
    expect(pids()).toHaveLength(10);
  });

  it.each([
    ['no JSON', `say('Loading model …');`, /wrote "Loading model …": not JSON/],
    ['no object', `say('3');`, /wrote "3": no object/],
    ['an answer without an id', `say({ output: 1 });`, /an answer with no id/],
    ['an answer to something else', `say({ id: 'x', output: 1 });`, /the id "x", which it was not asked for/],
    ['neither output nor error', `say({ id: it.id });`, /neither output nor error/],
    ['a second answer', `if (it.id === 'i1') { say({ id: 'i0', output: 1 }); }`, /the id "i0"/],
  ])('that writes %s fails the item', async (_, on, message) => {
    const { target } = await opened(on);
    const error = await failure(ask(target, item(null, 'i1')));
    expect(error.kind).toBe('program');
    expect(error.message).toMatch(message);
  });

  it('that writes a line without end is ended', async () => {
    const { target, pids } = await opened(
      `const block = 'x'.repeat(1 << 20); const more = () => { while (process.stdout.write(block)); }; process.stdout.on('drain', more); more();`,
    );
    expect((await failure(ask(target, item(null)))).message).toContain('a line of more than 16 MiB');
    expect(await gone(pids()[0]!)).toBe(true);
  });

  it('that does not answer in time is ended: a late answer goes to nobody', async () => {
    const { target, pids } = await opened(
      `if (it.repeat === 1) setTimeout(() => say({ id: it.id, output: 'late' }), 150); else say({ id: it.id, output: 'own' });`,
    );
    await ask(target, item(null, 'it runs', 2));
    expect(await failure(ask(target, item(null, 'a', 1), AbortSignal.timeout(80)))).toMatchObject({ kind: 'timeout' });
    await sleep(120);
    expect((await ask(target, item(null, 'a', 2))).output).toBe('own');
    expect(pids()).toHaveLength(2);
    expect(await gone(pids()[0]!)).toBe(true);
  });

  it('that is ended for one item fails the others it has, and says why', async () => {
    const { target } = await opened(``, { parallel: 2 });
    const late = failure(ask(target, item(null, 'a'), AbortSignal.timeout(100)));
    const other = failure(ask(target, item(null, 'b')));
    expect((await late).kind).toBe('timeout');
    expect(await other).toMatchObject({
      kind: 'program',
      message: 'the command was ended because it had not answered another item in time',
    });
  });

  it('is not started for an item that was given up while it waited', async () => {
    const { target, pids } = await opened(`setTimeout(() => say({ id: it.id, output: 1 }), 200);`);
    const first = ask(target, item(null, 'a'));
    expect(await failure(ask(target, item(null, 'b'), AbortSignal.timeout(50)))).toMatchObject({ kind: 'timeout' });
    expect((await first).output).toBe(1);
    expect(await failure(ask(target, item(null, 'c'), AbortSignal.abort()))).toMatchObject({ kind: 'aborted' });
    expect(pids()).toHaveLength(1);
  });

  it('goes to the shell where it is one text', async () => {
    const target = await openHere(
      { use: 'command', command: `sed -u 's/.*"id":"\\([^"]*\\)".*/{"id":"\\1","output":"of the shell"}/' | cat` },
      { environment: { PATH: process.env['PATH'] } },
    );
    expect((await ask(target, item(null, 'a'))).output).toBe('of the shell');
    const literal = await openHere(
      { use: 'command', command: ['echo', '$HOME; exit'] },
      { environment: { PATH: process.env['PATH'] } },
    );
    expect((await failure(ask(literal, item(null)))).message).toContain('wrote "$HOME; exit"');
  });

  it('that cannot be started says so, and that no call can succeed', async () => {
    const target = await openHere({ use: 'command', command: ['no-such-program-anywhere'] });
    expect(await failure(ask(target, item(null)))).toMatchObject({
      kind: 'access',
      message: 'the command cannot be started (ENOENT)',
    });
    await expect(openHere({ use: 'command', command: ['cat'], cwd: 'nowhere' })).rejects.toThrow(
      'cwd: folder not found',
    );
  });

  it('gets the environment, and cannot make a key of it appear', async () => {
    const { target } = await opened(
      `if (it.id === 'a') say({ id: it.id, output: [process.env.OPENAI_API_KEY, process.env.TOWN] });
       else { console.error('bad key', process.env.OPENAI_API_KEY); setTimeout(() => process.exit(1), 20); }`,
      {},
      { OPENAI_API_KEY: 'sk-0123456789', TOWN: 'Bergfjord' },
    );
    expect((await ask(target, item(null, 'a'))).output).toEqual(['[key]', 'Bergfjord']);
    const error = await failure(ask(target, item(null, 'b')));
    expect(error.message).toContain('it last wrote: bad key [key]');
    expect(inspect(error)).not.toContain('sk-0123456789');
  });

  it('that writes something else tells so when it is not started again', async () => {
    const { target } = await opened(`say('Loading model...');`);
    for (let at = 0; at < 10; at += 1) await failure(ask(target, item(null, `i${at}`)));
    expect((await failure(ask(target, item(null, 'last')))).message).toContain(
      'the last time: the command wrote "Loading model...": not JSON',
    );
  });

  it('cannot hide a secret in quotes, in escapes, in the name of a field or in what is no answer', async () => {
    const MY_TOKEN = 'super"123\\xyz';
    const { target } = await opened(
      `const t = process.env.MY_TOKEN;
       const escaped = [...t].map((c) => '\\\\u' + c.charCodeAt(0).toString(16).padStart(4, '0')).join('');
       if (it.id === 'quoted') say({ id: it.id, output: { [t]: t, inner: JSON.stringify({ t }) } });
       else if (it.id === 'escaped') say('{"id":"escaped","output":"' + escaped + '"}');
       else say('no JSON: ' + JSON.stringify(t));`,
      {},
      { MY_TOKEN },
    );
    expect((await ask(target, item(null, 'quoted'))).output).toEqual({ '[key]': '[key]', inner: '{"t":"[key]"}' });
    expect((await ask(target, item(null, 'escaped'))).output).toBe('[key]');
    expect((await failure(ask(target, item(null, 'other')))).message).toContain('wrote "no JSON: \\"[key]\\""');
  });

  it('that the system will not take is a failure like any other', async () => {
    const target = await openHere({ use: 'command', command: ['true', 'x'.repeat(1 << 22)] });
    expect(await failure(ask(target, item(null)))).toMatchObject({
      kind: 'access',
      message: 'the command cannot be started (E2BIG)',
    });
  });

  it('ends when the target is closed, also where it will not', async () => {
    const tame = await opened(`say({ id: it.id, output: 1 });`);
    await ask(tame.target, item(null));
    await tame.target.close();
    expect(isAlive(tame.pids()[0]!)).toBe(false);

    const stubborn = await opened(
      `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); say({ id: it.id, output: 1 });`,
    );
    await ask(stubborn.target, item(null));
    await stubborn.target.close();
    expect(isAlive(stubborn.pids()[0]!)).toBe(false);
  });

  it('is not started again for items that still wait when the target is closed', async () => {
    const { target, pids } = await opened(``);
    const held = failure(ask(target, item(null, 'a')));
    const waiting = failure(ask(target, item(null, 'b')));
    await target.close();
    expect((await held).kind).toBe('aborted');
    expect((await waiting).kind).toBe('aborted');
    expect(pids().length).toBeLessThanOrEqual(1);
    for (const pid of pids()) expect(isAlive(pid)).toBe(false);
  });

  it('does not outlive us, also when we are killed', async () => {
    const folder = folderWith({
      'child.mjs': `${LINES}lines.on('line', (line) => say({ id: JSON.parse(line).id, output: process.pid }));`,
    });
    const module = pathToFileURL(`${import.meta.dirname}/../../../src/experiment/targets/target-kinds.ts`).href;
    const script = `
      const { openTarget } = await import(${JSON.stringify(module)});
      const spec = { use: 'command', command: [process.execPath, 'child.mjs'], processes: 1, parallel: 1 };
      const target = await openTarget(spec, { folder: ${JSON.stringify(folder)}, environment: process.env, prompt: null, timeoutMs: 1000 });
      const { output } = await target.answer({ id: 'a', input: null, metadata: null, repeat: 1 }, new AbortController().signal);
      console.log(output);
      setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pid = await new Promise<number>((resolve) => {
      parent.stdout.on('data', (chunk: Buffer) => resolve(Number(chunk.toString())));
    });
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    expect(await gone(pid)).toBe(true);
  });

  it('is identified by its words', async () => {
    const folder = folderWith({ 'sub/x': '' });
    const target = await openHere({ use: 'command', command: ['./run', '-x'], cwd: 'sub', processes: 3 }, { folder });
    expect(target.identity).toEqual({ kind: 'command', command: ['./run', '-x'], cwd: 'sub' });
  });
});
