import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { DataFileCheck } from '../../src/audit/check-file.ts';
import { assayHere } from './assay-here.ts';
import { temporaryFolder } from './run-assay.ts';

const TEXT = 'Ann met Bo.';
const ABSENT = Symbol('absent');

/** A record of a tool, with its list of annotations under this name. */
interface Shape {
  readonly list: string;
  readonly items: readonly unknown[];
  readonly record: (id: string) => Record<string, unknown>;
  /** Records without any list do not show the tool. */
  readonly isPlain?: boolean;
}

/** Every format whose list of annotations tools leave out, or write as null, if it would be empty. */
const SHAPES: Readonly<Record<string, Shape>> = {
  prodigy: {
    list: 'spans',
    items: [{ start: 0, end: 3, label: 'PER' }],
    record: (id) => ({ id, text: TEXT, answer: 'accept', _task_hash: 7 }),
  },
  doccano: { list: 'label', items: [[0, 3, 'PER']], record: (id) => ({ id, text: TEXT }), isPlain: true },
  'spacy-json': {
    list: 'ents',
    items: [{ start: 0, end: 3, label: 'PER' }],
    record: (id) => ({ id, text: TEXT, tokens: [{ id: 0, start: 0, end: 3 }] }),
  },
  langextract: {
    list: 'extractions',
    items: [{ extraction_class: 'PER', extraction_text: 'Ann', char_interval: { start_pos: 0, end_pos: 3 } }],
    record: (id) => ({ document_id: id, text: TEXT }),
    isPlain: true,
  },
  presidio: {
    list: 'results',
    items: [{ entity_type: 'PER', start: 0, end: 3, score: 0.5 }],
    record: (id) => ({ id, text: TEXT }),
    isPlain: true,
  },
  'presidio-research': {
    list: 'spans',
    items: [{ entity_type: 'PER', entity_value: 'Ann', start_position: 0, end_position: 3 }],
    record: (id) => ({ sample_id: id, full_text: TEXT }),
    isPlain: true,
  },
  'hugging-face': {
    list: 'entities',
    items: [{ entity_group: 'PER', word: 'Ann', start: 0, end: 3, score: 0.5 }],
    record: (id) => ({ id, text: TEXT }),
    isPlain: true,
  },
  'model-json': {
    list: 'entities',
    items: [{ text: 'Ann', type: 'PER' }],
    record: (id) => ({ id, text: TEXT }),
    isPlain: true,
  },
  'spacy-pairs': { list: 'entities', items: [[0, 3, 'PER']], record: (id) => ({ id, text: TEXT }), isPlain: true },
  gliner: {
    list: 'ner',
    items: [[0, 0, 'PER']],
    record: (id) => ({ id, tokenized_text: ['Ann', 'met', 'Bo.'], text: TEXT }),
  },
  dygie: {
    list: 'ner',
    items: [[[0, 0, 'PER']]],
    record: (id) => ({ doc_key: id, sentences: [['Ann', 'met', 'Bo.']] }),
  },
  'label-studio': {
    list: 'label',
    items: [{ start: 0, end: 3, text: 'Ann', labels: ['PER'] }],
    record: (id) => ({ id, text: TEXT, annotator: 1, lead_time: 2 }),
    isPlain: true,
  },
};

interface Answer {
  readonly isAccepted: boolean;
  /** Items that were read. */
  readonly items: number;
  readonly notes: readonly string[];
  readonly problems: readonly string[];
}

const NOTE = /(\d+ records?) without a list of annotations/g;
const notesIn = (text: string): string[] => [...text.replaceAll(/\s+/g, ' ').matchAll(NOTE)].map(([, n]) => n!);

/** A ledger has a line for each item: the predictions here are empty. */
const linesOf = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');

/** What each command makes of the same file. */
async function answers(records: readonly object[], format?: string): Promise<Record<string, Answer>> {
  const cwd = temporaryFolder();
  const ids = records.map((record) => Object.values(record)[0] as string);
  const lines = (all: readonly object[]): string => all.map((record) => `${JSON.stringify(record)}\n`).join('');
  writeFileSync(join(cwd, 'gold.jsonl'), lines(records));
  writeFileSync(join(cwd, 'p.jsonl'), lines(ids.map((id) => ({ id, spans: [] }))));
  writeFileSync(join(cwd, 'recipe.yaml'), 'extends: spans/strict\ninterval: off\n');
  const run = (...args: readonly string[]) => assayHere(args, { cwd });
  const named = format === undefined ? [] : ['--format', format];
  // The predictions are plain spans, so that a format that is named is one of gold alone.
  const files = ['--gold', 'gold.jsonl', ...(format === undefined ? ['--predictions', 'p.jsonl'] : []), ...named];
  const checkOf = async (...args: readonly string[]): Promise<Answer> => {
    const { code, stdout } = await run('validate', ...args, '--json');
    const { problems, labels } = JSON.parse(stdout) as DataFileCheck;
    const shown = await run('validate', ...args);
    return {
      isAccepted: code === 0,
      items: labels.reduce((sum, { gold }) => sum + gold, 0),
      notes: notesIn(shown.stdout),
      problems: problems.shown.map(({ field, message }) => `${field ?? ''}: ${message}`),
    };
  };
  const problemsIn = (stderr: string): string[] =>
    stderr.split('\n').flatMap((line) => /^gold\.jsonl:\d+: (.*?)(?: \(.*\))?$/.exec(line)?.[1] ?? []);
  const converted = await run('convert', 'gold.jsonl', 'out.jsonl', ...named);
  const scored = format === undefined ? await run('score', 'recipe.yaml', ...files, '--out', 'run') : null;
  return {
    'validate FILE': await checkOf('gold.jsonl', ...named),
    'validate RECIPE': await checkOf('recipe.yaml', ...files),
    convert: {
      isAccepted: converted.code === 0,
      items: Number(/(\d+) items?, converted/.exec(converted.stdout)?.[1] ?? 0),
      notes: notesIn(converted.stdout),
      problems: problemsIn(converted.stderr),
    },
    ...(scored === null
      ? {}
      : {
          score: {
            isAccepted: scored.code === 0,
            items: scored.code === 0 ? linesOf(join(cwd, 'run/ledger.jsonl')).length : 0,
            notes: notesIn(scored.stdout),
            problems: problemsIn(scored.stderr),
          },
        }),
  };
}

describe.each(Object.entries(SHAPES))(
  'validate FILE, validate RECIPE, score and convert agree on %s',
  (name, shape) => {
    const record = (id: string, list: unknown): object =>
      list === ABSENT ? shape.record(id) : { ...shape.record(id), [shape.list]: list };

    it.each([
      ['absent and empty lists after others', [shape.items, ABSENT, ABSENT, []], 1, ['2 records']],
      ['null as a list, first and later', [null, shape.items, null], 1, ['2 records']],
    ])('%s', async (_, lists, items, notes) => {
      const given = lists.map((list, at) => record(`d${at}`, list));
      for (const [command, answer] of Object.entries(await answers(given)))
        expect({ command, ...answer }).toEqual({ command, isAccepted: true, items, notes, problems: [] });
    });

    it('no list at all, in a format that is named or shown', async () => {
      const given = [record('d0', ABSENT), record('d1', ABSENT)];
      for (const [command, answer] of Object.entries(await answers(given, shape.isPlain === true ? name : undefined)))
        expect({ command, ...answer }).toEqual({
          command,
          isAccepted: true,
          items: 0,
          notes: ['2 records'],
          problems: [],
        });
    });

    it.each([['text'], [7], [{ start: 0 }]])('%j for a list is refused', async (list) => {
      const given = [record('d0', shape.items), record('d1', list)];
      const all = Object.entries(await answers(given));
      const [, { problems: expected }] = all[0]!;
      expect(expected).toEqual([expect.stringContaining(`${shape.list}: expected a list, found`)]);
      for (const [command, { isAccepted, problems }] of all)
        expect({ command, isAccepted, problems }).toEqual({ command, isAccepted: false, problems: expected });
    });
  },
);

it('a record of the plain format without its list and without a text is refused by all', async () => {
  const given = [{ id: 'd0' }, { id: 'd1', text: TEXT, spans: [{ start: 0, end: 3, label: 'PER' }] }];
  for (const [command, { isAccepted, problems }] of Object.entries(await answers(given)))
    expect({ command, isAccepted, problems }).toEqual({
      command,
      isAccepted: false,
      problems: ['spans: expected a list of spans (may be empty), found nothing'],
    });
});

it('a graph with a broken relationship is refused by all, although its texts can be read', async () => {
  const cwd = temporaryFolder();
  const entities = [{ id: 'e1', name: 'Ann', type: 'PER' }];
  const records = [
    { id: 'd0', text: TEXT, entities: [], relationships: [] },
    { id: 'd1', text: TEXT, entities, relationships: [{ source: 'e1', target: 'e1', type: 'knows' }] },
  ];
  writeFileSync(join(cwd, 'gold.jsonl'), records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const calls = [
    'validate gold.jsonl',
    'validate triples/exact --gold gold.jsonl',
    'score triples/exact --gold gold.jsonl --predictions gold.jsonl',
    'convert gold.jsonl out.jsonl',
  ];
  for (const call of calls) {
    const { code, stdout, stderr } = await assayHere(call.split(' '), { cwd });
    const printed = `${stdout}${stderr}`.replaceAll(/\s+/g, ' ');
    expect({ call, isRefused: code !== 0, printed }).toMatchObject({
      isRefused: true,
      printed: expect.stringContaining(
        'relationships[0].source_name: expected a name or reference, found nothing',
      ) as unknown,
    });
  }
});

it('score prints the note of a file without any list once, with a run folder or without', async () => {
  const cwd = temporaryFolder();
  const lines = (records: readonly object[]): string => records.map((one) => `${JSON.stringify(one)}\n`).join('');
  writeFileSync(join(cwd, 'gold.jsonl'), lines([{ id: 'a', text: TEXT, answer: 'accept' }]));
  writeFileSync(join(cwd, 'p.jsonl'), lines([{ id: 'a', text: TEXT, spans: [{ start: 0, end: 3, label: 'PER' }] }]));
  for (const out of [[], ['--out', 'run']]) {
    const call = ['score', 'spans/strict', '--gold', 'gold.jsonl', '--predictions', 'p.jsonl', ...out];
    expect(notesIn((await assayHere(call, { cwd })).stdout)).toEqual(['1 record']);
  }
});
