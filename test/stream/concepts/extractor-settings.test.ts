import { describe, expect, it } from 'vitest';

import { parseExtractorSettings } from '../../../src/stream/concepts/extractor-settings.ts';
import { extractorKind } from '../../../src/stream/concepts/extractor-settings.ts';

const parse = (text: string) => parseExtractorSettings(text, 'configs/extractor.yaml');
const problemsOf = (text: string): unknown => {
  try {
    parse(text);
  } catch (error) {
    return (error as { problems: unknown }).problems;
  }
  return null;
};

describe('extractor settings', () => {
  it('understands all keys of the original file', () => {
    const { settings, stoplistGeneration, folder } = parse(`
concept_extractor:
  scispacy_model: "en_core_sci_sm"
  linker_name: "umls"
  linker_resolve_abbreviations: true
  linker_max_entities_per_mention: 10
  linker_threshold: 0.7
  cui_score_threshold: 0.7
  max_k: 10
  min_entity_len: 3
  entity_types_kept: ["ALL"]
  cui_normalization: "uppercase"
  stop_entities_file: "configs/stop_entities.txt"
  stop_cuis_file: "configs/stop_cuis.txt"
stoplist_generation:
  df_threshold: 0.90
  stop_entities_output: "configs/stop_entities.txt"
  stop_cuis_output: "configs/stop_cuis.txt"
  df_report_output: "configs/stoplist_df_report.csv"
`);
    expect(settings).toMatchObject({ scispacy_model: 'en_core_sci_sm', max_k: 10, min_entity_len: 3 });
    expect(stoplistGeneration?.df_threshold).toBe(0.9);
    expect(folder).toBe('configs');
    // Its model is named, so scispaCy is meant: another extractor would not give its numbers.
    expect(extractorKind(settings)).toBe('scispacy');
  });

  it('takes settings without the key around them, and the vocabulary where nothing is said', () => {
    expect(parse('extractor: recorded\nfile: concepts.jsonl').settings).toEqual({
      extractor: 'recorded',
      file: 'concepts.jsonl',
    });
    expect(extractorKind(parse('max_k: 5').settings)).toBe('vocabulary');
    expect(extractorKind(parse('scispacy_model: x\nextractor: vocabulary').settings)).toBe('vocabulary');
  });

  it('says what is wrong with file, line and what was expected, all at once', () => {
    expect(
      problemsOf(`concept_extractor:
  extractor: scispacey
  max_k: 0
  cui_score_threshold: 70
  min_entity_length: 3
  entity_types_kept: [DISEASE]
`),
    ).toEqual([
      {
        file: 'configs/extractor.yaml',
        line: 2,
        field: 'concept_extractor.extractor',
        message: 'expected one of vocabulary, linker, scispacy, recorded, found "scispacey"',
        next: 'did you mean scispacy?',
      },
      expect.objectContaining({ line: 3, message: 'expected a whole number from 1 on, found 0' }),
      expect.objectContaining({ line: 4, message: 'expected a number above 0, at most 1, found 70' }),
      expect.objectContaining({
        line: 5,
        message: 'there is no setting called min_entity_length',
        next: expect.stringContaining('min_entity_len'),
      }),
      expect.objectContaining({ line: 6, message: 'expected ALL, found "DISEASE"' }),
    ]);
  });

  it.each([
    ['extractor: linker', 'extractor', 'extractor: linker needs index or kb'],
    ['extractor: linker\nindex: a\nkb: b', 'kb', 'index and kb are set'],
    ['extractor: recorded', 'extractor', 'extractor: recorded needs file'],
    ['index: a.idx', 'index', 'it belongs to extractor: linker, and this is vocabulary'],
    ['extractor: scispacy\ncommand: python3\nurl: http://localhost', 'url', 'command and url are set'],
    ['stoplists: lists\nstop_cuis_file: a.txt', 'stoplists', 'a folder and single files are set'],
  ])('refuses settings that do not go together: %j', (text, field, message) => {
    expect(problemsOf(text)).toEqual([
      expect.objectContaining({ field, message: expect.stringContaining(message), line: expect.any(Number) }),
    ]);
  });

  it('refuses what is no mapping, and names that reach into every object', () => {
    expect(problemsOf('- vocabulary')).toEqual([
      expect.objectContaining({ message: 'expected extractor settings, found a list of 1' }),
    ]);
    expect(() => parse('__proto__: { a: 1 }')).toThrow('no setting can be called so');
    expect(() => parse('a: [1')).toThrow('not YAML');
  });
});
