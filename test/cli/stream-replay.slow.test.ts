import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';

import { describe, expect, it, onTestFinished } from 'vitest';

import { modelServer, refusal } from '../experiment/models/model-server.ts';
import { type Finished, startAssay, temporaryFolder } from './run-assay.ts';
import { files, stream, writeTraces } from './stream-files.ts';

/** A folder with so many traces. */
function workplace(cases: number): string {
  const cwd = temporaryFolder();
  writeTraces(cwd, cases);
  return cwd;
}

function replay(cwd: string, flags: string, env?: Readonly<Record<string, string>>): Promise<Finished> {
  return stream(cwd, `replay --traces traces ${flags}`, env);
}

function records(file: string): string[] {
  return gunzipSync(readFileSync(file)).toString('utf8').split('\n');
}

describe('assay stream replay', () => {
  it('writes a log for each case and variant, and every one notes that a heuristic answered', async () => {
    const cwd = workplace(2);
    const done = await replay(cwd, '--variants V0,V2 --model heuristic --out runs');
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout).toMatch(/^Replay\nanswers: heuristic-1 \(heuristic\)\n/);
    const names = Object.keys(files(join(cwd, 'runs')));
    expect(names).toEqual(
      ['V0', 'V2'].flatMap((variant) => [0, 1].map((at) => `${variant}/case-00${at}.run.jsonl.gz`)),
    );
    for (const name of names)
      expect(JSON.parse(records(join(cwd, 'runs', name))[0]!)).toMatchObject({
        record_type: 'run_meta',
        model: { kind: 'heuristic', note: expect.any(String) },
      });
  });

  it('replays V3 by time, into logs that validate', async () => {
    const cwd = workplace(2);
    const byTime = '--variants V3 --set V3.chunkCtu=null --set V3.intervalSeconds=2';
    expect((await replay(cwd, `${byTime} --model heuristic --out runs`)).code).toBe(0);
    // Six turns of 24 deltas, the last at 17,070 ms: eight intervals of 2 s have ended by then.
    const log = records(join(cwd, 'runs/V3/case-000.run.jsonl.gz')).filter((line) => line.includes('"fixed_time"'));
    expect(log).toHaveLength(8);
    expect(await stream(cwd, 'validate --traces traces --runs runs')).toMatchObject({ code: 0, stderr: '' });
    expect(await replay(cwd, '--variants V3 --set V3.intervalSeconds=2 --model heuristic --out both')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('a fixed trigger goes by time or by size'),
    });
  });

  it('names a trace without any t_emitted_ms, and counts the times that are made up for it', async () => {
    const cwd = workplace(2);
    const file = join(cwd, 'traces/case-001.trace.jsonl');
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/"t_emitted_ms":\d+,/g, ''));
    const done = await replay(cwd, '--variants V2 --model heuristic --out runs');
    expect(done.code).toBe(0);
    const words = done.stdout.replaceAll(/\s+/g, ' ');
    expect(words).toContain('1 trace without any t_emitted_ms (case-001): the times in the logs are made up');
    expect(words).toMatch(/V2: \d+ timestamps are not of the trace/);
    expect(words).not.toContain('case-000');
  });

  it('resumes after kill -9 and ends with the same bytes as a run that was left alone', async () => {
    const cwd = workplace(20);
    const cut = join(cwd, 'cut');
    const child = startAssay([
      'stream',
      'replay',
      '--model',
      'heuristic',
      '--traces',
      join(cwd, 'traces'),
      '--out',
      cut,
    ]);
    const over = new Promise<string | null>((resolve) => child.on('exit', (_code, signal) => resolve(signal)));
    const deadline = Date.now() + 20_000;
    while (!existsSync(join(cut, 'V0')) || readdirSync(join(cut, 'V0')).length < 2) {
      if (Date.now() > deadline) throw new Error('the replay did not start');
      await pause(5);
    }
    child.kill('SIGKILL');
    expect(await over).toBe('SIGKILL');
    expect(Object.keys(files(cut)).filter((name) => name.endsWith('.gz')).length).toBeLessThan(100);
    const done = await replay(cwd, '--model heuristic --out cut --json --quiet');
    expect(done.code).toBe(0);
    const { variants }: { variants: { cases: number; kept: number }[] } = JSON.parse(done.stdout);
    expect(variants.reduce((sum, { cases }) => sum + cases, 0)).toBe(100);
    expect(variants.reduce((sum, { kept }) => sum + kept, 0)).toBeGreaterThanOrEqual(2);
    await replay(cwd, '--model heuristic --out whole --quiet');
    expect(files(cut)).toEqual(files(join(cwd, 'whole')));
  });

  it('plays recorded answers back: every answer is found and the logs agree', async () => {
    const cwd = workplace(2);
    await replay(cwd, '--model heuristic --out first --quiet');
    const done = await replay(cwd, '--model recorded:first --out second');
    expect(done.code).toBe(0);
    expect(done.stdout).not.toContain('without a recorded answer');
    for (const name of Object.keys(files(join(cwd, 'first'))))
      expect(records(join(cwd, 'second', name)).slice(1)).toEqual(records(join(cwd, 'first', name)).slice(1));
    // A stand-in stays one when it is played back.
    const [meta] = records(join(cwd, 'second/V0/case-000.run.jsonl.gz'));
    expect(meta).toMatch(/"note":"recorded from heuristic-1 \(heuristic\)/);
  });

  it('counts windows without a recorded answer as failed calls, continues, and reports them', async () => {
    const cwd = workplace(2);
    await replay(cwd, '--variants V2 --model heuristic --out first --quiet');
    rmSync(join(cwd, 'first/V2/case-001.run.jsonl.gz'));
    const done = await replay(cwd, '--variants V2 --model recorded:first --out other');
    expect(done.code).toBe(0);
    expect(done.stdout).toMatch(/windows without a recorded answer, which count as failed calls: \d+/);
  });

  it('does not overwrite the logs of another run', async () => {
    const cwd = workplace(1);
    const call = '--variants V2 --model heuristic --out out --quiet';
    expect((await replay(cwd, call)).code).toBe(0);
    const before = files(join(cwd, 'out'));
    const refused = await replay(cwd, `${call} --set minWords=20`);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('is the log of another run') });
    expect(files(join(cwd, 'out'))).toEqual(before);
    expect((await replay(cwd, `${call} --set minWords=20 --force`)).code).toBe(0);
  });

  it('ends with code 2 if not one call was answered, with the reason and what to do', async () => {
    const server = await modelServer(refusal(400, 'no such thing'));
    onTestFinished(() => server.close());
    const call = `--variants V2 --model openai-compatible/x --base-url ${server.url}/v1 --out out`;
    const done = await replay(workplace(1), call, { OPENAI_API_KEY: 'sk-made-up' });
    expect(done.code).toBe(2);
    const words = done.stdout.replaceAll(/\s+/g, ' ');
    expect(words).toMatch(/calls that got no answer: \d+; the first: /);
    expect(words).toContain('--retry-failed');
    expect(done.stdout + done.stderr).not.toContain('sk-made-up');
  });

  it.each([
    ['--model gpt-4', 'expected recorded:DIR, heuristic, or PROVIDER/NAME'],
    ['--model recorded:nowhere', 'nowhere: no such folder'],
    ['--model heuristic --variants V0,V7', 'there is no variant V7 among those that ship'],
    ['--model heuristic --set minWords=lots', 'expected a number, found "lots"'],
    ['--model heuristic --timeout 5', '--timeout is for PROVIDER/NAME'],
    ['--model heuristic --concurrency 0', '--concurrency 0: expected a whole number from 1 to 100'],
  ])('refuses %s', async (flags, message) => {
    const cwd = workplace(1);
    const done = await replay(cwd, `${flags} --out out`);
    expect(done).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    expect(existsSync(join(cwd, 'out'))).toBe(false);
  });

  it('suggests the required flag that was misspelled', async () => {
    const done = await stream(temporaryFolder(), 'replay --trace x --model heuristic --out out');
    expect(done.code).toBe(2);
    expect(done.stderr).toContain('(You wrote --trace. Did you mean --traces?)');
  });

  it('names the file and the record of what is not a trace', async () => {
    const cwd = workplace(1);
    const file = join(cwd, 'traces/case-000.trace.jsonl');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"seq":2,', '"seq":"two",'));
    const done = await replay(cwd, '--model heuristic --out out');
    expect(done.code).toBe(2);
    expect(done.stderr).toMatch(/case-000\.trace\.jsonl:4: not a stream_delta as traces have them: seq "two"/);
  });
});
