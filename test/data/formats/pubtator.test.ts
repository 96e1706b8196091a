import { describe, expect, it } from 'vitest';

import { jsonl, shown } from '../reading.ts';
import { converted, readGold } from './read-side.ts';

const FILE = [
  '12|t|Aspirin 🙂 helps.',
  '12|a|It eases headache.',
  '12	0	7	Aspirin	Chemical	D001241',
  '12	26	34	headache	Disease	D006261,D051270',
  '12	Treatment	D001241	D051270',
  '',
  '13|t|Nothing here.',
  '',
  '',
].join('\n');

describe('pubtator', () => {
  it('reads title and abstract as one text, mentions by code points, and relations between concepts', async () => {
    const { cases, format } = await readGold('a.pubtator', FILE);
    const [first, second] = cases;
    expect([format, first!.id, first!.text]).toEqual(['pubtator', '12', 'Aspirin 🙂 helps. It eases headache.']);
    const [aspirin, headache, treatment] = first!.gold;
    expect(shown([aspirin!, headache!])).toEqual(['Chemical Aspirin 0..7', 'Disease headache 27..35']);
    expect(headache!.fields['concept']).toBe('D006261,D051270');
    expect([treatment!.label, treatment!.source, treatment!.target]).toEqual([
      'Treatment',
      aspirin!.fields['id'],
      headache!.fields['id'],
    ]);
    expect([second!.id, second!.text, second!.gold]).toEqual(['13', 'Nothing here.', []]);
  });

  it('writes what it reads', async () => {
    const { files, lost } = await converted('a.pubtator', FILE, 'out.pubtator', { to: 'pubtator' });
    expect([lost, files['out.pubtator']]).toEqual([[], FILE]);
  });

  it('refuses lines that are neither, and mentions before a title', async () => {
    await expect(readGold('a.pubtator', '12|t|Ann\n12\tx\n')).rejects.toThrow('a.pubtator:2: line: expected a mention');
    await expect(readGold('a.pubtator', '12\t0\t3\tAnn\tPER\n', { format: 'pubtator' })).rejects.toThrow(
      'a.pubtator:1: line: expected a title, ID|t|TITLE',
    );
  });

  it('writes line breaks as spaces, and names concepts for relations that have none', async () => {
    const given = {
      id: 'a|b',
      text: 'Ann\nmet Bo',
      expected_output: {
        entities: [
          { temp_id: 'e1', name: 'Ann', type: 'PER', start: 0, end: 3 },
          { temp_id: 'e2', name: 'Bo', type: 'PER', start: 8, end: 10 },
        ],
        relationships: [{ source_ref: 'e1', target_ref: 'e2', type: 'MET' }],
      },
    };
    const { files, lost } = await converted('a.jsonl', jsonl(given), 'out.pubtator', { to: 'pubtator' });
    expect(files['out.pubtator']!.split('\n')).toEqual([
      'a_b|t|Ann met Bo',
      'a_b\t0\t3\tAnn\tPER\te1',
      'a_b\t8\t10\tBo\tPER\te2',
      'a_b\tMET\te1\te2',
      '',
      '',
    ]);
    expect(lost).toEqual(['a|b: the id', 'a|b: the exact text']);
  });
});
