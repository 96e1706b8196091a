import { hash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { configProvenance } from '../../../src/stream/concepts/extractor-provenance.ts';
import { ROOT, temporaryFolder } from '../../cli/run-assay.ts';

const sha256 = (bytes: string | Buffer): string => `sha256:${hash('sha256', bytes)}`;
// printf '' | sha256sum
const EMPTY = 'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

function config(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

describe('what a log states of its concepts', () => {
  it('where nothing is configured: the vocabulary by the hash of its files, and that there are no stoplists', async () => {
    const found = await configProvenance(null, {});
    const vocabulary = join(ROOT, 'src/stream/concepts/vocabulary');
    const lines = readdirSync(vocabulary)
      .filter((name) => name.endsWith('.jsonl'))
      .sort()
      .map((name) => `${hash('sha256', readFileSync(join(vocabulary, name)))}\n`);
    expect(found.concept_extractor).toMatchObject({
      name: 'vocabulary',
      configured_by: 'default',
      knowledge_base_hash: sha256(lines.join('')),
      linker_kb_version: `assay-vocabulary-${hash('sha256', lines.join('')).slice(0, 8)}`,
      scispacy_model: 'none',
      cui_score_threshold: 0.7,
      stop_cuis_count: 0,
    });
    expect(found.stoplists_provenance).toEqual({
      configured: false,
      note: 'no stoplists are configured: the hashes are those of an empty list',
      stop_cuis_hash: EMPTY,
      stop_entities_hash: EMPTY,
      stoplists_generated_by_commit: null,
    });
  });

  it('the settings of the configuration, with scispaCy neither started nor asked', async () => {
    const folder = config({
      'extractor.yaml':
        'concept_extractor:\n  scispacy_model: en_core_sci_md\n  linker_kb_version: 2023AB\n  max_k: 5\n  command: /no/such/python\n',
    });
    const { concept_extractor: extractor, stoplists_provenance: lists } = await configProvenance(folder, {});
    expect(extractor).toMatchObject({
      name: 'scispacy',
      configured_by: 'extractor.yaml',
      scispacy_model: 'en_core_sci_md',
      linker_name: 'umls',
      linker_kb_version: '2023AB',
      max_k: 5,
      scispacy_version: expect.stringContaining('not asked'),
    });
    expect(lists['extractor_config_hash']).toBe(sha256(readFileSync(join(folder, 'extractor.yaml'))));
  });

  it('stoplists by the hashes of their bytes, with the time and commit that their metadata has', async () => {
    const lists = {
      'stop_cuis.txt': '# Count: 2\nC0030705\nC0011900\n',
      'stop_entities.txt': 'patient\n',
      'stoplist_df_report.csv': 'concept,type\n',
      'stoplists_metadata.json':
        '{"stoplists_generated_at":"2026-01-05T05:33:00+00:00","stoplists_generated_by_commit":"3ce4"}',
    };
    const beside = config(lists);
    const expected = {
      configured: true,
      stop_cuis_file: 'stop_cuis.txt',
      stop_entities_file: 'stop_entities.txt',
      stop_cuis_hash: sha256(lists['stop_cuis.txt']),
      stop_entities_hash: sha256(lists['stop_entities.txt']),
      stoplist_df_report_hash: sha256(lists['stoplist_df_report.csv']),
      stoplists_generated_at: '2026-01-05T05:33:00+00:00',
      stoplists_generated_by_commit: '3ce4',
    };
    for (const found of [await configProvenance(beside, {}), await configProvenance(null, { stoplists: beside })]) {
      expect(found.stoplists_provenance).toEqual(expected);
      expect(found.concept_extractor).toMatchObject({ stop_cuis_count: 2, stop_entities_count: 1 });
    }
    expect((await configProvenance(beside, { stoplists: 'off' })).stoplists_provenance).toMatchObject({
      configured: false,
    });
  });

  it('an extractor that is named by a flag comes before the configuration', async () => {
    const folder = config({ 'extractor.yaml': 'concept_extractor:\n  scispacy_model: en_core_sci_sm\n' });
    const kb = join(folder, 'kb.jsonl');
    writeFileSync(kb, '{"concept_id":"C0015967","canonical_name":"Fever","aliases":["pyrexia"],"types":["T184"]}\n');
    const { concept_extractor: extractor } = await configProvenance(folder, { concepts: `kb:${kb}` });
    expect(extractor).toMatchObject({
      name: 'linker',
      configured_by: '--concepts',
      knowledge_base_hash: sha256(readFileSync(kb)),
      linker_kb_version: null,
    });
  });
});
