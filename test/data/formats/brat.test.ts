import { describe, expect, it } from 'vitest';

import { jsonl, shown } from '../reading.ts';
import { converted, readGold } from './read-side.ts';

/** Oslo is at code point 16, and at 17 in UTF-16. */
const TEXT = 'Ann met Bo 🙂 in Oslo.\nAnn left.';
const folder = (...lines: string[]) => ({ 'a.txt': TEXT, 'a.ann': lines.map((line) => `${line}\n`).join('') });

describe('brat', () => {
  it('reads text-bound annotations by code points, with the .txt file beside them', async () => {
    const { cases, format } = await readGold('brat', folder('T1\tPER 0 3\tAnn', 'T2\tLOC 16 20\tOslo'));
    expect([format, cases[0]!.id, cases[0]!.text]).toEqual(['brat', 'a', TEXT]);
    expect(shown(cases[0]!.gold)).toEqual(['PER Ann 0..3', 'LOC Oslo 17..21']);
  });

  it('reads a discontinuous annotation as one item with its pieces', async () => {
    const { cases } = await readGold('brat', folder('T1\tPAIR 0 3;8 10\tAnn Bo'));
    const [pair] = cases[0]!.gold;
    expect(shown([pair!])).toEqual(['PAIR Ann Bo 0..10']);
    expect(pair!.fragments).toEqual([
      { start: 0, end: 3 },
      { start: 8, end: 10 },
    ]);
  });

  it('reads a line break inside an annotation, which brat writes as a space', async () => {
    const { cases } = await readGold('brat', folder('T1\tX 16 25\tOslo. Ann'));
    expect(shown(cases[0]!.gold)).toEqual(['X Oslo.\nAnn 17..26']);
  });

  it('reads relations, attributes, normalisations and notes', async () => {
    const { cases } = await readGold(
      'brat',
      folder(
        'T1\tPER 0 3\tAnn',
        'T2\tPER 8 10\tBo',
        'R1\tMET Arg1:T1 Arg2:T2',
        'A1\tNegated R1',
        'A2\tSure T1 high',
        'N1\tReference T1 Wikidata:Q1\tAnn Lee',
        '#1\tAnnotatorNotes T2\tnot sure',
      ),
    );
    const [ann, bo, met] = cases[0]!.gold;
    expect(ann!.fields).toEqual({
      id: 'T1',
      attributes: { Sure: 'high' },
      normalisations: ['Reference Wikidata:Q1 Ann Lee'],
    });
    expect(bo!.fields).toEqual({ id: 'T2', notes: ['not sure'] });
    expect([met!.kind, met!.label, met!.source, met!.target]).toEqual(['relationship', 'MET', 'T1', 'T2']);
    expect(met!.fields).toEqual({ id: 'R1', attributes: { Negated: true } });
  });

  it('reads an event as relations of its trigger, and an event as an argument as that trigger', async () => {
    const { cases } = await readGold(
      'brat',
      folder(
        'T1\tMeet 4 7\tmet',
        'T2\tPER 0 3\tAnn',
        'T3\tLeave 26 30\tleft',
        'E1\tMeet:T1 Who:T2',
        'E2\tLeave:T3 After:E1',
      ),
    );
    const relations = cases[0]!.gold.filter(({ kind }) => kind === 'relationship');
    expect(relations.map(({ label, source, target }) => [label, source, target])).toEqual([
      ['Who', 'T1', 'T2'],
      ['After', 'T3', 'T1'],
    ]);
  });

  it('lists equivalences as left out, and refuses lines that are no annotation', async () => {
    const { leftOut } = await readGold('brat', folder('T1\tPER 0 3\tAnn', 'T2\tPER 8 10\tBo', '*\tEquiv T1 T2'));
    expect(leftOut).toEqual(['* Equiv T1 T2']);
    await expect(readGold('brat', folder('T1\tPER 0 3\tAnn', 'T2 PER 8 10 Bo'))).rejects.toThrow(
      /a\.ann:2: line: expected an annotation such as T1<TAB>PERSON 0 3<TAB>Ann/,
    );
  });

  it('writes what it reads', async () => {
    const files = folder(
      'T1\tMeet 4 7\tmet',
      'T2\tPAIR 0 3;8 10\tAnn Bo',
      'A1\tSure T2 high',
      '#2\tAnnotatorNotes T2\ttwo people',
      'T3\tLOC 16 20\tOslo',
      'E1\tMeet:T1 Who:T2',
      'R1\tIN Arg1:T2 Arg2:T3',
    );
    const { files: out, lost } = await converted('brat', files, 'out', { to: 'brat' });
    expect(lost).toEqual([]);
    expect(out).toEqual(files);
  });

  it('writes labels without spaces, and lists those that had some', async () => {
    const spans = [{ start: 0, end: 3, label: 'First name' }];
    const { files, lost } = await converted('a.jsonl', jsonl({ id: 'a', text: 'Ann', spans }), 'out', { to: 'brat' });
    expect(files).toEqual({ 'a.ann': 'T1\tFirst_name 0 3\tAnn\n', 'a.txt': 'Ann' });
    expect(lost).toEqual(['a: span First name "Ann" at 0..3: the label']);
  });
});
