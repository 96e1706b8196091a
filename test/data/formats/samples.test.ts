import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { convert, type ConvertOptions } from '../../../src/data/convert.ts';
import { fileSource } from '../../../src/data/source.ts';
import { noReference, referencePath } from '../../reference/reference-data.ts';
import { temporaryFolder } from '../reading.ts';
import * as plain from './sample-annotations.ts';
import type { Annotated } from './sample-annotations.ts';

/** A file that a real tool wrote. */
interface Sample {
  readonly file: string;
  readonly format: string;
  readonly cases: number;
  /** Written down from the independent reading, so that the two cannot be wrong together. */
  readonly items: number;
  /** What is in it, without the readers under test. */
  readonly read: (path: string) => Annotated[];
  /** The same of the file that is written back, if its layout is another one. */
  readonly readBack?: (path: string) => Annotated[];
  /** What an item has beyond its place and label. */
  readonly also?: (item: Item) => string;
  readonly options?: ConvertOptions;
  readonly isGraph?: boolean;
  /** The sample ends within a sentence, whose text is whole. */
  readonly isCutOff?: boolean;
  /** What converting it lists as lost. */
  readonly lost?: readonly string[];
}

/** A span, entity or relationship of the plain formats. */
type Item = Readonly<Record<string, unknown>> & {
  readonly start: number;
  readonly end: number;
  readonly label: string;
  readonly type: string;
  readonly annotator: string;
};

interface PlainRecord {
  readonly id: string;
  readonly text?: string;
  readonly tokens?: readonly (readonly [number, number])[];
  readonly spans?: readonly Item[];
  readonly classes?: readonly { readonly label: string; readonly text: string }[];
  readonly expected_output?: PlainGraph;
  readonly output?: PlainGraph;
}

interface PlainGraph {
  readonly entities: readonly (Item & { readonly temp_id: string; readonly name: string })[];
  readonly relationships: readonly Relation[];
}

type Relation = Item &
  Readonly<Record<'source_ref' | 'target_ref', string>> &
  Readonly<Partial<Record<'source_name' | 'target_name', string>>>;

const NO_PLACE = 'the item: it has no place in a text';
/** Their files have the name that they were given, which is the id of some. */
const FILES_OF_A_CASE = new Set(['gate-bdoc', 'gate-xml', 'uima-json', 'uima-xmi']);
const byAnnotator = ({ annotator }: Item): string => ` by ${annotator}`;

const SAMPLES: readonly Sample[] = [
  {
    file: 'bfcl/BFCL_v4_simple_python.head.json',
    format: 'function-calls',
    cases: 40,
    items: 106,
    read: plain.functionCalls,
    isGraph: true,
    also: ({ values }) => ` ${JSON.stringify(values)}`,
  },
  { file: 'brat/chemu-0000.ann', format: 'brat', cases: 1, items: 25, read: plain.brat, isGraph: true },
  {
    file: 'doccano/export-relation-extraction.jsonl',
    format: 'doccano',
    cases: 1,
    items: 7,
    read: plain.doccano,
    isGraph: true,
  },
  { file: 'doccano/export-sequence-labeling.jsonl', format: 'doccano', cases: 3, items: 4, read: plain.doccano },
  { file: 'doccano/labeling.jsonl', format: 'doccano', cases: 2, items: 16, read: plain.doccano, also: byAnnotator },
  { file: 'doccano/labeling_text_label.jsonl', format: 'doccano', cases: 2, items: 11, read: plain.doccano },
  { file: 'dygie/scierc_article.json', format: 'dygie', cases: 1, items: 40, read: plain.dygie, isGraph: true },
  {
    file: 'gate/testdoc1.bdocjs',
    format: 'gate-bdoc',
    cases: 1,
    items: 4,
    read: plain.gateBdoc,
    lost: [
      `annotation ZERO1 at 5..5: ${NO_PLACE}`,
      `annotation ZERO2a at 7..7: ${NO_PLACE}`,
      `annotation ZERO2b at 7..7: ${NO_PLACE}`,
    ],
  },
  {
    file: 'gate/testdoc1.xml',
    format: 'gate-xml',
    cases: 1,
    items: 4,
    read: plain.gateXml,
    lost: [
      `annotation ZERO1 at 5..5: ${NO_PLACE}`,
      `annotation ZERO2a at 7..7: ${NO_PLACE}`,
      `annotation ZERO2b at 7..7: ${NO_PLACE}`,
    ],
  },
  { file: 'gliner-train/sample_data.json', format: 'gliner', cases: 64, items: 236, read: plain.gliner },
  {
    file: 'label-studio/csv_test.json',
    format: 'label-studio',
    cases: 2,
    items: 0,
    read: plain.labelStudio,
    lost: [
      `"rectanglelabels" Car: ${NO_PLACE}`,
      `"rectanglelabels" Car: ${NO_PLACE}`,
      `"rectanglelabels" Car: ${NO_PLACE}`,
    ],
  },
  { file: 'label-studio/csv_test2.json', format: 'label-studio', cases: 1, items: 1, read: plain.labelStudio },
  { file: 'label-studio/csv_test_history.json', format: 'label-studio', cases: 1, items: 1, read: plain.labelStudio },
  ...['json_min_data.json', 'sdk_json_min.json'].map((name) => ({
    file: `label-studio/${name}`,
    format: 'label-studio',
    cases: 1,
    items: 0,
    read: plain.labelStudio,
    lost: [`"polygonlabels" Airplane: ${NO_PLACE}`],
  })),
  {
    file: 'presidio/generated_small.json',
    format: 'presidio-research',
    cases: 100,
    items: 173,
    read: plain.presidioResearch,
    options: { badSpan: 'align' },
  },
  { file: 'scispacy-tsv/ner_test.tsv', format: 'conll', cases: 4, items: 5, read: plain.columns(0, 1) },
  { file: 'shapes-only/label-studio-text.json', format: 'label-studio', cases: 1, items: 1, read: plain.labelStudio },
  {
    file: 'spacy/ner-sent-per-line.iob',
    format: 'conll',
    cases: 2,
    items: 7,
    read: plain.sentences,
    readBack: plain.columns(0, 1),
  },
  {
    file: 'spacy/ner-token-per-line-conll2003.iob',
    format: 'conll',
    cases: 2,
    items: 7,
    read: plain.columns(0, 3),
    readBack: plain.columns(0, 1),
  },
  {
    file: 'spacy/ner-token-per-line-conll2003.json',
    format: 'spacy-training',
    cases: 1,
    items: 7,
    read: plain.spacyTraining,
  },
  { file: 'spacy/training-data.json', format: 'spacy-training', cases: 1, items: 11, read: plain.spacyTraining },
  {
    file: 'tab/echr_dev_001-79436.json',
    format: 'annotated-documents',
    cases: 1,
    items: 37,
    read: plain.tab,
    also: ({ identifier_type: type, annotator }) => ` ${String(type)} by ${annotator}`,
  },
  { file: 'tab/masked-output.json', format: 'masks', cases: 1, items: 2, read: plain.masks },
  {
    file: 'text2kgbench/ont_1_university_eval_results.head.jsonl',
    format: 'text2kgbench',
    cases: 40,
    items: 143 + 331,
    read: plain.text2kgbench,
    options: { side: 'both' },
    isGraph: true,
  },
  { file: 'tner-conll/test.txt', format: 'conll', cases: 5, items: 16, read: plain.columns(0, 1) },
  { file: 'uima-json/data.json', format: 'uima-json', cases: 1, items: 5, read: plain.uimaJson, isGraph: true },
  { file: 'uima-xmi/debug.xmi', format: 'uima-xmi', cases: 1, items: 5, read: plain.uimaXmi, isGraph: true },
  {
    file: 'uner-iob2/en_ewt-ud-dev.head.iob2',
    format: 'conll',
    cases: 31,
    items: 13,
    read: plain.columns(1, 2),
    readBack: plain.columns(0, 1),
    isCutOff: true,
  },
  { file: 'webanno-tsv/curator.tsv', format: 'webanno-tsv', cases: 1, items: 51, read: plain.webanno, isGraph: true },
  { file: 'webanno-tsv/user1.tsv', format: 'webanno-tsv', cases: 1, items: 78, read: plain.webanno, isGraph: true },
];

describe.skipIf(noReference)('the sample', () => {
  it.each(SAMPLES)('$file is read as what is in it, and comes back', async (sample) => {
    const { file, format, options = {}, isGraph = false, lost = [] } = sample;
    const folder = temporaryFolder();
    const [out, back] = [join(folder, 'plain.jsonl'), join(folder, `back${extname(file)}`)];
    const from = referencePath(`formats/${file}`);
    const original = sample.read(from);
    expect([original.length, original.flatMap(({ items }) => items).length]).toEqual([sample.cases, sample.items]);

    const { losses, ...done } = await convert(fileSource(from), out, options);
    expect(done).toEqual({ from: format, to: isGraph ? 'graph' : 'spans', cases: sample.cases, items: sample.items });
    expect(losses.map(({ item, what }) => `${item ?? ''}: ${what}`)).toEqual(lost);
    const isByToken = original[0]!.text === undefined && original[0]!.tokens !== undefined;
    const read = linesOf(out).map((record) => annotatedOf(record, isByToken, sample.also));
    expect(read).toEqual(original.map((one, at) => ({ ...read[at], ...sorted(one) })));

    const { side } = options;
    const again = await convert(fileSource(out), back, { to: format, ...(side === undefined ? {} : { side }) });
    // Files of one case have its id as their name; a sentence that is cut off has more text than tokens.
    const expected = ['the id', 'the case', ...(sample.isCutOff === true ? ['the tokens'] : [])];
    expect(again.losses.filter(({ what }) => !expected.includes(what))).toEqual([]);
    const kept = (one: Annotated, at: number): Annotated => {
      const { id, tokens, ...rest } = sorted(one);
      return {
        ...rest,
        ...(id === undefined || FILES_OF_A_CASE.has(format) ? {} : { id }),
        ...(tokens === undefined || (sample.isCutOff === true && at === sample.cases - 1) ? {} : { tokens }),
      };
    };
    expect((sample.readBack ?? sample.read)(back).map(kept)).toEqual(original.map(kept));
  });

  it('of CoNLL-U has the text that it gives, with the contraction as one token', async () => {
    const out = join(temporaryFolder(), 'plain.jsonl');
    const from = referencePath('formats/conllu/conllu01.conllu');
    const text = /^# text = (.*)$/m.exec(readFileSync(from, 'utf8'))![1]!;
    expect(await convert(fileSource(from), out)).toMatchObject({ from: 'conll', cases: 1, items: 0, losses: [] });
    const [record] = linesOf(out);
    expect(record!.text).toBe(text);
    expect(annotatedOf(record!, true).tokens).toEqual(
      'Er arbeitet fürs FBI ( deutsch etwa : „ Bundesamt für Ermittlung “ ) .'.split(' '),
    );
  });

  it('of spaCy’s training JSON has its raw text', async () => {
    const out = join(temporaryFolder(), 'plain.jsonl');
    const from = referencePath('formats/spacy/training-data.json');
    await convert(fileSource(from), out);
    const [{ paragraphs }] = JSON.parse(readFileSync(from, 'utf8')) as [{ paragraphs: [{ raw: string }] }];
    expect(linesOf(out)[0]!.text).toBe(paragraphs[0].raw);
  });

  it('without texts is written so that it is read beside them', async () => {
    const folder = temporaryFolder();
    const [texts, out, both] = ['texts.jsonl', 'out.jsonl', 'both.jsonl'].map((name) => join(folder, name));
    writeFileSync(texts!, `${JSON.stringify({ id: '1', text: SENTENCE })}\n`);
    await convert(fileSource(referencePath('formats/shapes-only/hf-pipeline.jsonl')), out!);
    await convert(fileSource(out!), both!, { texts: fileSource(texts!) });
    expect(annotatedOf(linesOf(both!)[0]!, false).items).toEqual(['LOC 17..21 "Rome"', 'PER 0..7 "Ann Lee"']);
  });

  it('is in this table or in one below', () => {
    const folder = referencePath('formats');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => extname(name) !== '');
    const known = new Set([...SAMPLES.map(({ file }) => file), ...SHAPES.map(({ file }) => `shapes-only/${file}`)]);
    const others = ['brat/chemu-0000.txt', 'conllu/conllu01.conllu'];
    expect(files.filter((name) => !known.has(name) && basename(name) !== 'ORIGIN.md').sort()).toEqual(others);
  });
});

/** Shapes from the documentation of tools, each about one sentence; what comes back is compared as it is. */
const SENTENCE = 'Ann Lee moved to Rome.';
const SHAPES: readonly {
  readonly file: string;
  readonly format: string;
  readonly items: readonly string[];
  /** What is different in the file that comes back; `undefined` for what is gone. */
  readonly changed?: Readonly<Record<string, unknown>>;
  readonly needsTexts?: boolean;
}[] = [
  { file: 'gliner.jsonl', format: 'spans', items: ['person 0..7 ""', 'location 17..21 ""'] },
  { file: 'hf-dataset.jsonl', format: 'tagged-records', items: ['PER Ann Lee', 'LOC Rome'] },
  { file: 'hf-pipeline.jsonl', format: 'hugging-face', items: ['PER 0..7 ""', 'LOC 17..21 ""'] },
  {
    file: 'kaggle-pii.json',
    format: 'tagged-records',
    items: ['NAME_STUDENT Ann Lee'],
    changed: {
      id: '7',
      document: undefined,
      text: SENTENCE,
      full_text: undefined,
      trailing_whitespace: undefined,
      ner_tags: ['B-NAME_STUDENT', 'I-NAME_STUDENT', 'O', 'O', 'O', 'O'],
      labels: undefined,
    },
  },
  { file: 'langextract.jsonl', format: 'langextract', items: ['person 0..7 "Ann Lee"'] },
  {
    file: 'llm-json.jsonl',
    format: 'model-json',
    items: ['PERSON 0..7 "Ann Lee"', 'LOCATION 17..21 "Rome"'],
    changed: { text: SENTENCE },
    needsTexts: true,
  },
  {
    file: 'presidio-analyzer.jsonl',
    format: 'presidio',
    items: ['PERSON 0..7 "Ann Lee"'],
    changed: {
      spans: undefined,
      results: [{ entity_type: 'PERSON', start: 0, end: 7, score: 0.85 }],
    },
  },
  {
    file: 'spacy-to-json.jsonl',
    format: 'spacy-json',
    items: ['PERSON 0..7 "Ann Lee"', 'GPE 17..21 "Rome"'],
    changed: { id: '1' },
  },
];

describe.skipIf(noReference)('the documented shape', () => {
  it.each([...SHAPES])('$file is read as what is in it, and comes back', async ({ file, format, ...shape }) => {
    const folder = temporaryFolder();
    const [texts, out, back] = ['texts.jsonl', 'plain.jsonl', file].map((name) => join(folder, name));
    writeFileSync(texts!, `${JSON.stringify({ id: '1', text: SENTENCE })}\n`);
    const from = referencePath(`formats/shapes-only/${file}`);
    const given = shape.needsTexts === true ? { texts: fileSource(texts!) } : {};
    expect(await convert(fileSource(from), out!, given)).toMatchObject({
      from: format,
      to: 'spans',
      cases: 1,
      items: shape.items.length,
      losses: [],
    });
    const [record] = linesOf(out!);
    expect(annotatedOf(record!, !shape.items[0]!.includes('..')).items).toEqual(shape.items.toSorted());
    expect(await convert(fileSource(out!), back!, { to: format })).toMatchObject({ to: format, losses: [] });
    const [original, again] = [from, back!].map((path) => {
      const value = JSON.parse(readFileSync(path, 'utf8')) as unknown;
      return withoutNulls(Array.isArray(value) ? value[0] : value);
    });
    expect(again).toEqual(withoutNulls(Object.assign({}, original, shape.changed)));
  });
});

/** A field that is null says as much as one that is not there. */
function withoutNulls(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, own: unknown) => own ?? undefined)) as unknown;
}

function linesOf(path: string): PlainRecord[] {
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as PlainRecord);
}

/** What a record of the plain formats holds, in the words of the independent reading. */
function annotatedOf(record: PlainRecord, isByToken: boolean, also: (item: Item) => string = () => ''): Annotated {
  const { id, text = '', tokens = [], spans = [], classes = [], expected_output: gold, output } = record;
  // Those of spaCy are a field that is kept as it was.
  const places = tokens.filter((token) => Array.isArray(token));
  const words = places.map(([start, end]) => text.slice(start, end));
  const placed = (label: string, item: Item): string => {
    const { start, end } = item;
    if (!isByToken) return plain.mention(label, start, end, text) + also(item);
    const inside = words.filter((_, at) => places[at]![0] >= start && places[at]![1] <= end);
    return `${label} ${inside.join(' ')}${also(item)}`;
  };
  const graphItems = (graph: PlainGraph | undefined): string[] => {
    const names = new Map(graph?.entities.map((entity) => [entity.temp_id, entity.name]));
    const end = (item: Relation, name: 'source' | 'target'): string =>
      item[`${name}_name`] ?? names.get(item[`${name}_ref`]) ?? '';
    return [
      ...(graph?.entities ?? []).map((entity) => placed(entity.type, entity)),
      ...(graph?.relationships ?? []).map(
        (item) => `${item.type}: ${end(item, 'source')} -> ${end(item, 'target')}${also(item)}`,
      ),
    ];
  };
  const items = [
    ...spans.map((item) => placed(item.label, item)),
    ...classes.map(({ label, text: value }) => `${label} = ${value}`),
    ...graphItems(gold),
    ...graphItems(output).map((item) => `predicted ${item}`),
  ];
  return sorted({ id, text, tokens: words, items });
}

/** Formats have their items in orders of their own. */
function sorted({ items, ...rest }: Annotated): Annotated {
  return { ...rest, items: items.toSorted() };
}
