import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { DataOptions } from '../../../src/data/data-options.ts';
import { memorySource } from '../../../src/data/source.ts';
import { assayHere } from '../../cli/assay-here.ts';
import { noReference, referencePath } from '../../reference/reference-data.ts';
import { casesOf, complaint, shown, temporaryFolder } from '../reading.ts';
import { converted } from './read-side.ts';

/** A sentence whose second span is right in gold only. */
const BOTH = 'Ann B-PER B-PER\nmet O O\nBo B-PER B-LOC\n';
const GOLD = 'Ann B-PER\nmet O\nBo B-PER\n';
/** GermEval: number, token, outer and inner tags, with the source as a comment. */
const LAYERS =
  '#\tn-tv.de vom 26.02.2005\n1\tFC\tB-ORG\tO\n2\tKöln\tI-ORG\tB-LOC\n3\tsiegt\tO\tO\n4\tAachen\tB-LOC\tO\n';
const CONLL_2003 = 'EU NNP B-NP B-ORG\nrejects VBZ B-VP O\nPeter NNP B-NP B-PER\n';

const file = (name: string, text: string) => memorySource(name, text);

async function sides(files: Parameters<typeof casesOf>[0], options: Partial<DataOptions> = {}): Promise<string[][]> {
  const [first] = await casesOf(files, options);
  return [shown(first!.gold), shown(first!.predicted)];
}

async function refusal(files: Parameters<typeof casesOf>[0], options: Partial<DataOptions> = {}): Promise<string> {
  const { message } = await complaint(files, options);
  return message;
}

const PERSONS = ['PER Ann 0..3', 'PER Bo 8..10'];
const GUESSES = ['PER Ann 0..3', 'LOC Bo 8..10'];

describe('a file with token, gold and predicted tags', () => {
  it.each([
    ['gold', { gold: file('both.conll', BOTH), predictions: file('p.conll', GOLD) }, PERSONS, PERSONS],
    ['predictions', { gold: file('g.conll', GOLD), predictions: file('both.conll', BOTH) }, PERSONS, GUESSES],
    ['both files', { gold: file('a.conll', BOTH), predictions: file('b.conll', BOTH) }, PERSONS, GUESSES],
    ['cases', { cases: file('both.conll', BOTH) }, PERSONS, GUESSES],
  ])('gives as %s the column of each side', async (_, files, gold, predicted) => {
    expect(await sides(files)).toEqual([gold, predicted]);
  });

  it('has gold in the last but one column, as conlleval reads it, also after parts of speech and chunks', async () => {
    const columns = ['NNP B-NP', 'VBD B-VP', 'NNP B-NP'];
    const lines = BOTH.trim().split('\n');
    const text = lines.map((line, at) => line.replace(' ', ` ${columns[at]!} `)).join('\n');
    expect(await sides({ gold: file('a.conll', text), predictions: file('b.conll', text) })).toEqual([
      PERSONS,
      GUESSES,
    ]);
    // The chunks themselves, of CoNLL-2000.
    const chunks = 'Ann NNP B-NP B-NP\nmet VBD B-VP B-NP\n';
    expect(await sides({ gold: file('a.conll', chunks), predictions: file('b.conll', chunks) })).toEqual([
      ['NP Ann 0..3', 'VP met 4..7'],
      ['NP Ann 0..3', 'NP met 4..7'],
    ]);
  });

  it('reports a wrong tag of gold, and does not take the other column for it', async () => {
    const text = 'Ann B-PER B-PER\nmet O O\nBo PERSON B-LOC\nleft O O\n';
    expect(await refusal({ gold: file('a.conll', text), predictions: file('b.conll', text) })).toContain(
      'a.conll:3: tag: expected O, or B-, I-, E-, S-, L- or U- with a label, found "PERSON"',
    );
  });

  it('is read with nothing predicted as a case file, and with no gold entities', async () => {
    expect(await sides({ cases: file('a.conll', 'Ann B-PER O\nmet O O\n') })).toEqual([['PER Ann 0..3'], []]);
    expect(await sides({ cases: file('a.conll', 'Ann O B-PER\nmet O O\n') })).toEqual([[], ['PER Ann 0..3']]);
  });

  it('names them in its first line once it is written by convert, and gives both back', async () => {
    const record = {
      id: '1',
      text: 'Ann met Bo',
      gold: [{ start: 0, end: 3, label: 'PER' }],
      predicted: [{ start: 8, end: 10, label: 'LOC' }],
    };
    const { files, lost } = await converted('a.jsonl', JSON.stringify(record), 'both.conll', {
      to: 'conll',
      side: 'both',
    });
    const text = files['both.conll']!;
    expect(text.split('\n')[0]).toBe('# global.columns = FORM GOLD PREDICTED');
    expect(lost).toEqual([]);
    for (const sources of [{ cases: text }, { gold: text, predictions: text }])
      expect(
        await sides(Object.fromEntries(Object.entries(sources).map(([role, own]) => [role, file(role, own)]))),
      ).toEqual([['PER Ann 0..3'], ['LOC Bo 8..10']]);
  });
});

describe('a first line that names the columns', () => {
  const TURNED = 'token\tpredicted\tgold\nAnn\tB-PER\tB-PER\nmet\tO\tO\nBo\tB-LOC\tB-PER\n';

  it.each([
    ['a table', 'a.tsv', TURNED],
    ['spaces, capitals and other names', 'a.txt', TURNED.replace('predicted', 'Pred').replaceAll('\t', ' ')],
    ['a comment before it', 'a.conll', `# by hand\n\n${TURNED}`],
    ['parts of speech', 'a.tsv', TURNED.replace(/^(\S+)/gm, '$1\tpos')],
  ])('decides which is gold, whatever their order: %s', async (_, name, text) => {
    const both = file(name, text);
    expect(await sides({ cases: both })).toEqual([PERSONS, GUESSES]);
    expect(await sides({ gold: both, predictions: file(`b-${name}`, text) })).toEqual([PERSONS, GUESSES]);
  });

  it('without the side that is asked for is refused, and so is a comment without it', async () => {
    const gold = file('g.tsv', `token gold\n${GOLD}`);
    const predictions = file('p.tsv', `word pred\n${GOLD}`);
    expect(await sides({ gold, predictions })).toEqual([PERSONS, PERSONS]);
    const none = 'the columns are "word", "pred": none of them is gold (name the column: --columns gold.tag=2)';
    expect(await refusal({ gold: predictions, predictions })).toBe(`p.tsv: ${none}`);
    expect(await refusal({ gold, predictions: file('c.conll', `# global.columns = FORM GOLD\n${GOLD}`) })).toBe(
      'c.conll: the columns are "FORM", "GOLD": none of them is predicted (name the column: --columns predicted.tag=2)',
    );
    const columns = { 'gold.tag': '2' };
    expect(await sides({ gold: predictions, predictions }, { columns })).toEqual([PERSONS, PERSONS]);
  });

  it('is a token if it is tagged, or if it holds other words', async () => {
    const tagged = file('a.conll', 'Token O\ngold B-X\n');
    expect(await sides({ gold: tagged, predictions: tagged })).toEqual([['X gold 6..10'], ['X gold 6..10']]);
    const sentences = file('a.conll', 'sentence token gold\n1 Ann B-PER\n');
    expect(await refusal({ gold: sentences, predictions: sentences })).toContain('found "gold"');
  });
});

describe('two columns of tags without a word about which is which', () => {
  const ask = (name: string): string => `${name}:2: columns 3 and 4 hold tags, and nothing shows which`;

  it.each([
    ['layers of gold with numbered tokens', LAYERS, /^f\.conll:2: columns 3 and 4 hold tags/],
    ['columns without a common label', 'Ann B-PER B-LOC\nmet O O\n', /^f\.conll:1: columns 2 and 3 hold tags/],
    ['three columns', 'Ann B-PER B-PER B-PER\nmet O O O\n', /^f\.conll:1: columns 2, 3 and 4 hold tags/],
    ['a column between them', 'Ann B-PER x B-PER\nmet O y O\n', /^f\.conll:1: columns 2 and 4 hold tags/],
  ])('are asked about, whatever the flag: %s', async (_, text, expected) => {
    const plain = file('g.conll', GOLD);
    expect(await refusal({ gold: file('f.conll', text), predictions: plain })).toMatch(expected);
    expect(await refusal({ gold: plain, predictions: file('f.conll', text) })).toMatch(expected);
    expect(await refusal({ cases: file('f.conll', text) })).toMatch(expected);
  });

  it('name the flag that decides', async () => {
    const layers = file('f.conll', LAYERS);
    expect(await refusal({ gold: layers, predictions: layers })).toBe(
      `${ask('f.conll')} is gold (name the column: --columns gold.tag=3 or gold.tag=4)\n` +
        `${ask('f.conll')} is predicted (name the column: --columns predicted.tag=3 or predicted.tag=4)`,
    );
    expect(await refusal({ cases: layers })).toBe(
      `${ask('f.conll')} is gold and which is predicted (name the columns: --columns gold.tag=3,predicted.tag=4; or only one of them)`,
    );
  });

  it('of which only the other has labels are asked about in a file of one side', async () => {
    const text = 'Ann O B-PER\nmet O O\n';
    expect(await refusal({ gold: file('f.conll', text), predictions: file('p.conll', 'Ann O\nmet O\n') })).toMatch(
      /^f\.conll:1: columns 2 and 3 hold tags, and nothing shows which is gold/,
    );
    const turned = 'Ann B-PER O\nmet O O\n';
    expect(await refusal({ gold: file('g.conll', 'Ann O\nmet O\n'), predictions: file('f.conll', turned) })).toMatch(
      /which is predicted/,
    );
  });

  it.each([
    ['the outer layer', { 'gold.tag': '3' }, ['ORG FC Köln 0..7', 'LOC Aachen 14..20']],
    ['the inner layer', { 'gold.tag': '4' }, ['LOC Köln 3..7']],
    ['the column of a file of one side', { tag: '4' }, ['LOC Köln 3..7']],
  ])('are read once the column is named: %s', async (_, columns, gold) => {
    const plain = 'FC O\nKöln B-LOC\nsiegt O\nAachen O\n';
    const options = { columns: { ...columns, 'predicted.tag': '2' } };
    const predictions = file('p.conll', plain);
    expect(await sides({ gold: file('f.conll', LAYERS), predictions }, options)).toEqual([gold, ['LOC Köln 3..7']]);
  });

  it('are gold only in a case file of which only gold is named', async () => {
    const predictions = file('p.conll', 'FC O\nKöln B-LOC\nsiegt O\nAachen O\n');
    const options = { columns: { 'gold.tag': '3', 'predicted.tag': '2' } };
    expect(await sides({ cases: file('f.conll', LAYERS), predictions }, { columns: { 'gold.tag': '3' } })).toEqual([
      ['ORG FC Köln 0..7', 'LOC Aachen 14..20'],
      ['LOC Köln 3..7'],
    ]);
    expect(await sides({ cases: file('f.conll', BOTH) }, options)).toEqual([GUESSES, PERSONS]);
  });
});

describe('one column of tags', () => {
  it('is that of CoNLL-2003, whose chunks are no gold', async () => {
    const only = file('a.conll', CONLL_2003);
    expect(await sides({ gold: only, predictions: only })).toEqual([
      ['ORG EU 0..2', 'PER Peter 11..16'],
      ['ORG EU 0..2', 'PER Peter 11..16'],
    ]);
    expect(await refusal({ cases: only })).toBe(
      'a.conll:1: columns: expected a token, its gold tag and its predicted tag, found "EU NNP B-NP B-ORG" (a file of one side is given with --gold)',
    );
    // Without an entity among the first sentences.
    const empty = file('a.conll', 'rejects VBZ B-VP O\nit PRP B-NP O\n');
    expect(await sides({ gold: empty, predictions: empty })).toEqual([[], []]);
  });
});

describe.skipIf(noReference)('files of other tools', () => {
  const flair = (name: string): string => referencePath(join('tools/flair', name));
  const f1 = async (...args: string[]): Promise<[number | null, unknown]> => {
    const { code, stdout } = await assayHere(['score', 'spans/strict', ...args, '--json'], { cwd: temporaryFolder() });
    const measures = code === 0 ? (JSON.parse(stdout) as { measures: { name: string; value: number }[] }).measures : [];
    return [code, measures.find(({ name }) => name === 'f1')?.value];
  };

  it('flair: predictions.txt is right as gold against gold, and 0.667 as a case file', async () => {
    const folder = temporaryFolder();
    const perfect = join(folder, 'perfect.conll');
    const rows = readFileSync(flair('predictions.txt'), 'utf8').split('\n');
    writeFileSync(perfect, rows.map((row) => row.split(' ').slice(0, 2).join(' ')).join('\n'));
    expect(await f1('--gold', flair('predictions.txt'), '--predictions', perfect)).toEqual([0, 1]);
    const [code, value] = await f1('--cases', flair('predictions.txt'));
    expect([code, value]).toEqual([0, expect.closeTo(2 / 3, 6)]);
    expect(await f1('--gold', flair('predictions.txt'), '--predictions', flair('predictions.txt'))).toEqual([
      code,
      value,
    ]);
  });

  it.each(['score', 'validate', 'convert'])('GermEval: its two layers are asked about by %s', async (command) => {
    const germEval = flair('NER-de-train.tsv');
    const args = {
      score: ['score', 'spans/strict', '--cases', germEval],
      validate: ['validate', germEval],
      convert: ['convert', germEval, join(temporaryFolder(), 'out.jsonl')],
    }[command]!;
    const { code, stdout, stderr } = await assayHere(args, { cwd: temporaryFolder() });
    const message = (stdout + stderr).replaceAll(/\s+/g, ' ');
    expect(code).toBe(command === 'validate' ? 1 : 2);
    expect(message).toContain('columns 3 and 4 hold tags, and nothing shows which');
    expect(message).toContain('--columns gold.tag=3');
  });

  it('GermEval: the outer layer has five entities', async () => {
    const { stdout } = await assayHere(['validate', flair('NER-de-train.tsv'), '--columns', 'gold.tag=3'], {
      cwd: temporaryFolder(),
    });
    expect(stdout).toContain('2 records, 2 cases, 5 items: annotations, with texts.');
  });
});
