import { describe, expect, it } from 'vitest';

import { abbreviations, mentions, type MentionSettings } from '../../../../src/stream/concepts/linker/mentions.ts';
import { buildIndex } from '../../../../src/stream/concepts/linker/build-index.ts';
import type { LinkerIndex } from '../../../../src/stream/concepts/linker/linker-index.ts';
import { DEFAULT_LINKING, linkerExtractor } from '../../../../src/stream/concepts/linker/linker-extractor.ts';
import { tokensOf } from '../../../../src/stream/concepts/linker/tokens.ts';
import { concept } from './small-kb.ts';

const index: LinkerIndex = await buildIndex(
  [
    'Ataxia',
    'Cerebellar ataxia',
    'Diabetes mellitus, type 2',
    'Diabetes mellitus',
    'And',
    'SCA',
    'SCA type 3',
    'MRI',
    'beta-Alanine',
    '2023',
    'Cancer of breast',
    'Ab',
  ].map((name) => concept(name, [name])),
);

const of = (text: string, settings: Partial<MentionSettings> = {}) =>
  mentions(text, index, { ...DEFAULT_LINKING, ...settings });
const found = (text: string, settings: Partial<MentionSettings> = {}): string[] =>
  of(text, settings).map(({ surface, by }) => `${by}: ${surface}`);
const aliases = (text: string): string[] => found(text).filter((one) => one.startsWith('alias'));
const words = (text: string, settings: Partial<MentionSettings> = {}): string[] =>
  of(text, settings).map(({ surface }) => surface);

describe('mentions that are aliases', () => {
  it('are the longest ones, from left to right, regardless of case and white space', () => {
    expect(aliases('CEREBELLAR\n  ataxia, then diabetes mellitus, Type 2.')).toEqual([
      'alias: CEREBELLAR\n  ataxia',
      'alias: diabetes mellitus, Type 2',
    ]);
    expect(aliases('Diabetes mellitus, type 1')).toEqual(['alias: Diabetes mellitus']);
  });

  it('keep to whole words', () => {
    expect(aliases('ataxias preataxia')).toEqual([]);
    expect(aliases('(ataxia)/beta-alanine')).toEqual(['alias: ataxia', 'alias: beta-alanine']);
  });

  it('may hold words that name nothing, but not be of them alone, nor of digits alone', () => {
    expect(aliases('cancer of breast and ataxia in 2023')).toEqual(['alias: cancer of breast', 'alias: ataxia']);
  });

  it('have three characters or more', () => {
    expect(aliases('Ab MRI')).toEqual(['alias: MRI']);
    expect(found('Ab', { minEntityLength: 2 })).toContain('alias: Ab');
  });

  it('say where they lie', () => {
    expect(of('😀 No ataxia.').find(({ by }) => by === 'alias')).toEqual({
      start: 6,
      end: 12,
      surface: 'ataxia',
      text: 'ataxia',
      by: 'alias',
    });
  });
});

describe('mentions that are words', () => {
  it('are all stretches of a run of words that name something', () => {
    expect(words('The severe chest pain was there')).toEqual([
      'severe chest pain',
      'severe chest',
      'severe',
      'chest pain',
      'chest',
      'pain',
    ]);
  });

  it('have three words at most, unless more are asked for', () => {
    expect(words('one', { minEntityLength: 3 })).toEqual([]);
    expect(words('acute severe left chest')).not.toContain('acute severe left chest');
    expect(words('acute severe left chest', { maxWords: 4 })).toContain('acute severe left chest');
    expect(words('acute chest', { maxWords: 1 })).toEqual(['acute', 'chest']);
  });

  it('do not go over signs or lines; a hyphen joins words', () => {
    expect(words('fever, follow-up\ncough/wheeze')).toEqual(['fever', 'follow-up', 'cough', 'wheeze']);
  });

  it('begin with a word that has a letter', () => {
    expect(words('2 tablets vitamin 12')).toEqual([
      'tablets vitamin 12',
      'tablets vitamin',
      'tablets',
      'vitamin 12',
      'vitamin',
    ]);
    expect(words('5-HT receptor')).toEqual(['5-HT receptor', '5-HT', 'receptor']);
  });

  it('do not cut through an alias, nor lie in one', () => {
    expect(found('progressive cerebellar ataxia worsens')).toEqual([
      'words: progressive cerebellar ataxia',
      'words: progressive',
      'words: cerebellar ataxia worsens',
      'alias: cerebellar ataxia',
      'words: worsens',
    ]);
  });

  it('are not of a length that no name has', () => {
    expect(words('x'.repeat(100_000))).toEqual([]);
  });
});

describe('abbreviations', () => {
  const longForms = (text: string): [string, string][] => [...abbreviations(text, tokensOf(text))];

  it('are what the text says they stand for', () => {
    expect(
      longForms('Degeneration due to Multiple Systems Atrophy (MSA), or Spinal and bulbar muscular atrophy (SBMA).'),
    ).toEqual([
      ['MSA', 'Multiple Systems Atrophy'],
      ['SBMA', 'Spinal and bulbar muscular atrophy'],
    ]);
    expect(longForms('levels of interleukin-6 (IL6) rose')).toEqual([['IL6', 'interleukin-6']]);
  });

  it('need all their characters, the first at the beginning of a word', () => {
    expect(longForms('a plain sentence (MRI)')).toEqual([]);
    expect(longForms('the heart (EA)')).toEqual([]);
  });

  it('are single words of two to ten characters that begin with a letter', () => {
    expect(longForms('two doses (2d) of some drug (some drug) or eleven letters long (elevenlette)')).toEqual([]);
  });

  it('keep to their clause, and to the first long form', () => {
    expect(longForms('Magnetic. Resonance imaging (MRI)')).toEqual([]);
    expect(longForms('mean blood pressure (MBP), myelin basic protein (MBP)')).toEqual([
      ['MBP', 'mean blood pressure'],
    ]);
  });

  it('are looked up by their long form wherever they stand, unless they are part of a longer alias', () => {
    const text = 'Spinocerebellar ataxia (SCA). Is SCA or SCA type 3 likely?';
    const looked = of(text).filter(({ surface }) => surface.startsWith('SCA'));
    expect(looked.map(({ surface, text: lookedUp, by }) => [surface, lookedUp, by])).toEqual([
      ['SCA', 'Spinocerebellar ataxia', 'abbreviation'],
      ['SCA', 'Spinocerebellar ataxia', 'abbreviation'],
      ['SCA type 3', 'SCA type 3', 'alias'],
    ]);
    expect(found(text, { resolveAbbreviations: false }).filter((one) => one === 'alias: SCA')).toHaveLength(2);
  });
});

describe('surfaces of mentions', () => {
  it('are lower case, each once, in text order', async () => {
    const { surfaces } = await linkerExtractor({ index, maxWords: 2 });
    expect(await surfaces('Chest  Pain. chest pain and ATAXIA')).toEqual(['ataxia', 'chest', 'chest pain', 'pain']);
    expect(await surfaces('')).toEqual([]);
  });
});
