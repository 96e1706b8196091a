import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';

import { describe, expect, it, onTestFinished } from 'vitest';

import { assay, startAssay, temporaryFolder } from './run-assay.ts';
import { files, writeTraces } from './stream-files.ts';

describe('assay stream replay', () => {
  it('writes a log for each case and variant, and every one says that a heuristic answered', () => {
    const folder = temporaryFolder();
    const traces = writeTraces(folder, 2);
    const out = join(folder, 'runs');
    const done = assay([
      'stream',
      'replay',
      '--traces',
      traces,
      '--variants',
      'V0,V2',
      '--model',
      'heuristic',
      '--out',
      out,
    ]);
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout).toMatch(/^Replay\nanswers: heuristic-1 \(heuristic\)\n/);
    expect(Object.keys(files(out))).toEqual(
      ['V0', 'V2'].flatMap((variant) => [0, 1].map((at) => `${variant}/case-00${at}.run.jsonl.gz`)),
    );
    for (const name of Object.keys(files(out))) {
      const [meta = ''] = gunzipSync(readFileSync(join(out, name)))
        .toString('utf8')
        .split('\n');
      expect(JSON.parse(meta)).toMatchObject({
        record_type: 'run_meta',
        model: { kind: 'heuristic', note: expect.any(String) },
      });
    }
  });

  it('goes on after kill -9 and ends with the same bytes as a run that was left alone', async () => {
    const folder = temporaryFolder();
    const traces = writeTraces(folder, 20, 6);
    const call = (out: string): string[] => [
      'stream',
      'replay',
      '--traces',
      traces,
      '--model',
      'heuristic',
      '--out',
      out,
    ];
    const [cut, whole] = [join(folder, 'cut'), join(folder, 'whole')];
    const child = startAssay(call(cut));
    const over = new Promise<string | null>((resolve) => child.on('exit', (_code, signal) => resolve(signal)));
    const deadline = Date.now() + 20_000;
    while (!existsSync(join(cut, 'V0')) || readdirSync(join(cut, 'V0')).length < 2) {
      if (Date.now() > deadline) throw new Error('the replay did not start');
      await pause(5);
    }
    child.kill('SIGKILL');
    expect(await over).toBe('SIGKILL');
    const left = Object.keys(files(cut)).filter((name) => name.endsWith('.gz')).length;
    expect(left).toBeLessThan(100);
    const done = assay([...call(cut), '--json', '--quiet']);
    expect(done.code).toBe(0);
    const { variants }: { variants: { cases: number; kept: number }[] } = JSON.parse(done.stdout);
    expect(variants.reduce((sum, { cases }) => sum + cases, 0)).toBe(100);
    expect(variants.reduce((sum, { kept }) => sum + kept, 0)).toBeGreaterThanOrEqual(2);
    assay([...call(whole), '--quiet']);
    expect(files(cut)).toEqual(files(whole));
  });

  it('plays recorded answers back: every answer is found and the logs agree', () => {
    const folder = temporaryFolder();
    const traces = writeTraces(folder, 2);
    const [first, second] = [join(folder, 'first'), join(folder, 'second')];
    const call = (model: string, out: string): string[] => [
      'stream',
      'replay',
      '--traces',
      traces,
      '--model',
      model,
      '--out',
      out,
    ];
    assay([...call('heuristic', first), '--quiet']);
    const done = assay(call(`recorded:${first}`, second));
    expect(done.code).toBe(0);
    expect(done.stdout).not.toContain('without a recorded answer');
    const records = (root: string, name: string): string[] =>
      gunzipSync(readFileSync(join(root, name)))
        .toString('utf8')
        .split('\n')
        .slice(1);
    for (const name of Object.keys(files(first))) expect(records(second, name)).toEqual(records(first, name));
    const [meta = ''] = gunzipSync(readFileSync(join(second, 'V0/case-000.run.jsonl.gz')))
      .toString('utf8')
      .split('\n');
    // A stand-in stays one when it is played back.
    expect(meta).toMatch(/"note":"recorded from heuristic-1 \(heuristic\)/);
  });

  it('counts windows without a recorded answer as failed calls, goes on, and says so', () => {
    const folder = temporaryFolder();
    const traces = writeTraces(folder, 2);
    const first = join(folder, 'first');
    const call = (model: string, out: string): string[] => [
      'stream',
      'replay',
      '--traces',
      traces,
      '--variants',
      'V2',
      '--model',
      model,
      '--out',
      out,
    ];
    assay([...call('heuristic', first), '--quiet']);
    rmSync(join(first, 'V2/case-001.run.jsonl.gz'));
    const done = assay(call(`recorded:${first}`, join(folder, 'other')));
    expect(done.code).toBe(0);
    expect(done.stdout).toMatch(/windows without a recorded answer, which count as failed calls: \d+/);
  });

  it('does not write over the logs of another run', () => {
    const folder = temporaryFolder();
    const traces = writeTraces(folder, 1);
    const out = join(folder, 'out');
    const call = (more: readonly string[]): ReturnType<typeof assay> =>
      assay([
        'stream',
        'replay',
        '--traces',
        traces,
        '--variants',
        'V2',
        '--model',
        'heuristic',
        '--out',
        out,
        ...more,
      ]);
    expect(call([]).code).toBe(0);
    const before = files(out);
    const refused = call(['--set', 'minWords=20']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('is the log of another run');
    expect(files(out)).toEqual(before);
    expect(call(['--set', 'minWords=20', '--force']).code).toBe(0);
  });

  it('ends with code 2 where not one call was answered, and says why and what to do', async () => {
    const folder = temporaryFolder();
    const traces = writeTraces(folder, 1);
    const code = `const s = require('node:http').createServer((q, r) => r.writeHead(400).end('{"error":{"message":"no such thing"}}'));
      s.listen(0, '127.0.0.1', () => console.log(s.address().port));`;
    const server = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void server.kill());
    const port = await new Promise<string>((resolve) =>
      server.stdout.once('data', (data) => resolve(String(data).trim())),
    );
    const call = [
      'stream',
      'replay',
      '--traces',
      traces,
      '--variants',
      'V2',
      '--model',
      'openai-compatible/x',
      '--base-url',
      `http://127.0.0.1:${port}/v1`,
      '--out',
      join(folder, 'out'),
    ];
    const done = assay(call, { env: { OPENAI_API_KEY: 'sk-made-up' } });
    expect(done.code).toBe(2);
    const words = done.stdout.replaceAll(/\s+/g, ' ');
    expect(words).toMatch(/calls that got no answer: \d+; the first: /);
    expect(words).toContain('--retry-failed');
    expect(done.stdout + done.stderr).not.toContain('sk-made-up');
  });

  it.each([
    [['--model', 'gpt-4'], 'expected recorded:DIR, heuristic, or PROVIDER/NAME'],
    [['--model', 'recorded:nowhere'], 'nowhere: no such folder'],
    [['--model', 'heuristic', '--variants', 'V0,V7'], 'there is no variant V7 among those that ship'],
    [['--model', 'heuristic', '--set', 'minWords=lots'], 'expected a number, found "lots"'],
    [['--model', 'heuristic', '--timeout', '5'], '--timeout is for PROVIDER/NAME'],
    [['--model', 'heuristic', '--concurrency', '0'], '--concurrency 0: expected a whole number from 1 to 100'],
  ])('refuses %j', (flags, message) => {
    const folder = temporaryFolder();
    const traces = writeTraces(folder, 1);
    const done = assay(['stream', 'replay', '--traces', traces, '--out', join(folder, 'out'), ...flags]);
    expect(done.code).toBe(2);
    expect(done.stderr).toContain(message);
    expect(existsSync(join(folder, 'out'))).toBe(false);
  });

  it('a required flag with a slip in it is named with the right one', () => {
    const done = assay(['stream', 'replay', '--trace', 'x', '--model', 'heuristic', '--out', 'o']);
    expect(done.code).toBe(2);
    expect(done.stderr).toContain('(You wrote --trace. Did you mean --traces?)');
  });

  it('names the file and the record of what is no trace', () => {
    const folder = temporaryFolder();
    const traces = writeTraces(folder, 1);
    const file = join(traces, 'case-000.trace.jsonl');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"seq":2,', '"seq":"two",'));
    const done = assay(['stream', 'replay', '--traces', traces, '--model', 'heuristic', '--out', join(folder, 'out')]);
    expect(done.code).toBe(2);
    expect(done.stderr).toMatch(/case-000\.trace\.jsonl:4: not a stream_delta as traces have them: seq "two"/);
  });
});
