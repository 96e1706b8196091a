import { readFileSync } from 'node:fs';

/**
 * What the sample files hold, read by a few plain lines each, which share nothing with the readers under test. A mention
 * is `PER 0..3 "Ann"`, one of tokens `PER Ann Lee`, a relation `met: Ann -> Bo`, a choice `mood = good`.
 */
export interface Annotated {
  /** Left out by formats without ids. */
  readonly id?: string;
  /** Left out if the file has none: a format of tokens has none of its own. */
  readonly text?: string;
  readonly tokens?: readonly string[];
  readonly items: readonly string[];
}

export function mention(label: string | number, start: number, end: number, text: string): string {
  return `${label} ${start}..${end} ${JSON.stringify(text.slice(start, end))}`;
}

function json(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** One JSON value a line, one for the whole file, or an array of them. */
function records<T>(path: string): T[] {
  const content = readFileSync(path, 'utf8');
  try {
    const value = JSON.parse(content) as T | T[];
    return Array.isArray(value) ? value : [value];
  } catch {
    return content
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as T);
  }
}

/** Entities of tokens with tags that mark beginnings: B and U or S begin one, I, L and E go on with it. */
function taggedEntities(tokens: readonly string[], tags: readonly string[]): string[] {
  const entities: string[] = [];
  tags.forEach((tag, at) => {
    const [mark, label] = [tag[0]!, tag.slice(2)];
    if ('BUS'.includes(mark)) entities.push(`${label} ${tokens[at]!}`);
    else if (mark !== 'O') entities.push(`${entities.pop()!} ${tokens[at]!}`);
  });
  return entities;
}

/** Inclusive ranges of tokens. */
function ranges(tokens: readonly string[], list: readonly (readonly [number, number, string])[]): string[] {
  return list.map(([first, last, label]) => `${label} ${tokens.slice(first, last + 1).join(' ')}`);
}

export function brat(path: string): Annotated[] {
  const text = readFileSync(path.replace(/\.ann$/, '.txt'), 'utf8');
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  const words = new Map<string, string>();
  const items = lines.map((line) => {
    const [ref = '', about = '', quote = ''] = line.split('\t');
    const [type = '', first = '', second = ''] = about.split(' ');
    words.set(ref, quote);
    return { ref, type, first, second };
  });
  const wordsOf = (argument: string): string => words.get(argument.split(':')[1]!)!;
  return [
    {
      text,
      items: items.map(({ ref, type, first, second }) =>
        ref.startsWith('T')
          ? mention(type, Number(first), Number(second), text)
          : `${type}: ${wordsOf(first)} -> ${wordsOf(second)}`,
      ),
    },
  ];
}

/** Blocks of lines; `columns` says where token and tag are. */
export function columns(token: number, tag: number): (path: string) => Annotated[] {
  return (path) =>
    readFileSync(path, 'utf8')
      .trim()
      .split(/\n\s*\n/)
      .map((block) => block.split('\n').filter((line) => !/^# |^-DOCSTART-/.test(line)))
      .filter((lines) => lines.length > 0)
      .map((lines) => {
        const cells = lines.map((line) => line.split(/[\t ]+/));
        const tokens = cells.map((one) => one[token]!);
        const tags = cells.map((one) => one[tag]!);
        return { tokens, items: taggedEntities(tokens, tags) };
      });
}

export function sentences(path: string): Annotated[] {
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const cells = line.split(' ').map((word) => word.split('|'));
      const tokens = cells.map((one) => one[0]!);
      const tags = cells.map((one) => one[2]!);
      return { tokens, items: taggedEntities(tokens, tags) };
    });
}

interface DoccanoLine {
  readonly id?: number;
  readonly text: string;
  readonly label?: [number, number, string][];
  readonly labels?: [number, number, string][];
  readonly annotations?: { label: number; start_offset: number; end_offset: number; user: number }[];
  readonly entities?: { id: number; label: string; start_offset: number; end_offset: number }[];
  readonly relations?: { from_id: number; to_id: number; type: string }[];
}

export function doccano(path: string): Annotated[] {
  return records<DoccanoLine>(path).map(({ text, label, labels, annotations = [], entities = [], relations = [] }) => {
    const words = new Map(entities.map((one) => [one.id, text.slice(one.start_offset, one.end_offset)]));
    return {
      text,
      items: [
        ...(label ?? labels ?? []).map(([start, end, name]) => mention(name, start, end, text)),
        ...annotations.map((one) => `${mention(one.label, one.start_offset, one.end_offset, text)} by ${one.user}`),
        ...entities.map((one) => mention(one.label, one.start_offset, one.end_offset, text)),
        ...relations.map((one) => `${one.type}: ${words.get(one.from_id)!} -> ${words.get(one.to_id)!}`),
      ],
    };
  });
}

interface DygieLine {
  readonly doc_key: string;
  readonly sentences: string[][];
  readonly ner: [number, number, string][][];
  readonly relations: [number, number, number, number, string][][];
}

export function dygie(path: string): Annotated[] {
  return records<DygieLine>(path).map((line) => {
    const tokens = line.sentences.flat();
    const words = (first: number, last: number): string => tokens.slice(first, last + 1).join(' ');
    return {
      id: line.doc_key,
      tokens,
      items: [
        ...ranges(tokens, line.ner.flat()),
        ...line.relations.flat().map(([a, b, c, d, type]) => `${type}: ${words(a, b)} -> ${words(c, d)}`),
      ],
    };
  });
}

export function gliner(path: string): Annotated[] {
  return (json(path) as { tokenized_text: string[]; ner: [number, number, string][] }[]).map((one) => ({
    tokens: one.tokenized_text,
    items: ranges(one.tokenized_text, one.ner),
  }));
}

interface SpacyDocument {
  readonly id: number | string;
  readonly paragraphs: { raw?: string; sentences: { tokens: { orth: string; ner: string }[] }[] }[];
}

export function spacyTraining(path: string): Annotated[] {
  return (json(path) as SpacyDocument[]).flatMap(({ id, paragraphs }) =>
    paragraphs.map((paragraph) => {
      const tokens = paragraph.sentences.flatMap((sentence) => sentence.tokens);
      // Where there is a text, its quotes are not those of the tokens.
      const isRaw = paragraph.raw !== undefined;
      const words = tokens.map(({ orth }) => (isRaw ? orth.replace(/^(?:``|'')$/, '"') : orth));
      return {
        id: String(id),
        tokens: words,
        items: taggedEntities(
          words,
          tokens.map(({ ner }) => ner),
        ),
      };
    }),
  );
}

/** Annotations without a length are not spans. */
export function gateBdoc(path: string): Annotated[] {
  const {
    name,
    text,
    annotation_sets: sets,
  } = json(path) as {
    name: string;
    text: string;
    annotation_sets: Record<string, { annotations: { type: string; start: number; end: number }[] }>;
  };
  const all = Object.values(sets).flatMap(({ annotations }) => annotations);
  const placed = all.filter(({ start, end }) => start < end);
  return [{ id: name, text, items: placed.map(({ type, start, end }) => mention(type, start, end, text)) }];
}

export function gateXml(path: string): Annotated[] {
  const content = readFileSync(path, 'utf8');
  const text = /<TextWithNodes>(.*)<\/TextWithNodes>/s.exec(content)![1]!.replaceAll(/<Node id="\d+"\/>/g, '');
  const all = content.matchAll(/<Annotation Id="\d+" Type="(\w+)" StartNode="(\d+)" EndNode="(\d+)">/g);
  const items = [...all].flatMap(([, type = '', start, end]) =>
    start === end ? [] : [mention(type, Number(start), Number(end), text)],
  );
  return [{ text, items }];
}

interface LabelStudioTask {
  readonly id: number;
  readonly data: { text?: string };
  readonly annotations: { result: LabelStudioResult[] }[];
}

interface LabelStudioResult {
  readonly type: string;
  readonly from_name: string;
  readonly value: { start: number; end: number; labels?: string[]; choices?: string[] };
}

/** Boxes and polygons are on images. */
export function labelStudio(path: string): Annotated[] {
  return (json(path) as LabelStudioTask[]).map(({ id, data: { text }, annotations }) => ({
    id: String(id),
    ...(text === undefined ? {} : { text }),
    items: annotations
      .flatMap(({ result }) => result)
      .flatMap(({ type, from_name: name, value }) => {
        if (type === 'labels') return [mention(value.labels![0]!, value.start, value.end, text!)];
        return type === 'choices' ? [`${name} = ${value.choices![0]!}`] : [];
      }),
  }));
}

interface PresidioRecord {
  readonly full_text: string;
  readonly spans: { entity_type: string; entity_value: string; start_position: number; end_position: number }[];
}

/** One span of the sample is a character off (Ayers, 21..26): the place counts that has its words. */
export function presidioResearch(path: string): Annotated[] {
  return (json(path) as PresidioRecord[]).map(({ full_text: text, spans }) => ({
    text,
    items: spans.map(({ entity_type: type, entity_value: words, start_position: at, end_position: end }) => {
      const start = text.slice(at, end) === words ? at : text.indexOf(words);
      return mention(type, start, start + words.length, text);
    }),
  }));
}

interface TabDocument {
  readonly doc_id: string;
  readonly text: string;
  readonly annotations: Record<string, { entity_mentions: TabMention[] }>;
}

interface TabMention {
  readonly entity_type: string;
  readonly start_offset: number;
  readonly end_offset: number;
  readonly identifier_type: string;
}

export function tab(path: string): Annotated[] {
  return (json(path) as TabDocument[]).map(({ doc_id: id, text, annotations }) => ({
    id,
    text,
    items: Object.entries(annotations).flatMap(([annotator, { entity_mentions: mentions }]) =>
      mentions.map(
        (one) =>
          `${mention(one.entity_type, one.start_offset, one.end_offset, text)} ${one.identifier_type} by ${annotator}`,
      ),
    ),
  }));
}

export function masks(path: string): Annotated[] {
  return Object.entries(json(path) as Record<string, [number, number][]>).map(([id, places]) => ({
    id,
    items: places.map(([start, end]) => mention('MASK', start, end, '')),
  }));
}

type Triple = readonly [head: string, relation: string, tail: string];

/** Both sides. */
export function text2kgbench(path: string): Annotated[] {
  const shown = ([head, relation, tail]: Triple): string => `${relation}: ${head} -> ${tail}`;
  return records<{ id: string; sent: string; gt_triples: Triple[]; llm_triples: Triple[] }>(path).map((one) => ({
    id: one.id,
    text: one.sent,
    items: [...one.gt_triples.map(shown), ...one.llm_triples.map((triple) => `predicted ${shown(triple)}`)],
  }));
}

/** An argument may be left out if an empty text is among its values. */
export function functionCalls(path: string): Annotated[] {
  return records<{ id: string; ground_truth: Record<string, Record<string, unknown[]>>[] }>(path).map((one) => ({
    id: one.id,
    items: one.ground_truth.flatMap((call) =>
      Object.entries(call).flatMap(([name, given]) =>
        Object.entries(given).map(([argument, values]) => {
          const value = values.find((possible) => possible !== '');
          return `${argument}: ${name} -> ${typeof value === 'string' ? value : JSON.stringify(value)} ${JSON.stringify(values)}`;
        }),
      ),
    ),
  }));
}

/** Nothing but the elements of XMI and their attributes. */
export function uimaXmi(path: string): Annotated[] {
  const elements = [...readFileSync(path, 'utf8').matchAll(/<\w+:(\w+) ([^>]*)\/>/g)].map(([, type, attributes]) => ({
    type: type!,
    ...Object.fromEntries([...attributes!.matchAll(/([\w:]+)="([^"]*)"/g)].map(([, name, value]) => [name!, value!])),
  }));
  return [feature(elements, 'xmi:id', ({ links = '' }) => links.split(' ').filter((id) => id !== ''))];
}

export function uimaJson(path: string): Annotated[] {
  const given = (json(path) as { '%FEATURE_STRUCTURES': Record<string, unknown>[] })['%FEATURE_STRUCTURES'];
  const lists = new Map(given.map((one) => [String(one['%ID']), one['%ELEMENTS']]));
  const elements = given.map((one) => ({
    type: String(one['%TYPE']).split('.').at(-1)!,
    ...Object.fromEntries(Object.entries(one).map(([name, value]) => [name.replace('@', ''), String(value)])),
  }));
  return [feature(elements, '%ID', ({ links = '' }) => (lists.get(links) as number[] | undefined)?.map(String) ?? [])];
}

type Element = { readonly type: string } & Readonly<Record<string, string>>;

function feature(elements: readonly Element[], id: string, linksOf: (of: Element) => string[]): Annotated {
  const byId = new Map(elements.map((one) => [one[id]!, one]));
  const text = elements.find(({ type }) => type === 'Sofa')!['sofaString']!;
  const words = ({ begin, end }: Element): string => text.slice(Number(begin), Number(end));
  const custom = elements.filter(({ type }) => type.startsWith('Simple') && !type.endsWith('[]'));
  return {
    id: elements.find(({ type }) => type === 'DocumentMetaData')!['documentId']!,
    text,
    tokens: elements.filter(({ type }) => type === 'Token').map(words),
    items: custom.flatMap((one) => [
      mention(one.type, Number(one['begin']), Number(one['end']), text),
      ...linksOf(one).map((link) => {
        const { role, target } = byId.get(link)!;
        return `${role!}: ${words(one)} -> ${words(byId.get(target!)!)}`;
      }),
    ]),
  };
}

/** Parts of speech, lemmas if there are any, and a dependency on the token that the last column names. */
export function webanno(path: string): Annotated[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  const text = lines
    .find((line) => line.startsWith('#Text='))!
    .slice(6)
    .trimEnd();
  const rows = lines.filter((line) => /^\d/.test(line)).map((line) => line.split('\t').map((cell) => cell.trim()));
  const words = new Map(rows.map(([id = '', , token = '']) => [id, token]));
  const plain = (cell = ''): string => cell.replace(/\[[\d_]+\]$/, '').replaceAll('\\|', '|');
  const hasLemma = lines.some((line) => line.includes('Lemma|value'));
  const items = rows.flatMap((cells) => {
    const [, place = '', token = ''] = cells;
    const [start = 0, end = 0] = place.split('-').map(Number);
    const [type, , head] = cells.slice(hasLemma ? 6 : 5);
    return [
      mention(plain(cells[3]), start, end, text),
      ...(hasLemma ? [mention(plain(cells[5]), start, end, text)] : []),
      ...(type === '_' ? [] : [`${plain(type)}: ${words.get(plain(head))!} -> ${token}`]),
    ];
  });
  return [{ text, tokens: rows.map((cells) => cells[2]!), items }];
}
