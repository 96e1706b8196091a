import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { convert } from '../../src/data/convert.ts';
import { fileSource } from '../../src/data/source.ts';
import { fileName } from '../../src/data/write-cases.ts';
import { jsonl, temporaryFolder } from './reading.ts';

describe('files that are named by case ids', () => {
  it.each([
    ['a/b', 'a_b'],
    ['..', '_'],
    ['.hidden', '_hidden'],
    ['-rf', '_-rf'],
    ['CON', '_CON'],
    ['x. ', 'x_'],
    ['a:b*?"<>|', 'a_b______'],
    ['', '_'],
    ['e\u0301', 'é'],
    ['\ud800', '_'],
    ['é'.repeat(150), 'é'.repeat(100)],
  ])('%j is %j', (id, expected) => {
    expect(fileName(id)).toBe(expected);
  });

  it('are numbered if several ids have one name, also where a file system does not tell cases apart', async () => {
    const folder = temporaryFolder();
    const record = (id: string) => ({ id, text: 'Ann', spans: [{ start: 0, end: 3, label: 'PER' }] });
    writeFileSync(join(folder, 'in.jsonl'), jsonl(...['a/b', 'A_b', 'a:b'].map(record)));
    const { losses } = await convert(fileSource(join(folder, 'in.jsonl')), join(folder, 'out'), { to: 'gate-xml' });
    expect(readdirSync(join(folder, 'out')).toSorted()).toEqual(['A_b~2.xml', 'a_b.xml', 'a_b~3.xml']);
    expect(losses.map((loss) => [loss.case, loss.what])).toEqual([
      ['a/b', 'the id'],
      ['A_b', 'the id'],
      ['a:b', 'the id'],
    ]);
  });
});

it('places without a text are refused where the format is made of it', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'masks.json'), '{"d1":[[0,3]]}');
  await expect(
    convert(fileSource(join(folder, 'masks.json')), join(folder, 'out.conll'), { to: 'conll' }),
  ).rejects.toThrow('"d1" has places but no text, which this format is made of');
});
