import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { configProvenance } from '../../../src/stream/concepts/extractor-provenance.ts';
import { keepStoplists } from '../../../src/stream/concepts/stoplist-files.ts';
import { measuredConcepts } from '../../../src/stream/measure/replayed-concepts.ts';
import { variantFolders } from '../../../src/stream/measure/variant-folders.ts';
import { temporaryFolder } from '../../cli/run-assay.ts';

type Flags = Parameters<typeof configProvenance>[1] & { readonly config?: string };

/** A folder of logs that hold nothing but their first record, as a replay with these flags writes it. */
async function replay(variants: Readonly<Record<string, Flags>>): Promise<string> {
  const runs = temporaryFolder();
  for (const [variant, { config = null, ...flags }] of Object.entries(variants)) {
    const { stopFiles, ...stated } = await configProvenance(config, flags);
    writeLog(runs, variant, stated);
    if (stopFiles !== null) keepStoplists(stopFiles, runs);
  }
  return runs;
}

function writeLog(runs: string, variant: string, stated: object): void {
  mkdirSync(join(runs, variant));
  writeFileSync(join(runs, variant, 'a.run.jsonl'), `${JSON.stringify({ record_type: 'run_meta', ...stated })}\n`);
}

function measured(runs: string, { force = false, ...flags }: Flags = {}) {
  return measuredConcepts({ runs, folders: variantFolders(runs, null), force, ...flags });
}

function folder(files: Readonly<Record<string, string>>): string {
  const made = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(made, name), text);
  return made;
}

const STRICT = { 'extractor.yaml': 'extractor: vocabulary\ncui_score_threshold: 0.9\nmax_k: 3\n' };
// Fever.
const LISTS = { 'stop_cuis.txt': 'C0015967\n' };
const TEXT = 'Fever and ataxia.';

describe('the concepts that logs are measured by', () => {
  it('are those that the logs state, with no flag, wherever the configuration is by then', async () => {
    const config = folder({ ...STRICT, ...LISTS });
    const runs = await replay({ V0: { config }, V2: { config } });
    rmSync(config, { recursive: true });
    const { extractor, replayed } = await measured(runs);
    expect(extractor.identity).toMatchObject({ name: 'vocabulary', settings: { threshold: 0.9, maxK: 3 } });
    expect(await extractor.extract(TEXT)).toEqual(['C0004134']);
    expect(replayed).toBeNull();
  });

  it('may be named again by the flags of the replay', async () => {
    const config = folder({ ...STRICT, ...LISTS });
    const runs = await replay({ V0: { config } });
    for (const flags of [{ config }, { concepts: join(config, 'extractor.yaml') }, { config, stoplists: config }])
      expect(await measured(runs, flags)).toMatchObject({ replayed: null });
  });

  it('are those of the flags where the logs state none', async () => {
    const runs = temporaryFolder();
    writeLog(runs, 'V0', {});
    const { extractor, replayed } = await measured(runs, { stoplists: folder(LISTS) });
    expect([await extractor.extract(TEXT), replayed]).toEqual([['C0004134'], null]);
  });

  it('are no others without --force, which states what was replayed', async () => {
    const runs = await replay({ V0: { config: folder({ ...STRICT, ...LISTS }) } });
    await expect(measured(runs, { concepts: 'vocabulary' })).rejects.toThrow(
      `${runs}: the logs of V0 were made for another extractor, settings.threshold 0.9, not 0.7`,
    );
    const { extractor, replayed } = await measured(runs, { concepts: 'vocabulary', force: true });
    // Stoplists of another extractor do not come along.
    expect(await extractor.extract(TEXT)).toEqual(['C0004134', 'C0015967']);
    // printf 'C0015967\n' | sha256sum
    expect(replayed).toMatch(/^vocabulary sha256:[0-9a-f]{8} with stop_cuis\.txt sha256:9462b997$/);
  });

  it('keep the stoplists of the logs if --force is there for another reason', async () => {
    const runs = await replay({ V0: { config: folder({ ...STRICT, ...LISTS }) } });
    const { extractor, replayed } = await measured(runs, { force: true });
    expect([await extractor.extract(TEXT), replayed]).toEqual([['C0004134'], null]);
  });

  it.each([
    ['edited', (lists: string): Flags => (appendFileSync(join(lists, 'stop_cuis.txt'), 'C1\n'), { stoplists: lists })],
    ['left out', (): Flags => ({ stoplists: 'off' })],
  ])('are not found with stoplists that were %s', async (_, change) => {
    const lists = folder(LISTS);
    const runs = await replay({ V0: { stoplists: lists } });
    const flags = change(lists);
    await expect(measured(runs, flags)).rejects.toThrow(
      'V0 were made for another stop_cuis.txt, sha256:9462b997, not ',
    );
    expect(await measured(runs, { ...flags, force: true })).toMatchObject({ replayed: expect.any(String) });
  });

  it('are not found with a kept copy of stoplists that was edited', async () => {
    const runs = await replay({ V0: { stoplists: folder(LISTS) } });
    appendFileSync(join(runs, 'stoplists/stop_cuis.txt'), 'C1\n');
    await expect(measured(runs)).rejects.toThrow('V0 were made for another stop_cuis.txt, sha256:9462b997, not ');
  });

  it('are not found with stoplists that the logs do not state, or that are gone', async () => {
    const none = await replay({ V0: {} });
    await expect(measured(none, { stoplists: folder(LISTS) })).rejects.toThrow(
      'another stop_cuis.txt, none, not sha256:9462b997',
    );
    const gone = await replay({ V0: { stoplists: folder(LISTS) } });
    rmSync(join(gone, 'stoplists'), { recursive: true });
    await expect(measured(gone)).rejects.toThrow(/made for stoplists \(stop_cuis\.txt sha256:9462b997.*does not exist/);
  });

  it('are the same for all variants, which are named if they are not', async () => {
    const runs = await replay({ V0: {}, V1: {}, V2: { config: folder(STRICT) }, V3: { stoplists: folder(LISTS) } });
    const error =
      /different concepts, V0, V1 for vocabulary \S+ without stoplists; V2 for .*; V3 for .* with stop_cuis/;
    await expect(measured(runs)).rejects.toThrow(error);
    await expect(measured(runs, { force: true })).rejects.toThrow(error);
    const { replayed } = await measured(runs, { concepts: 'vocabulary', force: true });
    expect(replayed).toMatch(/^vocabulary \S+ without stoplists; vocabulary \S+ with stop_cuis/);
  });

  it('are named with a flag if a log does not hold the extractor itself', async () => {
    const kb = join(folder({}), 'kb.jsonl');
    writeFileSync(kb, '{"concept_id":"C1","canonical_name":"Fever","aliases":["pyrexia"],"types":["T184"]}\n');
    const runs = await replay({ V0: { concepts: `kb:${kb}` } });
    await expect(measured(runs)).rejects.toThrow(
      /made for linker sha256:\w{8} without stoplists\. A log does not hold/,
    );
    const { extractor, replayed } = await measured(runs, { concepts: `kb:${kb}` });
    expect([await extractor.extract('pyrexia'), replayed]).toEqual([['C1'], null]);
    appendFileSync(kb, '{"concept_id":"C2","canonical_name":"Ataxia","aliases":[],"types":["T184"]}\n');
    await expect(measured(runs, { concepts: `kb:${kb}` })).rejects.toThrow('knowledge_base_hash sha256:');
  });

  it('of logs that name scispaCy by its model only are never those of another extractor by themselves', async () => {
    const runs = temporaryFolder();
    writeLog(runs, 'V0', { concept_extractor: { scispacy_model: 'en_core_sci_sm', linker_name: 'umls', max_k: 10 } });
    await expect(measured(runs)).rejects.toThrow('made for scispacy en_core_sci_sm umls without stoplists');
    await expect(measured(runs, { force: true })).rejects.toThrow('made for scispacy');
    await expect(measured(runs, { concepts: 'vocabulary' })).rejects.toThrow('name scispacy, not vocabulary');
    expect(await measured(runs, { concepts: 'vocabulary', force: true })).toMatchObject({
      replayed: 'scispacy en_core_sci_sm umls without stoplists',
    });
  });

  it('are not found with stoplists of another extractor, in a replay neither', async () => {
    const lists = folder(LISTS);
    const maker = { name: 'linker', version: '1', settings: {}, knowledgeBase: null, stoplist: null };
    writeFileSync(join(lists, 'stoplists_metadata.json'), JSON.stringify({ extractor: maker }));
    await expect(replay({ V0: { stoplists: lists } })).rejects.toThrow('were made with linker, not with vocabulary');
    const runs = await replay({ V0: { stoplists: lists, force: true } });
    await expect(measured(runs)).rejects.toThrow('were made with linker, not with vocabulary');
    const { identity } = (await measured(runs, { force: true })).extractor;
    const { stoplist: _, ...settled } = identity;
    writeFileSync(
      join(lists, 'stoplists_metadata.json'),
      JSON.stringify({ extractor: { ...settled, stoplist: null } }),
    );
    expect(await measured(await replay({ V0: { stoplists: lists } }))).toMatchObject({ replayed: null });
  });
});
