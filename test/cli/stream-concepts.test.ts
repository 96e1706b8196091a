import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import { describe, expect, it, onTestFinished } from 'vitest';

import conceptsCommand from '../../src/cli/stream/concepts.ts';
import { temporaryFolder } from './run-assay.ts';
import { runCommand } from './run-command.ts';

async function concepts(...args: string[]): Promise<string> {
  return (await runCommand(conceptsCommand, args)).stdout;
}

describe('assay stream concepts', () => {
  it('shows mentions, candidates with scores, and the rule that dropped what', async () => {
    const shown = await concepts('Ataxia: an MRI, ataxia again');
    expect(shown).toMatch(/^2 concepts: C0004134 C0024485\n\nmention +concept +name +score/);
    expect(shown).toMatch(/Ataxia \(2 times\) +C0004134 +Ataxia +1\.000 +taken/);
    expect(shown).toMatch(/C0751837 +Gait ataxia +0\.\d+ +no definition/);
    expect(shown).toMatch(/MRI +C0024485 +Magnetic resonance imaging \(MRI\) +1\.000 +taken/);
    expect(shown).toContain('2 concepts: C0004134 C0024485');
    expect(shown).not.toContain('below threshold');
    expect(await concepts('Ataxia', '--all')).toContain('below threshold');
  });

  it('shows the long form that an abbreviation was looked up by', async () => {
    const text = 'Spinocerebellar Ataxia (SCA) is likely; SCA it is.';
    expect(await concepts(text)).toMatch(
      /SCA = Spinocerebellar Ataxia \(2 times\) +C0087012 +Spinocerebellar ataxia +1\.000 +taken/,
    );
    const { mentions } = JSON.parse(await concepts(text, '--json')) as { mentions: { surface: string }[] };
    expect(mentions.find(({ surface }) => surface === 'SCA')).toMatchObject({ lookedUp: 'Spinocerebellar Ataxia' });
    expect(mentions.find(({ surface }) => surface === 'Spinocerebellar Ataxia')).toMatchObject({ lookedUp: null });
  });

  it('shows what a stoplist dropped', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'stop_cuis.txt'), 'C0004134\n');
    writeFileSync(join(folder, 'stop_entities.txt'), 'fever\n');
    const shown = await concepts('Ataxia and fever', '--stoplists', folder);
    expect(shown).toMatch(/Ataxia +C0004134 +Ataxia +1\.000 +stoplist/);
    expect(shown).toMatch(/fever +stoplist/);
    expect(shown).toContain('No concepts.');
  });

  it('reads a file, and prints ids alone or everything as JSON, with nothing that a terminal would act on', async () => {
    const file = join(temporaryFolder(), 'note.txt');
    writeFileSync(file, 'fever \u001b[2J of the brain');
    expect(await concepts('--file', file, '--quiet')).toBe('C0006104\nC0015967\n');
    const shown = await concepts('--file', file, '--json');
    expect(JSON.parse(shown)).toMatchObject({ concepts: ['C0006104', 'C0015967'], extractor: { name: 'vocabulary' } });
    expect(`${shown}${await concepts('--file', file, '--all')}`).not.toContain('\u001b');
  });

  it.each([
    [true, [], 'Reading from standard input; Ctrl-D ends it.\n'],
    [true, ['--quiet'], ''],
    [false, [], ''],
  ])('waits for standard input, and says so at a terminal: %j, %j', async (isTTY, flags, note) => {
    const stdin = Object.getOwnPropertyDescriptor(process, 'stdin')!;
    onTestFinished(() => void Object.defineProperty(process, 'stdin', stdin));
    const value = Object.assign(Readable.from([Buffer.from('ataxia')]), { isTTY });
    Object.defineProperty(process, 'stdin', { value, configurable: true });
    const { stdout, stderr } = await runCommand(conceptsCommand, flags);
    expect([stderr, stdout.includes('C0004134')]).toEqual([note, true]);
  });

  it('shows that a recording does not explain its concepts', async () => {
    const file = join(temporaryFolder(), 'recorded.jsonl');
    writeFileSync(file, '{"text":"x","concepts":["C1"]}\n');
    expect(await concepts('x', '--concepts', `recorded:${file}`)).toBe(
      '1 concept: C1\n\nThis extractor does not explain how it found them.\n',
    );
  });

  it('keeps an answer for later', async () => {
    const file = join(temporaryFolder(), 'recorded.jsonl');
    await concepts('ataxia', '--record', file, '--quiet');
    expect(await concepts('ataxia', '--concepts', `recorded:${file}`, '--quiet')).toBe('C0004134\n');
  });

  it('refuses a text and a file at once, and a file that is no text', async () => {
    const file = join(temporaryFolder(), 'x.bin');
    writeFileSync(file, Buffer.from([0x41, 0xff, 0xfe]));
    await expect(concepts('a', '--file', file)).rejects.toThrow('a text and --file are given');
    await expect(concepts('--file', file)).rejects.toThrow('it is not UTF-8 text');
  });
});
