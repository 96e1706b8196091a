import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { assayHere } from './assay-here.ts';
import { assay, BIN, example, type Finished, JOURNAL, PII, ROOT, temporaryFolder } from './run-assay.ts';

/** Every mistake ends with code 2, says what to do, and shows no stack. */
function refusal(done: Finished): string {
  expect(done.code).toBe(2);
  expect(done.stderr).not.toMatch(/\n\s+at |undefined|\[object/);
  expect(done.stdout).toBe('');
  return done.stderr;
}
const refused = async (args: readonly string[], cwd = ROOT): Promise<string> => refusal(await assayHere(args, { cwd }));

describe('a mistyped call', () => {
  it.each([
    [['scroe', 'pii/strict'], 'score'],
    [['score', 'pii/pirahna', '--cases', 'x'], 'pii/piranha'],
    [['score', 'journal/ashwan', '--cases', 'x'], 'journal/ashwam'],
    [['score', 'pii/strict', '--prediction', 'x'], '--predictions'],
    // A beginning goes before a word that is fewer letters away, such as --cases.
    [['score', 'pii/strict', '--base', 'x'], "unknown option '--base'\n(Did you mean --baseline?)"],
    [['score', 'pii/strict', '--base=x'], '(Did you mean --baseline?)'],
    [['review', 'link'], '(Did you mean assay review links?)'],
    [['review', 'links', '--ren', 'x'], '(Did you mean --renew?)'],
    [['stream', 'replay', '--trace', 'x'], '(You wrote --trace. Did you mean --traces?)'],
    [['score', '--xyzzy'], "unknown option '--xyzzy'\nSee assay score --help for examples."],
    [['xyzzy'], "unknown command 'xyzzy'\nSee assay --help, or assay COMMAND --help for examples."],
    [['queue', 'status'], '(It can also come from the variable ASSAY_QUEUE.)\nSee assay queue status --help'],
    [[...PII, '--set', 'pair.asign=optimal'], 'pair.assign'],
    [[...PII, '--set', 'judge.loc-in-orgs=off'], 'loc-in-org'],
    [[...PII, '--set', 'judge.excuse-overlap.shares=0.6'], 'excuse-overlap'],
    [[...PII, '--set', 'pair.assign=optimum'], 'optimal'],
    [[...PII, '--set', 'pair.similarity=levenstein'], 'levenshtein'],
    [[...PII, '--set', 'measure.macro_f2={}'], 'macro_f1'],
    [[...PII, '--format', 'conl'], 'conll'],
    [[...PII, '--offsets', 'utf-16'], 'utf16'],
    [['init', 'jurnal'], 'journal'],
    [['schema', 'recipes'], 'recipe'],
    [['explain'], 'run'],
  ])('%j points to %s', async (args, hint) => {
    expect(await refused(args)).toContain(hint);
  });

  it('says what is missing', async () => {
    // In a process of its own, whose exit code a shell sees.
    expect(refusal(assay(['score', 'pii/strict']))).toContain('--gold FILE');
    expect(await refused(['score', 'pii/strict', '--gold', example('pii/gold.jsonl')])).toContain('--predictions FILE');
    expect(await refused([...PII, '--set', 'nonsense'])).toContain('path=value');
  });
});

describe.skipIf(process.platform === 'win32')('a device or a pipe as a file that is written by hand', () => {
  const commands = (file: string, run: string): string[][] => [
    ['score', file, '--gold', example('pii/gold.jsonl'), '--predictions', example('pii/gold.jsonl')],
    ['gate', run, '--rules', file],
    ['run', file],
  ];

  it('is refused: it may never end', async () => {
    const folder = temporaryFolder();
    spawnSync('mkfifo', [join(folder, 'pipe')]);
    for (const file of ['/dev/zero', '/dev/tty', '/dev/null', join(folder, 'pipe')].filter((one) => existsSync(one)))
      for (const command of commands(file, folder))
        expect(await refused(command)).toContain(`${file} is not a plain file`);
  });

  it('is refused where it is too long, read where it is the pipe of a shell', () => {
    const inBash = (recipe: string): Finished => {
      const data = `--gold ${example('pii/gold.jsonl')} --predictions ${example('pii/gold.jsonl')}`;
      const done = spawnSync('bash', ['-c', `"${process.execPath}" "${BIN}" score <(${recipe}) ${data}`], {
        encoding: 'utf8',
        env: { ...process.env, NO_COLOR: '1' },
      });
      return { code: done.status, stdout: done.stdout, stderr: done.stderr };
    };
    expect(inBash('echo "extends: pii/strict"').code).toBe(0);
    expect(refusal(inBash('yes "a: 1"'))).toContain('is longer than 16 MiB');
  });
});

describe('a wrong file', () => {
  it('that is missing, empty, a directory or something else is named with what to do', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'sub'));
    writeFileSync(join(folder, 'empty.jsonl'), '');
    writeFileSync(join(folder, 'docs.json'), '[{"doc_id": 1, "tex');
    writeFileSync(join(folder, 'odd.jsonl'), '{"foo": 1}\n');
    const score = (file: string): Promise<string> =>
      refused(['score', 'pii/piranha', '--cases', file, '--out', 'run'], folder);
    expect(await score('doc.json')).toMatch(/no such file \(did you mean docs\.json/);
    expect(await score('sub')).toContain('the folder has no files');
    expect(await score('empty.jsonl')).toContain('empty');
    expect(await score('docs.json')).toMatch(/docs\.json:1: .*cut off/);
    expect(await score('odd.jsonl')).toContain('--format');
  });

  it('of another task is refused instead of leaving its items out', async () => {
    const files = ['--gold', example('pii/gold.jsonl'), '--predictions', example('pii/predictions.jsonl')];
    expect(await refused(['score', 'graph/openspec', ...files])).toContain(
      'has items of the kind span, but graph/openspec scores entity and relationship only',
    );
    expect(await refused(JOURNAL.map((word) => (word === 'journal/ashwam' ? 'pii/strict' : word)))).toContain(
      'kind object',
    );
  });

  it('with many problems that are alike shows the first three and counts the rest', async () => {
    const folder = temporaryFolder();
    const lines = Array.from({ length: 30 }, (_, at) =>
      JSON.stringify({ id: `d${at}`, text: 'abc', gold: [{ start: 2, end: 9, label: 'X' }], predicted: [] }),
    );
    writeFileSync(join(folder, 'bad.jsonl'), `${lines.join('\n')}\n`);
    const said = await refused(['score', 'pii/strict', '--cases', 'bad.jsonl'], folder);
    expect(said.match(/bad\.jsonl:\d+:/g)).toHaveLength(3);
    expect(said).toContain('bad.jsonl:1:');
    expect(said).toContain('and 27 more like this');
    expect(said).toContain('30 problems');
  });
});

describe('output that nobody takes', () => {
  it.skipIf(!existsSync('/dev/full'))('because the disk is full is said, and is no bug of ours', () => {
    const full = openSync('/dev/full', 'w');
    try {
      const done = spawnSync(process.execPath, [BIN, ...PII], { stdio: ['ignore', full, 'pipe'], encoding: 'utf8' });
      expect([done.status, done.stderr]).toEqual([2, 'assay: the output cannot be written (the disk is full)\n']);
    } finally {
      closeSync(full);
    }
  });
});

describe('help', () => {
  it.each(['score', 'explain', 'report', 'schema', 'init', 'demo'])('of %s shows examples', async (command) => {
    const done = await assayHere([command, '--help'], { cwd: ROOT });
    expect(done.code).toBe(0);
    expect(done.stdout).toContain(`$ assay ${command}`);
  });

  it('comes without a command, and names the version', async () => {
    expect(assay([])).toMatchObject({ code: 0 });
    expect((await assayHere(['--version'], { cwd: ROOT })).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
