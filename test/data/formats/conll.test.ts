import { describe, expect, it } from 'vitest';

import type { DataOptions } from '../../../src/data/data-options.ts';
import { memorySource } from '../../../src/data/source.ts';
import { caseOf, casesOf, problems, shown } from '../reading.ts';

const file = (text: string) => memorySource('gold.bio', text);

/** Tokens t0, t1 … with the given tags. */
function tagged(tags: string): string {
  return `${tags
    .split(' ')
    .map((tag, at) => `t${at} ${tag}`)
    .join('\n')}\n`;
}

/** Spans of a tag sequence as label and tokens: `PER t0 t1`. */
async function spans(tags: string, options: Partial<DataOptions> = {}): Promise<string[]> {
  const only = await caseOf({ gold: file(tagged(tags)), predictions: file(tagged(tags)) }, options);
  expect(shown(only.predicted)).toEqual(shown(only.gold));
  return only.gold.map(({ label, text }) => `${label} ${text}`);
}

describe('tags', () => {
  it.each([
    ['IOB2', 'B-PER I-PER O B-LOC B-LOC I-LOC', ['PER t0 t1', 'LOC t3', 'LOC t4 t5']],
    ['IOB1', 'I-PER I-PER O I-LOC B-LOC I-LOC', ['PER t0 t1', 'LOC t3', 'LOC t4 t5']],
    ['BIOES', 'B-PER E-PER O S-LOC B-LOC I-LOC E-LOC', ['PER t0 t1', 'LOC t3', 'LOC t4 t5 t6']],
    ['BILOU', 'B-PER L-PER O U-LOC B-LOC I-LOC L-LOC', ['PER t0 t1', 'LOC t3', 'LOC t4 t5 t6']],
    ['B- after B-', 'B-PER B-PER B-PER', ['PER t0', 'PER t1', 'PER t2']],
    ['S- after S-', 'S-PER S-PER', ['PER t0', 'PER t1']],
    ['another type without B-', 'B-PER I-LOC I-LOC', ['PER t0', 'LOC t1 t2']],
    ['stray I-', 'O I-PER I-PER', ['PER t1 t2']],
    ['stray E- and L-', 'O E-PER L-LOC', ['PER t1', 'LOC t2']],
    ['I- after S- and E-', 'S-PER I-PER B-LOC E-LOC I-LOC', ['PER t0', 'PER t1', 'LOC t2 t3', 'LOC t4']],
    ['an end of the text inside', 'O B-PER I-PER', ['PER t1 t2']],
    ['labels with hyphens', 'B-DATE-OF-BIRTH I-DATE-OF-BIRTH', ['DATE-OF-BIRTH t0 t1']],
    ['nothing', 'O O', []],
  ])('%s: %s', async (_, tags, expected) => {
    expect(await spans(tags)).toEqual(expected);
  });

  it('inside that nothing began are a problem when the recipe says so', async () => {
    expect(
      await problems(
        { gold: file(tagged('O I-PER B-LOC I-PER')), predictions: file(tagged('O O O O')) },
        { strayInside: 'error' },
      ),
    ).toEqual([
      'gold.bio:2: tag: expected B-PER before I-PER, found "I-PER" (or read it as a beginning: --set data.strayInside=begin)',
      'gold.bio:4: tag: expected B-PER before I-PER, found "I-PER" (or read it as a beginning: --set data.strayInside=begin)',
    ]);
    expect(await spans('B-PER I-PER E-PER', { strayInside: 'error' })).toEqual(['PER t0 t1 t2']);
  });

  it.each(['X-PER', 'B-', 'b-per', 'PER', 'OO'])('refuses the tag %s', async (tag) => {
    expect(await problems({ gold: file(`a ${tag}\n`), predictions: file('a O\n') })).toEqual([
      `gold.bio:1: tag: expected O, or B-, I-, E-, S-, L- or U- with a label, found "${tag}"`,
    ]);
  });
});

describe('conll', () => {
  it('joins tokens by single spaces and places the spans', async () => {
    const only = await caseOf({
      gold: file('Ann B-PER\nLee I-PER\nleft O\nOslo B-LOC\n'),
      predictions: file('Ann O\nLee O\nleft O\nOslo O\n'),
    });
    expect(only.text).toBe('Ann Lee left Oslo');
    expect(shown(only.gold)).toEqual(['PER Ann Lee 0..7', 'LOC Oslo 13..17']);
    expect(only.gold.map(({ line }) => line)).toEqual([1, 4]);
  });

  it.each(['utf16', 'codepoint', 'byte'] as const)(
    'places spans after emoji rightly when offsets are %s',
    async (offsets) => {
      const text = '🙂 O\nनमस्ते O\nBo B-PER\n';
      const only = await caseOf({ gold: file(text), predictions: file(text) }, { offsets });
      expect(shown(only.gold)).toEqual(['PER Bo 10..12']);
    },
  );

  it('numbers the cases, or takes their names', async () => {
    const text = 'a O\n\n\n# sent_id = s two\nb O\n\n# doc_id: s3\nc O\n# id=s4\nd O\n';
    const read = await casesOf({ gold: file(text), predictions: file(text) });
    expect(read.map(({ id, text: own }) => [id, own])).toEqual([
      ['1', 'a'],
      ['s two', 'b'],
      ['s3', 'c'],
      ['s4', 'd'],
    ]);
  });

  it('takes -DOCSTART- for a border, and comments for nothing', async () => {
    const text = '# made by hand\n-DOCSTART- -X- O\n\na O\n-DOCSTART- -X- O\nb O\n\n# a comment O\nc O\n';
    const read = await casesOf({ gold: file(text), predictions: file(text) });
    expect(read.map(({ text: own }) => own)).toEqual(['a', 'b', 'c']);
  });

  it('takes the sign # for a token where it is one', async () => {
    const text = '# O\n1 O\n\n#MeToo B-TAG\n# O\n';
    const read = await casesOf({ gold: file(text), predictions: file(text) });
    expect(read.map(({ text: own }) => own)).toEqual(['# 1', '#MeToo #']);
  });

  it.each([
    ['spaces', 'Ann  NNP   B-PER\nleft VBD O\n'],
    ['tabs', 'Ann\tNNP\tB-PER\nleft\tVBD\tO\n'],
    ['CR LF', 'Ann NNP B-PER\r\nleft VBD O\r\n\r\n'],
    ['a mark', '\ufeffAnn NNP B-PER\nleft VBD O\n'],
  ])('takes columns parted by %s, the tag last', async (_, text) => {
    const only = await caseOf({ gold: file(text), predictions: file(text) });
    expect([only.text, shown(only.gold)]).toEqual(['Ann left', ['PER Ann 0..3']]);
  });

  it('keeps spaces and no-break spaces inside a token', async () => {
    const only = await caseOf({ gold: file('10\u00a0000 B-NUM\n'), predictions: file('10\u00a0000\tB-NUM\n') });
    expect([shown(only.gold), shown(only.predicted)]).toEqual([['NUM 10\u00a0000 0..6'], ['NUM 10\u00a0000 0..6']]);
    const tabbed = await caseOf({ gold: file('New York\tB-LOC OF BIRTH\n'), predictions: file('New York\tO\n') });
    expect(shown(tabbed.gold)).toEqual(['LOC OF BIRTH New York 0..8']);
  });

  it('reads gold and predicted tags of a case file from its last two columns', async () => {
    const only = await caseOf({ cases: memorySource('both.conll', 'Ann NNP B-PER O\nLee NNP I-PER S-PER\n') });
    expect([shown(only.gold), shown(only.predicted)]).toEqual([['PER Ann Lee 0..7'], ['PER Lee 4..7']]);
  });

  it.each([
    ['a token without a tag', 'Ann\n', 'gold.bio:1: columns: expected a token and its tag, found "Ann"'],
    ['an empty token', '\tO\n', 'gold.bio:1: columns: expected a token and its tag, found "\\tO"'],
    [
      'a row with fewer columns',
      'Ann B-NP B-PER\nleft O\n',
      'gold.bio:2: columns: expected 3 columns as in line 1, found 2',
    ],
    ['a name without tokens', '# id = s1\n\na O\n', 'gold.bio:1: id: expected tokens under "s1", found nothing'],
    [
      'a name twice',
      '# id = s1\na O\n\n# id = s1\na O\n',
      'gold.bio:4: the id "s1" was given before in this file (one record per case is expected)',
    ],
  ])('complains of %s', async (_, text, message) => {
    expect(await problems({ gold: file(text), predictions: memorySource('p.bio', '# id = s1\na O\n') })).toContain(
      message,
    );
  });

  it('says how to give a file of one side', async () => {
    expect(await problems({ cases: file('Ann B-PER\n') })).toEqual([
      'gold.bio:1: columns: expected a token, its gold tag and its predicted tag, found "Ann B-PER" (a file of one side is given with --gold)',
    ]);
  });

  it('names the case whose tokens differ between the files', async () => {
    const predictions = memorySource('predictions.bio', '# id = s1\na O\n\n# id = s2\nThe O\nAnne B-PER\n');
    expect(await problems({ gold: file('# id = s1\na O\n\n# id = s2\nThe O\nAnn B-PER\n'), predictions })).toContain(
      'predictions.bio:4: text: the text of "s2" differs from the one in gold.bio: "The Anne" here, "The Ann" there (both files must speak of the same text)',
    );
  });
});

describe('a case that is longer than the recipe allows', () => {
  it('is refused, told once and with its first line; those around it are read', async () => {
    const long = tagged(Array.from({ length: 40 }, () => 'O').join(' '));
    const text = `${tagged('O O')}\n${long}\nt0 X\n`;
    expect(await problems({ gold: file(text), predictions: file(text) }, { maxRecordMiB: 100 / 1048576 })).toEqual([
      expect.stringMatching(/^gold\.bio:4: the record is longer than .* MiB \(.*--set data\.maxRecordMiB=N\)$/),
      expect.stringMatching(/^gold\.bio:4: the record is longer than/),
      expect.stringContaining('gold.bio:45: tag: expected O'),
      expect.stringContaining('gold.bio:45: tag: expected O'),
    ]);
  });
});
