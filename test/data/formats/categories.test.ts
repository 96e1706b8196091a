import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { categoriesOf } from '../../../src/data/formats/categories.ts';
import { assayHere } from '../../cli/assay-here.ts';
import { noReference, referencePath } from '../../reference/reference-data.ts';
import { temporaryFolder } from '../reading.ts';

/** The three commands that read a file of annotations, and what they print. */
async function commands(name: string, content: string): Promise<Record<'validate' | 'score' | 'convert', string>> {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, name), content);
  const run = async (...args: string[]): Promise<string> => {
    const { stdout, stderr } = await assayHere(args, { cwd });
    return (stdout + stderr).replaceAll(/\s+/g, ' ');
  };
  return {
    validate: await run('validate', name),
    score: await run('score', 'spans/strict', '--gold', name, '--predictions', name, '--verbose'),
    convert: await run('convert', name, 'out.conll', '--to', 'conll'),
  };
}

const lines = (...records: readonly object[]): string => records.map((record) => JSON.stringify(record)).join('\n');

const TEXT = 'Ann met Bo in Rome.';
const ents = [{ start: 0, end: 3, label: 'PERSON' }];
const entities = [{ id: 0, start_offset: 0, end_offset: 3, label: 'PERSON' }];

describe('categories of whole texts beside annotations', () => {
  it.each([
    ['spaCy', 'a.jsonl', lines({ text: TEXT, ents, cats: { travel: 1, food: 0 } }), ['travel'], 2],
    [
      'spaCy pairs',
      'a.json',
      JSON.stringify([[TEXT, { entities: [[0, 3, 'PERSON']], cats: { a: 0.9, b: 0.4 } }]]),
      ['a', 'b'],
      4,
    ],
    [
      'doccano',
      'a.jsonl',
      lines({ id: 1, text: TEXT, entities, relations: [], cats: ['travel', 'city'] }),
      ['travel', 'city'],
      4,
    ],
    [
      'doccano with labels of the text',
      'a.jsonl',
      lines({ id: 1, text: TEXT, entities, label: ['news'] }),
      ['news'],
      2,
    ],
    [
      'spaCy training JSON',
      'a.json',
      JSON.stringify([
        {
          id: 1,
          paragraphs: [
            {
              cats: [
                { label: 'travel', value: 1 },
                { label: 'food', value: 0 },
              ],
              sentences: [{ tokens: [{ orth: 'Ann', ner: 'U-PERSON' }] }],
            },
          ],
        },
      ]),
      ['travel'],
      2,
    ],
    [
      'Prodigy',
      'a.jsonl',
      lines({ text: TEXT, spans: ents, options: [{ id: 'news' }], accept: ['news'], _task_hash: 1 }),
      ['news'],
      2,
    ],
  ])('are counted by validate and score and listed by convert: %s', async (_, name, content, categories, inBoth) => {
    const n = categories.length;
    const plural = (count: number): string => (count === 1 ? '1 category' : `${count} categories`);
    const { validate, score, convert } = await commands(name, content);
    expect(validate).toContain(`${plural(n)} of whole texts not read`);
    expect(validate).toContain('The file can be read; 1 note.');
    expect(score).toContain(`${plural(inBoth)} of whole texts not read: only annotations within texts are scored`);
    expect(convert).toContain(`the category: it is not read ${n} 1: category "${categories[0]!}"`);
  });

  it('are none without a class that the text has', async () => {
    const { validate, score, convert } = await commands('a.jsonl', lines({ text: TEXT, ents, cats: { food: 0 } }));
    expect(validate).toContain('nothing to look at');
    expect(score).not.toContain('categor');
    expect(convert).not.toContain('categor');
  });

  it('are not lost in a file that has them again', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'a.jsonl'), lines({ id: 'd1', text: TEXT, ents, cats: { travel: 1 } }));
    const { stdout } = await assayHere(['convert', 'a.jsonl', 'out.jsonl', '--to', 'spacy-json'], { cwd });
    expect(stdout).toContain('Nothing was lost');
  });

  it.each([
    [undefined, {}],
    [null, {}],
    ['flight', { categories: ['flight'] }],
    [['a', 3], {}],
    [[[0, 3, 'PER']], {}],
    [{ a: { b: 1 } }, {}],
    [{ a: true, b: false }, { categories: ['a'] }],
  ])('are names or scores by name: %j', (cats, expected) => {
    expect(categoriesOf({ cats })).toEqual(expected);
  });
});

describe('a file of text classification', () => {
  it.each([
    ['doccano', 'a.jsonl', lines({ text: TEXT, label: ['travel'] }), 'label holds'],
    ['spaCy', 'a.jsonl', lines({ text: TEXT, cats: { travel: 1, food: 0 }, meta: {} }), 'cats holds'],
    ['one class a text', 'a.json', `[\n  ${JSON.stringify({ text: TEXT, intent: 'travel' })}\n]`, 'intent holds'],
    ['a table', 'a.csv', `text,label\n"${TEXT}",travel\n`, 'label holds'],
    ['fastText', 'a.txt', `__label__travel ${TEXT}\n`, '__label__ marks'],
  ])('is not scored, and no command says that a format is missing: %s', async (_, name, content, holder) => {
    const message = `text classification is not scored: ${holder} classes of whole texts, and nothing is annotated in them`;
    const printed = await commands(name, content);
    for (const text of Object.values(printed)) {
      expect(text).toContain(message);
      expect(text).not.toContain('unknown file format');
    }
  });

  it('is recognised by its empty lists', async () => {
    const { score } = await commands('a.jsonl', lines({ text: TEXT, ents: [], cats: { travel: 1 } }));
    expect(score).toContain('text classification is not scored: the files hold 2 classes of whole texts');
  });
});

describe.skipIf(noReference)('files of other tools', () => {
  const validate = async (name: string): Promise<string> =>
    (await assayHere(['validate', referencePath(`tools/${name}`)], { cwd: temporaryFolder() })).stdout;

  it.each([
    ['spacy-llm/docs.jsonl', '1 record, 1 case, 2 items', '1 category of whole texts not read'],
    ['doccano/intent_detection.jsonl', '2 records, 2 cases, 3 items', '2 categories of whole texts not read'],
    ['doccano/text_classification.jsonl', '0 records', 'text classification is not scored'],
    ['doccano/text_classification.json', '0 records', 'text classification is not scored'],
    ['doccano/text_classification.csv', '0 records', 'text classification is not scored'],
    ['doccano/text_classification.fasttext.txt', '0 records', 'text classification is not scored'],
    ['flair/multi_class.txt', '0 records', 'text classification is not scored'],
    ['spacy-textcat-multilabel/cooking-dev.jsonl', '0 records', 'text classification is not scored'],
  ])('%s', async (name, contents, message) => {
    const printed = (await validate(name)).replaceAll(/\s+/g, ' ');
    expect(printed).toContain(contents);
    expect(printed).toContain(message);
  });
});

it('texts with an id and classes alone are reported as text classification when they are given as a side', async () => {
  for (const record of [
    { id: 1, text: TEXT, label: ['travel'] },
    { id: 1, text: TEXT, cats: { travel: 1 } },
    { id: 1, text: TEXT, category: 'travel' },
  ]) {
    const { validate, score, convert } = await commands('a.jsonl', lines(record));
    expect(validate).toContain('texts without annotations');
    for (const output of [score, convert]) expect(output).toContain('text classification is not scored');
  }
});
