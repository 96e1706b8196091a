import { deflateSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { memorySource } from '../../src/data/source.ts';
import { jsonl, problems } from './reading.ts';

const PREDICTIONS = jsonl({ id: 'd1', spans: [] });

async function refusal(name: string, content: string | Buffer): Promise<string> {
  return (await problems({ gold: memorySource(name, content), predictions: PREDICTIONS }))[0]!;
}

describe('a hostile file', () => {
  it.each<[name: string, what: string, content: string | Buffer]>([
    [
      'a.xmi',
      'a document type is not allowed',
      '<!DOCTYPE a [<!ENTITY x "y">]><xmi:XMI xmlns:xmi="http://www.omg.org/XMI"/>',
    ],
    ['a.xml', 'nested more than 200 levels deep', `<?xml version="1.0"?><GateDocument>${'<a>'.repeat(100_000)}`],
    ['a.spacy', 'not a DocBin', deflateSync(Buffer.from('dfffffffff', 'hex'))],
    ['a.spacy', 'not a DocBin', deflateSync(Buffer.from('91'.repeat(100_000), 'hex'))],
    ['a.spacy', 'not a DocBin', deflateSync(Buffer.alloc(1 << 26))],
    ['a.json', 'cut off', '['.repeat(100_000)],
    [
      'a.jsonl',
      'nested more than 500 levels deep',
      `{"id":"d1","text":"x","spans":[],"more":${'['.repeat(9000)}${']'.repeat(9000)}}\n`,
    ],
    ['a.jsonl', '__proto__ is not allowed', '{"id":"d1","text":"x","spans":[],"__proto__":{"a":1}}\n'],
    ['a.tsv', 'a.tsv:5: ', '#FORMAT=WebAnno TSV 3.3\n#T_SP=x|y\n\n\n1-1\t0-99999999999999999999\tAnn\tPER\t\n'],
    ['a.ann', 'end: expected a whole number below 2^53', 'T1\tPER 0 99999999999999999999\tAnn\n'],
    ['a.conll', 'columns: expected ', `Ann${' x'.repeat(5000)} B-PER\nBo B-PER\n`],
  ])('%s is refused: %s', async (name, what, content) => {
    const message = await refusal(name, content);
    expect(message.startsWith(name)).toBe(true);
    expect(message).toContain(what);
    expect(message.length).toBeLessThan(600);
  });
});
