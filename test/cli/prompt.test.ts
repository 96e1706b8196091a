import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { assayHere } from './assay-here.ts';
import { type Finished, temporaryFolder } from './run-assay.ts';

function inFolder(): {
  readonly run: (...args: string[]) => Promise<Finished>;
  readonly fed: (input: string, ...args: string[]) => Promise<Finished>;
  readonly file: (name: string, content: string) => string;
} {
  const folder = temporaryFolder();
  const env = { LANGFUSE_PUBLIC_KEY: '', LANGFUSE_SECRET_KEY: '', ASSAY_DATA: '.assay' };
  return {
    run: (...args) => assayHere(['prompt', ...args], { cwd: folder, env }),
    fed: (input, ...args) => assayHere(['prompt', ...args], { cwd: folder, env, input }),
    file(name, content) {
      writeFileSync(join(folder, name), content);
      return name;
    },
  };
}

function ok(done: Finished): string {
  expect(done).toMatchObject({ code: 0, stderr: '' });
  return done.stdout;
}

function refused(done: Finished): string {
  expect(done.code).toBe(2);
  expect(done.stderr).not.toMatch(/\n\s+at |undefined|\[object|a bug of ours/);
  return done.stderr;
}

describe('assay prompt', () => {
  it('says how to begin where there is none', async () => {
    const { run } = inFolder();
    expect(ok(await run('list'))).toBe(
      'There is no prompt in .assay yet.\n\nStart with: assay prompt create NAME FILE\n',
    );
    expect(refused(await run('show', 'x'))).toContain('nothing has been kept there yet');
  });

  it('makes versions, keeps what is unchanged, and moves labels', async () => {
    const { run, fed, file } = inFolder();
    const one = file('one.txt', '\ufeffExtract {{text}}\n');
    expect(ok(await run('create', 'extract', one, '--label', 'production', '--config', '{"temperature":0}'))).toBe(
      'Version 1 of the prompt extract in .assay, labelled latest, production.\n',
    );
    expect(ok(await run('create', 'extract', one))).toBe(
      'Version 1 already has this text; none was created (--force creates one).\n',
    );
    expect(ok(await fed('Extract all of {{text}}\n', 'create', 'extract', '-', '--message', 'all of it'))).toBe(
      'Version 2 of the prompt extract in .assay, labelled latest.\nIts config is that of version 1; --config changes it.\n',
    );
    expect(ok(await run('create', 'extract', one, '--config', '{}', '--force'))).toContain('Version 3');
    expect(ok(await run('list'))).toBe(
      'Prompts in .assay\n\nPrompt   versions  newest  labels\nextract         3       3  latest, production\n',
    );
    expect(JSON.parse(ok(await run('list', '--json')))).toEqual([
      { name: 'extract', versions: [1, 2, 3], labels: ['latest', 'production'], tags: [] },
    ]);

    expect(ok(await run('show', 'extract'))).toMatch(
      /^extract, version 1\n\nlabels +production\nconfig +\{"temperature":0\}\ncreated +\S+\n\nExtract \{\{text\}\}\n$/,
    );
    expect(ok(await run('label', 'extract', '2', 'production', 'staging'))).toBe(
      'Version 2 of the prompt extract is now labelled production, staging.\n',
    );
    expect(ok(await run('show', 'extract', '--body'))).toBe('Extract all of {{text}}\n');
    expect(JSON.parse(ok(await run('show', 'extract', '--label', 'latest', '--json')))).toMatchObject({
      version: 3,
      config: {},
    });
  });

  it('warns that a list of messages without --chat is kept as text', async () => {
    const { run, file } = inFolder();
    const yaml = file('chat.yaml', '- role: system\n  content: Be brief.\n- { role: user, content: "{{text}}" }\n');
    const done = await run('create', 'talk', yaml);
    expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('Version 1 of the prompt talk') });
    expect(done.stderr.replace(/\s+/g, ' ')).toBe(
      'Note: chat.yaml is a list of messages, and is kept as plain text. For a chat, use --chat and another name: all versions of a prompt have one type. ',
    );
    const json = file('chat.json', '[{"role":"user","content":"x"}]');
    expect((await run('create', 'json', json)).stderr).toContain('--chat');
    const other = file('other.json', '[{"type":"chatmessage","role":"user","content":[{"text":"x"}]}]');
    expect((await run('create', 'other', other)).stderr).toContain('--chat');
    ok(await run('create', 'chat', json, '--chat'));
    for (const text of ['- one\n- two\n', '[1, 2', 'a: b: c', '{"role":"user","content":"x"}', '@@@'])
      ok(await run('create', 'text', file('text.txt', text)));
  });

  it('shows a version by its number', async () => {
    const { run, fed } = inFolder();
    ok(await fed('one', 'create', 'p', '-'));
    ok(await fed('two', 'create', 'p', '-'));
    expect(ok(await run('show', 'p', '--version', '1', '--body'))).toBe('one');
    expect(refused(await run('show', 'p', '--version', '7'))).toContain(
      'the prompt p has no version 7\nversions: 1, 2; labels: latest',
    );
    expect(refused(await run('show', 'p', '--version', '1', '--label', 'latest'))).toContain(
      '--label and --version both choose a version',
    );
  });

  it('takes a chat from YAML or JSON, and gives it back as it takes it', async () => {
    const { run, fed, file } = inFolder();
    const chat = file(
      'chat.yaml',
      '- role: system\n  content: Be brief.\n- {type: placeholder, name: history}\n- {role: user, content: "{{text}}"}\n',
    );
    expect(ok(await run('create', 'chat', chat, '--chat'))).toContain('No version is labelled production yet');
    const body = ok(await run('show', 'chat', '--label', 'latest', '--body'));
    expect(JSON.parse(body)).toEqual([
      { role: 'system', content: 'Be brief.' },
      { type: 'placeholder', name: 'history' },
      { role: 'user', content: '{{text}}' },
    ]);
    expect(ok(await fed(body, 'create', 'chat', '-', '--chat'))).toContain(
      'Version 1 already has this list of messages',
    );
    expect(ok(await run('show', 'chat', '--label', 'latest'))).toContain(
      '\nsystem:\n  Be brief.\nplaceholder history\nuser:\n  {{text}}\n',
    );
    expect(refused(await fed('text', 'create', 'chat', '-'))).toContain(
      'is of type chat, and so are all its versions\nadd --chat',
    );
  });

  it.each([
    [['create', 'x', '-'], '', 'standard input is empty'],
    [['create', 'x', '-', '--label', 'latest'], 'text', 'the label latest is always on the newest version'],
    [['create', 'x', '-', '--label', 'Prod uction'], 'text', 'cannot be a label'],
    [['create', 'x', '-', '--config', '5'], 'text', 'expected a JSON object, found 5'],
    [['create', '..', '-'], 'text', 'cannot be the name of a prompt'],
    [
      ['create', 'x', '-', '--chat'],
      '- role: user\n  contnt: hi\n',
      'standard input:2: 0.contnt: there is no setting called contnt',
    ],
    [['create', 'x', '-', '--chat'], 'just text', 'expected a list, found "just text"'],
    [['create', 'x', '-', '--chat'], '- [', 'not YAML'],
    [['create', 'x', '-'], `x${'y'.repeat(1 << 20)}`, 'longer than 1 MiB'],
    [['push', 'x'], '', 'needs the keys of Langfuse'],
    [['label', 'x', 'one', 'production'], '', 'version one: expected a whole number'],
  ])('refuses %j with what to do', async (args, input, said) => {
    expect(refused(await inFolder().fed(input, ...args))).toContain(said);
  });

  it('answers unknown names and labels with what there is', async () => {
    const { run, fed } = inFolder();
    ok(await fed('text', 'create', 'extract', '-'));
    expect(refused(await run('show', 'extrcat'))).toContain('did you mean extract?');
    expect(refused(await run('show', 'extract'))).toContain(
      'no version of the prompt extract is labelled production\nversions: 1; labels: latest',
    );
    expect(refused(await run('label', 'extract', '2', 'production'))).toContain('the prompt extract has no version 2');
  });

  it('prints nothing of a prompt that a terminal would act on', async () => {
    const { run, fed } = inFolder();
    ok(await fed('a\u001b[2J\nb\u202ec', 'create', 'p', '-', '--message', '\u001b[1m'));
    expect(ok(await run('show', 'p', '--label', 'latest'))).not.toMatch(/[\u001b\u202e]/);
    expect(ok(await run('show', 'p', '--label', 'latest', '--json'))).not.toMatch(/[\u001b\u202e]/);
  });

  it('has help with examples for each of its commands, in 80 columns', async () => {
    const { run } = inFolder();
    for (const name of ['create', 'list', 'show', 'label', 'push', 'pull']) {
      const help = ok(await run(name, '--help'));
      expect(help).toContain('Examples:');
      expect(help.split('\n').filter((line) => [...line].length > 80)).toEqual([]);
    }
  });
});
