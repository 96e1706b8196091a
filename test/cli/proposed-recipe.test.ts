import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { assayHere } from './assay-here.ts';
import { temporaryFolder } from './run-assay.ts';

const FILES: Readonly<Record<string, string>> = {
  'doccano.jsonl': '{"id":1,"text":"Ann met Bo.","label":[[0,3,"PER"]]}\n',
  'hf.json': '[[{"entity_group":"PER","score":0.9,"word":"Ann","start":0,"end":3}]]',
  'both.jsonl': '{"id":"1","text":"Ann met Bo.","gold":[],"predicted":[{"start":0,"end":3,"label":"PER"}]}\n',
  'tab.json':
    '[{"doc_id":"1","text":"Ann met Bo.","annotations":{"a1":{"entity_mentions":[{"entity_type":"PERSON","entity_id":"e1","entity_mention_id":"m1","start_offset":0,"end_offset":3,"span_text":"Ann","identifier_type":"DIRECT"}]}}}]',
  'triples.jsonl': '{"id":"1","triples":[{"subject":"Ann","predicate":"met","object":"Bo"}]}\n',
  'graph.jsonl':
    '{"id":"1","output":{"entities":[{"name":"Ann","type":"PER"}],"relationships":[{"source_name":"Ann","target_name":"Bo","type":"met"}]}}\n',
  'note.ann': 'T1\tPER 0 3\tAnn\nT2\tPER 8 10\tBo\nR1\tmet Arg1:T1 Arg2:T2\n',
  'note.txt': 'Ann met Bo.',
  'diary.jsonl': '{"journal_id":"d1","items":[{"domain":"food","evidence_span":"masala chai"}]}\n',
  'cases.csv': 'id,scenario\nC1,My hands are cold.\n',
  'answers.jsonl': '{"case_id":"C1","response":"Wear gloves."}\n',
  'recipe.json': '{"task":"pii"}',
};

/** The command that is proposed, without the program's name. */
async function proposed(...words: string[]): Promise<string> {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(FILES)) writeFileSync(join(folder, name), content);
  mkdirSync(join(folder, 'empty'));
  const { code, stdout, stderr } = await assayHere(['score', ...words], { cwd: folder });
  expect([code, stdout]).toEqual([2, '']);
  return /^ {2}.*?(score .*|stream .*)$/m.exec(stderr)?.[1] ?? stderr;
}

describe('assay score without a recipe', () => {
  test.each([
    ['doccano.jsonl hf.json', 'score spans/strict --gold doccano.jsonl --predictions hf.json'],
    ['hf.json doccano.jsonl', 'score spans/strict --gold doccano.jsonl --predictions hf.json'],
    [
      '--gold doccano.jsonl --predictions new=hf.json',
      'score spans/strict --gold doccano.jsonl --predictions new=hf.json',
    ],
    ['doccano.jsonl', 'score spans/strict --gold doccano.jsonl --predictions PREDICTIONS'],
    ['both.jsonl', 'score spans/strict --cases both.jsonl'],
    ['tab.json', 'score redaction/tab --gold tab.json --predictions PREDICTIONS'],
    ['triples.jsonl', 'score triples/exact --gold triples.jsonl --predictions PREDICTIONS'],
    ['graph.jsonl', 'score graph/openspec --gold graph.jsonl --predictions PREDICTIONS'],
    ['note.ann', 'score relations/strict --gold note.ann --predictions PREDICTIONS'],
    ['diary.jsonl', 'score journal/ashwam --gold diary.jsonl --predictions PREDICTIONS'],
    ['answers.jsonl cases.csv', 'score consult/ayurmind --cases cases.csv --predictions answers.jsonl'],
  ])('proposes the one that fits %s', async (words, command) => {
    expect(await proposed(...words.split(' '))).toBe(`${command} --out runs/first`);
  });

  test('keeps how the files are read and where the run goes', async () => {
    expect(await proposed('--gold', 'doccano.jsonl', '--offsets', 'utf16', '--out', 'runs/a')).toBe(
      'score spans/strict --gold doccano.jsonl --predictions PREDICTIONS --offsets utf16 --out runs/a',
    );
  });

  test('says what is missing where there is nothing to go by', async () => {
    expect(await proposed()).toContain('no recipe was named');
    expect(await proposed('empty')).toContain('assay validate empty');
    expect(await proposed('nosuch.jsonl')).toContain('no preset or recipe file called nosuch.jsonl');
  });

  test('takes no data after a recipe', async () => {
    expect(await proposed('spans/strict', 'doccano.jsonl')).toContain('name the files with --cases');
    expect(await proposed('recipe.json', 'doccano.jsonl')).toContain('recipe.json is a recipe');
  });
});
