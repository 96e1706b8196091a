import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { expectNaming, plainNaming, readAbout } from '../../src/score/run-about.ts';
import { temporaryFolder } from '../cli/run-assay.ts';

const NOTHING = { name: null, note: null, tags: {}, date: null, commit: null };

describe('what a run is called', () => {
  it('is kept without the space around it, with the tags by key', () => {
    expect(
      expectNaming({ name: ' GLiNER small ', note: 'one\r\ntwo\n', tags: { prompt: 'v3', model: ' gliner ' } }),
    ).toEqual({
      name: 'GLiNER small',
      note: 'one\ntwo',
      tags: { model: 'gliner', prompt: 'v3' },
    });
    expect(expectNaming({ tags: {} })).toBeNull();
  });

  it('is refused if it is empty, too long, or has what cannot be seen', () => {
    expect(() => expectNaming({ name: '  ' })).toThrow('name is empty');
    expect(() => expectNaming({ name: 'x'.repeat(201) })).toThrow('201 characters, at most 200');
    expect(() => expectNaming({ name: 'a\u001b[2Jb' })).toThrow('characters that cannot be seen');
    expect(() => expectNaming({ name: 'a\nb' })).toThrow('characters that cannot be seen');
    expect(() => expectNaming({ note: 'a\u202eb' })).toThrow('characters that cannot be seen');
    expect(() => expectNaming({ tags: { 'a b': 'c' } })).toThrow('not the key of a tag');
    expect(() => expectNaming({ tags: { a: '' } })).toThrow('tag a: expected a value of 1 to 200 characters');
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, 'v']));
    expect(() => expectNaming({ tags: many })).toThrow('51 tags, at most 50');
  });

  it('is made presentable for an experiment, which nobody runs again over a character', () => {
    const { name = '', note } = plainNaming({ name: `a\u0007b${'😀'.repeat(150)}`, note: 'one\ntwo' });
    expect(name.startsWith('a b😀')).toBe(true);
    expect(name.length).toBeLessThanOrEqual(200);
    expect(note).toBe('one two');
    expect(() => expectNaming(plainNaming({ name, note: 'x'.repeat(20_000) }))).not.toThrow();
    expect(plainNaming({ name: ' \u0000 ' })).toEqual({});
  });
});

describe('reading it from a folder', () => {
  const folderWith = (files: Readonly<Record<string, string>>): string => {
    const folder = temporaryFolder();
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return folder;
  };

  it('joins the name with the time and the commit', async () => {
    const commit = { hash: '0123456789ab', dirty: false };
    const folder = folderWith({
      'about.json': JSON.stringify({ name: 'a', note: null, tags: { k: 'v' } }),
      'timing.json': JSON.stringify({ started: '2026-01-02T03:04:05.678Z', commit, paths: [] }),
    });
    expect(await readAbout(folder)).toEqual({
      name: 'a',
      note: null,
      tags: { k: 'v' },
      date: '2026-01-02T03:04:05.678Z',
      commit,
    });
  });

  it('takes files that are absent, damaged, forged or no files for nothing', async () => {
    expect(await readAbout(temporaryFolder())).toEqual(NOTHING);
    expect(await readAbout(folderWith({ 'about.json': '{"name":' }))).toEqual(NOTHING);
    const forged = [
      { name: '\u001b]0;x\u0007', note: null, tags: {} },
      { name: 1, note: null, tags: {} },
      { name: 'a', note: null, tags: { 'a b': 'c' } },
      { name: 'x'.repeat(201), note: null, tags: {} },
    ];
    for (const about of forged)
      expect(await readAbout(folderWith({ 'about.json': JSON.stringify(about) }))).toEqual(NOTHING);
    const timing = JSON.stringify({ started: 'yesterday', commit: { hash: '$(id)', dirty: false } });
    expect(await readAbout(folderWith({ 'timing.json': timing }))).toEqual(NOTHING);
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'about.json'));
    symlinkSync('/dev/zero', join(folder, 'timing.json'));
    expect(await readAbout(folder)).toEqual(NOTHING);
  });

  it('reads the time of a run that was scored before commits were kept', async () => {
    const folder = folderWith({ 'timing.json': JSON.stringify({ started: '2026-01-02T03:04:05.678Z', paths: [] }) });
    expect(await readAbout(folder)).toEqual({ ...NOTHING, date: '2026-01-02T03:04:05.678Z' });
  });
});
