import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import recordCommand, { clockOptions } from '../../src/cli/stream/record.ts';
import { idFlag } from '../../src/cli/stream/stream-flags.ts';
import { assay, BIN, ROOT, temporaryFolder } from './run-assay.ts';

const EVENTS = [
  { agent: 'alice', text: 'The fever' },
  { agent: 'alice', text: ' began.' },
  { agent: 'bob', text: 'I see.' },
]
  .map((event) => `${JSON.stringify(event)}\n`)
  .join('');

const PARTIAL = 'case-1.trace.jsonl.partial';
const TRACE = 'case-1.trace.jsonl.gz';
const record = (...args: readonly string[]): string[] => ['stream', 'record', '--case', 'case-1', '--out', ...args];

function startRecording(folder: string): ChildProcess {
  return spawn(process.execPath, [BIN, ...record(folder)], { cwd: ROOT, stdio: ['pipe', 'pipe', 'pipe'] });
}

async function keptLines(folder: string, lines: number): Promise<void> {
  const file = join(folder, PARTIAL);
  const deadline = Date.now() + 15_000;
  while (!existsSync(file) || readFileSync(file, 'utf8').split('\n').length - 1 < lines) {
    if (Date.now() > deadline) throw new Error('the events were not kept');
    await pause(20);
  }
}

async function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.on('exit', (code) => resolve(code)));
}

describe('assay stream record', () => {
  it('makes a trace of what comes through a pipe, which validates, freezes and validates again', () => {
    const folder = temporaryFolder();
    const done = assay(record('traces'), { cwd: folder, input: EVENTS });
    expect(done).toEqual({
      code: 0,
      stdout: `traces/${TRACE}: 3 deltas in 2 turns of 2 agents, 0.04 s, virtual clock\n`,
      stderr: '',
    });
    const frozen = assay(['stream', 'freeze', 'traces', '--json', '--quiet'], { cwd: folder });
    expect(JSON.parse(frozen.stdout)).toMatchObject({ manifest: 'traces/traces.manifest.jsonl', cases: 1, deltas: 3 });
    const validated = assay(['stream', 'validate', 'traces', '--complete', '--quiet'], { cwd: folder });
    expect(validated).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(readdirSync(join(folder, 'traces'))).toEqual([TRACE, 'traces.case_list.jsonl', 'traces.manifest.jsonl']);
  });

  it('writes the commit of the agents into the trace, and the manifest carries it', () => {
    const folder = temporaryFolder();
    const commit = '1d5b227afa64fe3dd5eb7b7c0ef778a09501b220';
    const short = assay(record('traces', '--mac-commit', '1d5b227a'), { cwd: folder, input: EVENTS });
    expect([short.code, short.stderr]).toEqual([
      2,
      expect.stringContaining('--mac-commit 1d5b227a: expected the 40 hexadecimal digits of a commit'),
    ]);
    expect(assay(record('traces', '--mac-commit', commit), { cwd: folder, input: EVENTS }).code).toBe(0);
    expect(assay(['stream', 'freeze', 'traces', '--quiet'], { cwd: folder }).code).toBe(0);
    expect(readFileSync(join(folder, 'traces/traces.manifest.jsonl'), 'utf8')).toContain(`"mac_commit":"${commit}"`);
  });

  it.each([
    ['SIGKILL', null, ''],
    ['SIGINT', 130, '2 events kept in '],
  ] as const)('loses nothing by %s, and resumes to the same trace', async (signal, code, words) => {
    const folder = temporaryFolder();
    const lines = EVENTS.split('\n');
    const child = startRecording(folder);
    let said = '';
    child.stderr!.on('data', (chunk: Buffer) => void (said += chunk.toString('utf8')));
    child.stdin!.write(`${lines[0]!}\n${lines[1]!.slice(0, 10)}`);
    // The first line is about the recording; the event that has come in half is not an event yet.
    await keptLines(folder, 2);
    child.stdin!.write(`${lines[1]!.slice(10)}\n`);
    await keptLines(folder, 3);
    const end = ended(child);
    child.kill(signal);
    expect(await end).toBe(code);
    expect(said).toContain(words);
    expect(readdirSync(folder)).toEqual([PARTIAL]);

    const begun = assay(record(folder), { input: EVENTS });
    expect([begun.code, begun.stderr]).toEqual([2, expect.stringContaining('--resume continues it')]);
    expect(assay(record(folder, '--resume', '--quiet'), { input: `${lines[2]!}\n` })).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    expect(readdirSync(folder)).toEqual([TRACE]);
    const other = temporaryFolder();
    assay(record(other), { input: EVENTS });
    expect(readFileSync(join(folder, TRACE)).equals(readFileSync(join(other, TRACE)))).toBe(true);
  });

  it('tells of lines that are wrong, keeps the others, and finishes when asked to', () => {
    const folder = temporaryFolder();
    const done = assay(record('.'), { cwd: folder, input: `${EVENTS}oops\n{"agent":"\\u001b[2J","text":7}\n` });
    expect([done.code, done.stdout]).toEqual([2, '']);
    expect(done.stderr).toContain('standard input:4: not JSON');
    expect(done.stderr).toContain(
      'standard input:5: text: expected text, found 7\n2 lines of standard input left out; no trace was written',
    );
    expect(readdirSync(folder)).toEqual([PARTIAL]);
    const finished = assay(record('.', '--resume', '--json', '--quiet'), { cwd: folder, input: '' });
    expect(finished.code).toBe(0);
    expect(JSON.parse(finished.stdout)).toMatchObject({ file: TRACE, caseId: 'case-1', deltas: 3, clock: 'virtual' });
  });

  it('of a file tells all that is wrong at once, and keeps nothing', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'events.jsonl'), `${EVENTS}oops\n{"text":"x"}\n`);
    const events = openSync(join(folder, 'events.jsonl'), 'r');
    const done = spawnSync(process.execPath, [BIN, ...record(join(folder, 'traces'))], {
      encoding: 'utf8',
      stdio: [events, 'pipe', 'pipe'],
    });
    closeSync(events);
    expect([done.status, done.stdout]).toEqual([2, '']);
    expect(done.stderr).toContain(
      'standard input:5: agent: expected the name of an agent, found nothing\n2 problems in the input; nothing was written.',
    );
    expect(readdirSync(folder)).toEqual(['events.jsonl']);
  });

  it('without an event makes nothing', () => {
    const folder = temporaryFolder();
    const done = assay(record('x'), { cwd: folder, input: '' });
    expect([done.code, done.stdout]).toEqual([2, '']);
    expect(done.stderr).toContain('found no event, expected at least one');
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('the flags of a recording', () => {
  const none = { clock: false, resume: false };

  it('decide where times come from', () => {
    expect(clockOptions(none, true)).toEqual({ arrival: false, gapMs: 20, startMs: 946_684_800_000 });
    expect(clockOptions({ ...none, gapMs: 5, start: 1e12 }, false)).toEqual({
      arrival: false,
      gapMs: 5,
      startMs: 1e12,
    });
    expect(clockOptions({ ...none, clock: true }, true).arrival).toBe(true);
  });

  it.each([
    [{ clock: true, start: 0 }, true, '--clock uses the time of arrival'],
    [{ clock: true }, false, 'a file has no time of arrival'],
    [{ resume: true, gapMs: 5 }, true, 'a recording that is resumed keeps its clock'],
  ])('%j is refused', (flags, live, message) => {
    expect(() => clockOptions({ ...none, ...flags }, live)).toThrow(message);
  });

  it.each([
    [['--gap-ms', 'soon'], '--gap-ms soon: expected a whole number'],
    [['--start', '2000-01-01'], '--start: expected a time such as'],
  ])('%j is refused', async (flags, message) => {
    const command = recordCommand(() => undefined).exitOverride();
    await expect(command.parseAsync(record('x', ...flags).slice(2), { from: 'user' })).rejects.toThrow(message);
  });

  it('name no file outside the folder', () => {
    for (const name of ['../a', 'a/b', '.a', '', 'a b', 'a\u001b'])
      expect(() => idFlag('').read!(name, '--case')).toThrow('expected letters, digits');
  });
});
