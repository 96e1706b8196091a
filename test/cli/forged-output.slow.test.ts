import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';

import { describe, expect, it } from 'vitest';

import { guardFromCommands, withoutCommands } from '../../src/cli/workflow-commands.ts';
import { assayHere } from './assay-here.ts';
import { BIN, type Finished, PII, temporaryFolder } from './run-assay.ts';

/** A name that breaks out of its line, gives a runner of GitHub orders and colours the terminal. */
const EVIL = 'x\n::error::forged\r##[error]forged\u001b[31m\u009b31m\u2028::error::forged';
const ACTIONS = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: '' };

/** Everything a terminal, a reader or a runner of GitHub would take for more than text. */
function forgeries({ stdout, stderr }: Finished): string[] {
  return `${stdout}\n${stderr}`
    .split('\n')
    .filter(
      (line) =>
        /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/.test(line) ||
        /^\s*(?:(?:::|\\u003a:)error::|#\\u0023\[|forged)|##\[/.test(line),
    );
}

const COMMANDS = [
  '',
  ...'init score explain waterfall sweep compare gate audit repeats agree run serve report schema'.split(' '),
  ...under('dataset', 'create import list show version validate traces seed archive restore push pull'),
  ...under('prompt', 'create list show label push pull'),
  ...under('review', 'create list people links serve export import status adjudicate judge report history backup'),
  ...under('stream', 'record freeze validate stoplist index concepts replay measure figures calibrate run'),
];

function under(group: string, names: string): string[] {
  return [group, ...names.split(' ').map((name) => `${group} ${name}`)];
}

describe('names on the command line', () => {
  it.each(COMMANDS)('start no line and give no orders: assay %s', async (words) => {
    const command = words.split(' ').filter((word) => word !== '');
    const cwd = temporaryFolder();
    const help = (await assayHere([...command, '--help'], { cwd })).stdout;
    const flags = [...help.matchAll(/^\s+(?:-\w, )?(--[a-z-]+) [<[]/gm)].map(([, flag]) => flag!);
    const names = (/^Usage: (.*)/.exec(help)?.[1] ?? '').match(/<[^>]+>/g)?.map(() => EVIL) ?? [];
    // Nothing may begin to serve.
    const port = flags.includes('--port') ? ['--port', EVIL] : [];
    for (const given of [
      names,
      [...names, EVIL, EVIL, EVIL, EVIL],
      [`--${EVIL}`],
      ...flags.map((flag) => [...names, flag, EVIL]),
    ]) {
      const call = [...command, ...given, ...port];
      expect([call, forgeries(await assayHere(call, { cwd, env: ACTIONS }))]).toEqual([call, []]);
    }
  });
});

describe('names in data', () => {
  it('start no line and give no orders: runs', async () => {
    const cwd = temporaryFolder();
    const span = { start: 0, end: 3, label: EVIL };
    const lines = Array.from({ length: 4 }, (_, at) => ({
      id: `${EVIL}${at}`,
      text: `Ann met Bo ##[error]forged\u001b[31m`,
      lang: EVIL,
      at,
    }));
    const file = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    writeFileSync(join(cwd, `gold${EVIL}`), file(lines.map((row) => ({ ...row, gold: [span] }))));
    writeFileSync(
      join(cwd, `said${EVIL}`),
      file(
        lines.map(({ id, at }) => ({
          id,
          predictions: at === 0 ? [] : [{ ...span, label: at === 1 ? `${EVIL}b` : EVIL }],
        })),
      ),
    );
    writeFileSync(
      join(cwd, `rules${EVIL}`),
      `rules:\n  - measure: f1\n    slice: {label: ${JSON.stringify(EVIL)}}\n    min: 1\n`,
    );
    writeFileSync(
      join(cwd, 'ratings.csv'),
      'item,rater,value\n"a\n::error::forged",r,1\n"a\n::error::forged","s\n::error::forged",2\n',
    );
    const data = ['--gold', `gold${EVIL}`, '--predictions', `said${EVIL}`];
    const runs = [`one${EVIL}`, `two${EVIL}`];
    for (const call of [
      ['score', 'pii/strict', ...data, '--out', runs[0]!, '--set', 'slice=[label, lang]'],
      ['score', 'pii/strict', ...data, '--out', runs[1]!, '--set', 'slice=[label, lang]', '--json'],
      ['explain', runs[0]!],
      ['explain', runs[0]!, '--json'],
      ['explain', runs[0]!, '--case', `${EVIL}1`],
      ['report', runs[0]!],
      ['report', runs[0]!, '--format', 'markdown'],
      ['audit', runs[0]!],
      ['compare', ...runs],
      ['compare', ...runs, '--json'],
      ['repeats', ...runs],
      ['gate', runs[0]!, '--rules', `rules${EVIL}`, '--json'],
      ['waterfall', runs[0]!],
      ['sweep', 'pii/strict', ...data, '--over', 'pair.assign=optimal,in-order'],
      ['agree', 'ratings.csv'],
      ['dataset', 'create', 'd', '--description', EVIL],
      ['dataset', 'import', 'd', `gold${EVIL}`],
      ['dataset', 'list'],
      ['dataset', 'show', 'd'],
      ['dataset', 'validate', 'd'],
      ['prompt', 'create', 'p', `gold${EVIL}`],
      ['prompt', 'list'],
      ['prompt', 'show', 'p'],
      ['stream', 'validate', `gold${EVIL}`],
      ['stream', 'concepts', EVIL],
    ]) {
      const done = await assayHere(call, { cwd, env: ACTIONS });
      expect([call, done.code === 70, forgeries(done)]).toEqual([call, false, []]);
    }
  });

  it('give no orders where a text is shown as it is, line by line, unless it goes to a file', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'prompt.txt'), 'Hello.\n  ::error::forged\n##[error]forged\n');
    await assayHere(['prompt', 'create', 'p', 'prompt.txt'], { cwd });
    const shown = await assayHere(['prompt', 'show', 'p', '--version', '1', '--body'], { cwd, env: ACTIONS });
    expect(shown.stdout).toBe('Hello.\n  \\u003a:error::forged\n#\\u0023[error]forged\n');
    const descriptor = openSync(join(cwd, 'copy.txt'), 'w');
    spawnSync(process.execPath, [BIN, 'prompt', 'show', 'p', '--version', '1', '--body'], {
      cwd,
      env: { ...process.env, ...ACTIONS },
      stdio: ['ignore', descriptor, 'ignore'],
    });
    closeSync(descriptor);
    expect(readFileSync(join(cwd, 'copy.txt'), 'utf8')).toBe('Hello.\n  ::error::forged\n##[error]forged\n');
  });
});

describe('withoutCommands', () => {
  it.each([
    ['::error::x', '\\u003a:error::x'],
    ['a ::error::x\n \t::error::x', 'a ::error::x\n \t\\u003a:error::x'],
    ['a\r::error::x', 'a\r\\u003a:error::x'],
    ['{"a":"##[error]"}', '{"a":"#\\u0023[error]"}'],
    ['## heading ::x', '## heading ::x'],
  ])('%j', (text, safe) => expect(withoutCommands(text)).toBe(safe));

  it('holds for a command that comes in pieces', () => {
    const stream = Object.assign(new PassThrough({ encoding: 'utf8' }), { fd: -1 as const });
    const unguard = guardFromCommands([stream]);
    for (const piece of ['a', ':', ':b\n', ' ', ':', ':error::x\n', 'c #', '#[error]', ' ##', '[error]'])
      stream.write(piece);
    unguard();
    stream.write('::end');
    expect(stream.read()).toBe('a::b\n \\u003a:error::x\nc #\\u0023[error] #\\u0023[error]::end');
  });
});

describe('what is not JSON', () => {
  const KEY = 'sk-lf-0123456789';

  it('is not quoted where it may be a key: the keys of the server, the files of a run', async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, '.assay'));
    writeFileSync(join(cwd, '.assay/keys.json'), KEY);
    const served = await assayHere(['serve', '--port', '0'], { cwd });
    expect(served).toMatchObject({ code: 2, stderr: expect.not.stringContaining(KEY) });
    await assayHere([...PII, '--out', 'run'], { cwd });
    for (const file of readdirSync(join(cwd, 'run')).filter((name) => /\.jsonl?$/.test(name))) {
      const before = readFileSync(join(cwd, 'run', file));
      writeFileSync(join(cwd, 'run', file), KEY);
      for (const command of ['explain', 'report', 'audit', 'gate']) {
        const { stdout, stderr } = await assayHere([command, 'run'], { cwd });
        expect([file, command, `${stdout}${stderr}`.includes(KEY)]).toEqual([file, command, false]);
      }
      writeFileSync(join(cwd, 'run', file), before);
    }
  });
});
