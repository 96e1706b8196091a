import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { extractorFromSpec, settingsFromSpec } from '../../../src/stream/concepts/extractor-from-spec.ts';
import { buildIndex } from '../../../src/stream/concepts/linker/build-index.ts';
import { writeIndex } from '../../../src/stream/concepts/linker/linker-index.ts';
import { temporaryFolder } from '../../cli/run-assay.ts';

const KB = '{"concept_id":"C1","canonical_name":"Quarrel disease","aliases":["quarrels"],"types":["T047"]}\n';

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    if (name.includes('/')) mkdirSync(join(folder, name.split('/')[0]!), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

describe('extractorFromSpec', () => {
  it.each([
    ['vocabulary', { extractor: 'vocabulary' }],
    ['index:a:b.idx', { extractor: 'linker', index: 'a:b.idx' }],
    ['kb:umls/META', { extractor: 'linker', kb: 'umls/META' }],
    ['scispacy', { extractor: 'scispacy' }],
    ['scispacy:venv/bin/python', { extractor: 'scispacy', command: 'venv/bin/python' }],
    ['http:http://localhost:8000/x', { extractor: 'scispacy', url: 'http://localhost:8000/x' }],
    ['https://nlp.example/x', { extractor: 'scispacy', url: 'https://nlp.example/x' }],
    ['recorded:a.jsonl', { extractor: 'recorded', file: 'a.jsonl' }],
  ])('understands %s', async (spec, settings) => {
    expect(await settingsFromSpec(spec)).toMatchObject({ settings });
  });

  it.each([
    ['vocabulry', 'did you mean vocabulary?'],
    ['kb:', 'expected PATH after the colon'],
    ['index', 'expected FILE after the colon'],
    ['vocabulary:mine.jsonl', 'vocabulary is the one that ships'],
    ['nowhere.yaml', 'no such file'],
  ])('refuses %s', async (spec, message) => {
    const error: unknown = await settingsFromSpec(spec).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(Error);
    const { message: said, next } = error as { message: string; next?: string | null };
    expect(`${said} ${next ?? ''}`).toContain(message);
  });

  it('links by a knowledge base as it is, by an index of it, and by settings that name either', async () => {
    const folder = folderOf({ 'kb.jsonl': KB, 'kb.yaml': 'extractor: linker\nkb: kb.jsonl\n' });
    const concept = { id: 'C1', name: 'Quarrel disease', aliases: ['quarrels'], types: [], hasDefinition: false };
    writeIndex(await buildIndex([concept]), join(folder, 'kb.idx'));
    writeFileSync(join(folder, 'index.yaml'), 'extractor: linker\nindex: kb.idx\nmax_k: 1\n');
    for (const spec of ['kb:kb.jsonl', 'index:kb.idx', 'kb.yaml', 'index.yaml']) {
      const own = spec.includes(':') ? spec.replace(':', `:${folder}/`) : join(folder, spec);
      expect(await (await extractorFromSpec(own)).extract('He has quarrels.'), spec).toEqual(['C1']);
    }
  });

  it('uses no stoplists where none are given', async () => {
    const extractor = await extractorFromSpec('vocabulary');
    expect(extractor.identity.stoplist).toBeNull();
    expect(await extractor.extract('the patient has ataxia')).toEqual(['C0004134', 'C0030705']);
  });

  it('uses those of a folder, and gives the same hash whatever order and remarks the files have', async () => {
    const one = folderOf({ 'stop_cuis.txt': '# a\nC0030705\nc0011900\n', 'stop_entities.txt': 'Ataxia\n' });
    const two = folderOf({ 'stop_cuis.txt': 'C0011900\nC0030705\n', 'stop_entities.txt': '\nataxia' });
    const [a, b] = [
      await extractorFromSpec('vocabulary', { stoplists: one }),
      await extractorFromSpec('vocabulary', { stoplists: two }),
    ];
    expect(await a.extract('the patient has ataxia and fever')).toEqual(['C0015967']);
    expect(a.identity.stoplist).toMatch(/^sha256:/);
    expect(a.identity).toEqual(b.identity);
    await expect(extractorFromSpec('vocabulary', { stoplists: temporaryFolder() })).rejects.toThrow('found neither');
  });

  it('finds the stoplists of settings beside them or one folder up, unless they are switched off', async () => {
    const settings = 'concept_extractor:\n  stop_cuis_file: configs/stop_cuis.txt\n';
    const folder = folderOf({ 'configs/extractor.yaml': settings, 'configs/stop_cuis.txt': 'C0004134\n' });
    const spec = join(folder, 'configs', 'extractor.yaml');
    expect(await (await extractorFromSpec(spec)).extract('ataxia, fever')).toEqual(['C0015967']);
    const off = await extractorFromSpec(spec, { stoplists: 'off' });
    expect(await off.extract('ataxia, fever')).toEqual(['C0004134', 'C0015967']);
    expect(off.identity.stoplist).toBeNull();
    const missing = folderOf({ 'extractor.yaml': 'stop_entities_file: configs/none.txt\n' });
    await expect(extractorFromSpec(join(missing, 'extractor.yaml'))).rejects.toThrow(
      'stop_entities_file: configs/none.txt is neither in the folder of the settings nor in the one above',
    );
  });

  it('holds our linker to the stricter of the two thresholds and limits that the original has', async () => {
    const folder = folderOf({
      'a.yaml':
        'extractor: vocabulary\ncui_score_threshold: 0.6\nlinker_threshold: 0.8\nmax_k: 4\nlinker_max_entities_per_mention: 9\n',
    });
    const { identity } = await extractorFromSpec(join(folder, 'a.yaml'));
    expect(identity.settings).toMatchObject({ threshold: 0.8, maxK: 4, minEntityLength: 3 });
  });

  it('records while it answers, for later use without what answered', async () => {
    const file = join(temporaryFolder(), 'recorded.jsonl');
    const extractor = await extractorFromSpec('vocabulary', { record: file });
    await extractor.extract('ataxia');
    await extractor.close?.();
    expect(await (await extractorFromSpec(`recorded:${file}`)).extract('ataxia')).toEqual(['C0004134']);
  });
});
