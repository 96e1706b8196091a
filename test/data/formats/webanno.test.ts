import { describe, expect, it } from 'vitest';

import { shown } from '../reading.ts';
import { converted, readGold } from './read-side.ts';

const PERSON = 'webanno.custom.Person';
const file = (header: readonly string[], ...lines: readonly string[]): string =>
  ['#FORMAT=WebAnno TSV 3.3', ...header, '', '', ...lines, ''].join('\n');

describe('webanno-tsv', () => {
  it('reads a span of several tokens by its number, and the text from its sentences', async () => {
    const { cases, format } = await readGold(
      'a.tsv',
      file(
        [`#T_SP=${PERSON}|value`],
        '#Text=Ann Lee left.',
        '1-1\t0-3\tAnn\tPER[1]\t',
        '1-2\t4-7\tLee\tPER[1]\t',
        '1-3\t8-12\tleft\t_\t',
        '1-4\t12-13\t.\t_\t',
        '',
        '#Text=Bo 🙂 too',
        '2-1\t14-16\tBo\tPER\t',
        '2-2\t17-19\t🙂\t_\t',
        '2-3\t20-23\ttoo\tADV\t',
      ),
    );
    expect([format, cases[0]!.id, cases[0]!.text]).toEqual(['webanno-tsv', 'a', 'Ann Lee left.\nBo 🙂 too']);
    expect(shown(cases[0]!.gold)).toEqual(['PER Ann Lee 0..7', 'PER Bo 14..16', 'ADV too 20..23']);
    expect(cases[0]!.tokens).toHaveLength(7);
  });

  it('reads several spans on one token, features, parts of tokens and escaped signs', async () => {
    const { cases } = await readGold(
      'a.tsv',
      file(
        [`#T_SP=${PERSON}|value|note`],
        '#Text=Ann-Lee',
        '1-1\t0-7\tAnn-Lee\tPER[1]|A\\|B\\_C[2]\tx\\[1\\][1]|*[2]\t',
        '1-1.1\t0-3\tAnn\tFIRST\t*\t',
      ),
    );
    expect(shown(cases[0]!.gold)).toEqual(['PER Ann-Lee 0..7', 'A|B_C Ann-Lee 0..7', 'FIRST Ann 0..3']);
    expect(cases[0]!.gold.map(({ fields }) => fields['note'])).toEqual(['x[1]', undefined, undefined]);
  });

  it('reads relations at the token of their target, and slots', async () => {
    const { cases } = await readGold(
      'a.tsv',
      file(
        [
          `#T_SP=${PERSON}|value|ROLE_${PERSON}:args_webanno.custom.Link|uima.tcas.Annotation`,
          `#T_RL=webanno.custom.Relation|label|BT_${PERSON}`,
        ],
        '#Text=Ann met Bo',
        '1-1\t0-3\tAnn\tPER\tfriend\t1-3\t_\t_\t',
        '1-2\t4-7\tmet\t_\t_\t_\t_\t_\t',
        '1-3\t8-10\tBo\tPER\t*\t*\tMET\t1-1\t',
      ),
    );
    const [ann, friend, bo, met] = cases[0]!.gold;
    expect(shown([ann!, bo!])).toEqual(['PER Ann 0..3', 'PER Bo 8..10']);
    for (const [relation, label] of [
      [friend!, 'friend'],
      [met!, 'MET'],
    ] as const)
      expect([relation.label, relation.source, relation.target]).toEqual([label, ann!.fields['id'], bo!.fields['id']]);
  });

  it('refuses chains, and places that are no numbers', async () => {
    const chains = file(
      ['#T_CH=webanno.custom.Coref|referenceType|referenceRelation'],
      '#Text=a',
      '1-1\t0-1\ta\t_\t_\t',
    );
    await expect(readGold('a.tsv', chains)).rejects.toThrow(/expected layers of spans and relations, found "chains"/);
    await expect(readGold('a.tsv', file([], '#Text=a', '1-1\t0\ta\t'))).rejects.toThrow(/two numbers, 0-3, found "0"/);
  });

  it('writes tokens, spans with numbers, parts of tokens and relations', async () => {
    const given = JSON.stringify({
      id: 'a',
      text: 'Ann-Lee met Bo',
      expected_output: {
        entities: [
          { temp_id: 'e1', name: 'Lee', type: 'PER', start: 4, end: 7 },
          { temp_id: 'e2', name: 'met Bo', type: 'VP', start: 8, end: 14 },
        ],
        relationships: [{ source_ref: 'e1', target_ref: 'e2', type: 'DOES' }],
      },
    });
    const { files, lost } = await converted('a.jsonl', given, 'out', { to: 'webanno-tsv' });
    expect(lost).toEqual([]);
    const layer = 'de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity';
    expect(files['a.tsv']!.split('\n')).toEqual([
      '#FORMAT=WebAnno TSV 3.3',
      `#T_SP=${layer}|value`,
      `#T_RL=webanno.custom.Relation|label|BT_${layer}`,
      '',
      '',
      '#Text=Ann-Lee met Bo',
      '1-1\t0-3\tAnn\t_\t_\t_\t',
      '1-2\t3-4\t-\t_\t_\t_\t',
      '1-3\t4-7\tLee\tPER[1]\t_\t_\t',
      '1-4\t8-11\tmet\tVP[2]\tDOES\t1-3[1_2]\t',
      '1-5\t12-14\tBo\tVP[2]\t_\t_\t',
      '',
    ]);
  });

  it('writes a span inside a token as a part of it, and lists one that is between tokens', async () => {
    const spans = [
      { start: 1, end: 3, label: 'X' },
      { start: 3, end: 4, label: 'GAP' },
    ];
    const given = JSON.stringify({ id: 'a', text: 'Ann Lee', spans });
    const { files, lost } = await converted('a.jsonl', given, 'out', { to: 'webanno-tsv' });
    expect(files['a.tsv']!.split('\n').slice(5, 7)).toEqual(['1-1\t0-3\tAnn\t_\t', '1-1.1\t1-3\tnn\tX[1]\t']);
    expect(lost).toEqual(['a: span GAP " " at 3..4: the item']);
  });
});
