import { describe, expect, it } from 'vitest';

import type { DataOptions } from '../../../src/data/data-options.ts';
import { memorySource } from '../../../src/data/source.ts';
import { caseOf, casesOf, problems, shown } from '../reading.ts';
import { converted, readGold } from './read-side.ts';

const file = (text: string) => memorySource('gold.bio', text);

/** Tokens t0, t1 … with the given tags. */
function tagged(tags: string): string {
  return `${tags
    .split(' ')
    .map((tag, at) => `t${at} ${tag}`)
    .join('\n')}\n`;
}

/** Spans of a tag sequence as label and tokens: `PER t0 t1`. */
async function spansOf(tags: string, options: Partial<DataOptions> = {}): Promise<string[]> {
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
    expect(await spansOf(tags)).toEqual(expected);
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
    expect(await spansOf('B-PER I-PER E-PER', { strayInside: 'error' })).toEqual(['PER t0 t1 t2']);
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

describe('columns', () => {
  const read = async (text: string, options: Partial<DataOptions> = {}) =>
    (await readGold('a.conll', text, options)).cases;

  it('of CoNLL-2003: token, part of speech, chunk and an IOB tag, with spaces', async () => {
    const text =
      '-DOCSTART- -X- -X- O\n\nEU NNP B-NP B-ORG\nrejects VBZ B-VP O\nPeter NNP B-NP B-PER\nBo NNP I-NP I-PER\n';
    const [only] = await read(text);
    expect(shown(only!.gold)).toEqual(['ORG EU 0..2', 'PER Peter Bo 11..19']);
  });

  it('of CoNLL-U: a contraction is one word of the text, whose parts have the tags; without tags there are no spans', async () => {
    const row = (...cells: string[]): string => [...cells, ...Array<string>(10 - cells.length).fill('_')].join('\t');
    const text = `# sent_id = s1\n# text = Zum Bo\n${['1-2\tZum', '1\tzu', '2\tdem', '3\tBo'].map((line) => row(...line.split('\t'))).join('\n')}\n`;
    const [only] = await read(text);
    expect([only!.id, only!.text, only!.gold]).toEqual(['s1', 'Zum Bo', []]);
    expect(only!.tokens).toEqual([
      { start: 0, end: 3 },
      { start: 4, end: 6 },
    ]);
    const parted = '1-2\tZum\t_\n1\tzu\tO\n2\tdem\tB-PER\n3\tBo\tI-PER\n';
    expect(shown((await read(`# text = Zum Bo\n${parted}`))[0]!.gold)).toEqual(['PER Zum Bo 0..6']);
    // Without a text that has the contraction, the text is its parts.
    expect(shown((await read(`# id = s1\n${parted}`))[0]!.gold)).toEqual(['PER dem Bo 3..9']);
  });

  it('of any order, by number', async () => {
    const text = '1 B-PER Ann x\n2 O left y\n';
    const [only] = await read(text, { columns: { token: '3', tag: '2' } });
    expect([only!.text, shown(only!.gold)]).toEqual(['Ann left', ['PER Ann 0..3']]);
    await expect(read(text, { columns: { token: 'word', tag: '2' } })).rejects.toThrow(
      'columns: token=word: expected the number of a column',
    );
  });

  it.each([
    ['suffix tags', 'Ann PER-B\nLee PER-I\nleft O\nBo PER-S\n', ['PER Ann Lee 0..7', 'PER Bo 13..15']],
    ['bare tags', 'Ann B\nLee I\nleft O\nBo B\n', ['ENTITY Ann Lee 0..7', 'ENTITY Bo 13..15']],
    ['IO tags', 'Ann I-PER\nLee I-PER\nleft O\nBo I-LOC\n', ['PER Ann Lee 0..7', 'LOC Bo 13..15']],
  ])('of %s', async (_, text, expected) => {
    expect(shown((await read(text))[0]!.gold)).toEqual(expected);
  });

  it('of types without a mark, if the column is named: neighbours of one type are one span', async () => {
    const [only] = await read('Ann PER\nLee PER\nleft O\n', { columns: { tag: '2' } });
    expect(shown(only!.gold)).toEqual(['PER Ann Lee 0..7']);
  });

  it('with the text in a comment, if it has the tokens', async () => {
    const [given, other] = await read('# text = Ann, left\nAnn B-PER\n, O\nleft O\n\n# text = Bo\nAnn B-PER\n, O\n');
    expect([given!.text, shown(given!.gold), given!.tokens?.[1]]).toEqual([
      'Ann, left',
      ['PER Ann 0..3'],
      { start: 3, end: 4 },
    ]);
    expect(other!.text).toBe('Ann ,');
  });
});

describe('written', () => {
  const written = (record: object) => converted('a.jsonl', JSON.stringify(record), 'out.conll', { to: 'conll' });

  it('has an id, the text if the words do not give it, and BIO tags', async () => {
    const spans = [
      { start: 0, end: 7, label: 'PER' },
      { start: 9, end: 10, label: 'DATE OF BIRTH' },
    ];
    const { files, lost } = await written({ id: 'a', text: 'Ann Lee, 🙂', spans });
    expect(files['out.conll']).toBe(
      '# id = a\n# text = Ann Lee, 🙂\nAnn\tB-PER\nLee\tI-PER\n,\tO\n🙂\tB-DATE OF BIRTH\n\n',
    );
    expect(lost).toEqual([]);
  });

  it('lists spans that overlap, that are inside a token and that are in pieces, and line breaks', async () => {
    const spans = [
      { start: 0, end: 7, label: 'A' },
      { start: 4, end: 7, label: 'B' },
      { start: 8, end: 10, label: 'C' },
      {
        start: 8,
        end: 16,
        label: 'D',
        text: 'left too',
        fragments: [
          [8, 12],
          [13, 16],
        ],
      },
    ];
    const { lost } = await written({ id: 'a', text: 'Ann Lee\nleft too', spans: spans.slice(0, 3) });
    expect(lost).toEqual([
      'a: the exact text',
      'a: span B "Lee" at 4..7: the item',
      'a: span C "le" at 8..10: the item',
    ]);
    const pieces = await written({ id: 'a', text: 'Ann Lee left too', spans: spans.slice(3) });
    expect(pieces.lost).toEqual(['a: span D "left too" at 8..16: the item']);
  });

  it('keeps words that look like comments and borders', async () => {
    const { files, lost } = await written({
      id: 'a',
      text: '# id -DOCSTART-',
      spans: [{ start: 0, end: 1, label: 'X' }],
    });
    expect(files['out.conll']!.split('\n').slice(-5)).toEqual(['-\tO', 'DOCSTART\tO', '-\tO', '', '']);
    expect(lost).toEqual([]);
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

describe('a case of more tokens than memory has room for', () => {
  it('is refused with its first line and the limit, also as a sentence on one line; the case after it is read', async () => {
    const after = '\n# id = b\nx O\ny X\n';
    expect(
      await problems({ gold: file(`# id = a\n${'a O\n'.repeat(200_001)}${after}`), predictions: file('') }),
    ).toEqual([
      'gold.bio:1: the case has more than 200000 tokens (split it into several cases)',
      expect.stringContaining('gold.bio:200006: tag: expected O'),
      expect.anything(),
    ]);
    const long = `Ann O\n\n${'Ann B-PER\n'.repeat(100_001)}`;
    expect((await problems({ gold: file(long), predictions: file('') }))[0]).toBe(
      'gold.bio:3: the case has more than 100000 annotations (split it into several cases)',
    );
    const line = `Ann|O\n${'Ann|B-PER '.repeat(100_001)}\n`;
    expect((await problems({ gold: file(line), predictions: file('') }))[0]).toMatch(/^gold\.bio:2: the case has more/);
  });
});
