import type { Span } from '../../text/span.ts';
import { CaseSize } from '../case-size.ts';
import type { ReadContext, Row, WrittenCase } from '../format.ts';
import type { Fields, Item } from '../item.ts';
import { mentionItem, sideOfRole, relationItem } from './mentions.ts';
import { caseTokens } from './token-records.ts';
import { writtenItems, type WrittenMention } from './written-items.ts';

/** A feature structure of a UIMA CAS, whatever file it comes from. */
export interface FeatureStructure {
  readonly id: string;
  /** `webanno.custom.SimpleSpan`. */
  readonly type: string;
  readonly line: number;
  readonly begin: number | null;
  readonly end: number | null;
  /** Plain values. */
  readonly values: Readonly<Record<string, string | number | boolean>>;
  /** Ids of the feature structures that it names, by feature. */
  readonly refs: Readonly<Record<string, readonly string[]>>;
}

const DKPRO = 'de.tudarmstadt.ukp.dkpro.core.api';
export const TOKEN = `${DKPRO}.segmentation.type.Token`;
/** What documents are called is in a structure of this type. */
export const DOCUMENT = `${DKPRO}.metadata.type.DocumentMetaData`;
const NAMED_ENTITY = `${DKPRO}.ner.type.NamedEntity`;
const RELATION = 'webanno.custom.Relation';
const LINK = 'webanno.custom.LinkType';
/** Layers that say how the text is cut, not what is in it. */
const SEGMENTS =
  /(?:^|\.)(?:Token|Sentence|Paragraph|Div|Heading|DocumentMetaData|DocumentAnnotation|TagsetDescription|TagDescription|LayerDescription|FeatureDescription)$/;
/** Layers of grammar, which are seldom what is to be scored. */
export const GRAMMAR =
  /(?:^|\.)(?:POS|Lemma|Stem|MorphologicalFeatures|Dependency|ROOT|Constituent|Chunk|SurfaceForm)$/;
/** Features whose value is the label, the likeliest first. */
const LABELS = ['value', 'label', 'identifier', 'PosValue', 'DependencyType', 'entityType', 'category', 'type', 'role'];
const IGNORED = new Set(['order', 'uiOrder', 'sofaNum']);
const ID_FEATURE = 'id_feature';

/**
 * The row of a CAS: annotations become mentions, structures with two ends (Governor and Dependent) relations, and slots
 * relations from their host. Label, layer and the name of the feature that is the label are kept, so that the same can be
 * written again. Grammar is left out for recipes, unless there is nothing else.
 */
export function casRow(
  id: string,
  text: string | null,
  structures: readonly FeatureStructure[],
  context: ReadContext,
): Row {
  const byId = new Map(structures.map((one) => [one.id, one]));
  const isSpan = (one: FeatureStructure): boolean => one.begin !== null && one.end !== null && !SEGMENTS.test(one.type);
  const isRelation = (one: FeatureStructure): boolean => endsOf(one) !== null;
  const own = structures.filter((one) => isSpan(one) || isRelation(one));
  const isGrammar = (one: FeatureStructure): boolean => GRAMMAR.test(one.type);
  const withoutGrammar = context.kinds !== undefined && !own.every(isGrammar);
  const size = new CaseSize({ ...context, maxBytes: Infinity }, 1);
  const items: Item[] = [];
  const leftOut: string[] = [];
  const add = (item: Item | null): void => void (item !== null && size.add(0, 1) && items.push(item));
  for (const one of own) {
    if (withoutGrammar && isGrammar(one)) {
      leftOut.push(`${one.type} ${String(labelOf(one.values)?.[1] ?? '')}`);
      continue;
    }
    const place = { index: items.length, line: one.line, field: one.type, context };
    const [feature, label] = labelOf(one.values) ?? [null, layerName(one.type)];
    const fields = { layer: one.type, ...(feature === null ? {} : { feature }), ...rest(one.values, feature) };
    const ends = endsOf(one);
    if (ends !== null) {
      add(relationItem({ id: one.id, label, source: ends[0], target: ends[1], fields }, place));
      continue;
    }
    if (one.begin === one.end) {
      leftOut.push(`${one.type} ${label} without a text at ${String(one.begin)}`);
      continue;
    }
    add(mentionItem({ id: one.id, start: one.begin, end: one.end, label, fields }, place));
    for (const [slot, refs] of Object.entries(one.refs))
      for (const ref of refs) {
        const link = byId.get(ref);
        const [target] = link?.refs['target'] ?? [];
        if (link === undefined || target === undefined) continue;
        const init = { label: link.values['role'] ?? slot, source: one.id, target, fields: { layer: link.type, slot } };
        add(relationItem(init, { ...place, index: items.length }));
      }
  }
  const tokens = structures
    .filter((one) => one.type === TOKEN && size.add(1, 0))
    .map(({ begin, end }) => ({ start: begin ?? 0, end: end ?? 0 }));
  const sides = sideOfRole(items, context);
  return {
    id,
    line: 1,
    text,
    ...(tokens.length === 0 ? {} : { tokens: tokens.toSorted((a, b) => a.start - b.start) }),
    fields: {},
    ...sides,
    leftOut: [...leftOut, ...(sides.leftOut ?? [])],
    failed: null,
    unit: 'utf16',
  };
}

/** Of several texts that a CAS has, each in a view, the first one that annotators see. */
export function firstView<T>(sofas: readonly T[], featuresOf: (sofa: T) => Fields): T | undefined {
  return sofas.find((sofa) => featuresOf(sofa)['sofaID'] === '_InitialView') ?? sofas[0];
}

function endsOf({ refs }: FeatureStructure): [source: string, target: string] | null {
  const [source] = refs['Governor'] ?? refs['source'] ?? [];
  const [target] = refs['Dependent'] ?? refs['target'] ?? [];
  return source === undefined || target === undefined ? null : [source, target];
}

function labelOf(values: FeatureStructure['values']): [feature: string, label: string | number | boolean] | null {
  const feature =
    LABELS.find((name) => values[name] !== undefined && values[name] !== '') ??
    Object.keys(values).find((name) => !IGNORED.has(name) && typeof values[name] === 'string');
  return feature === undefined ? null : [feature, values[feature]!];
}

/** The other features. One that is called id is not what relations call the structure. */
function rest(values: FeatureStructure['values'], label: string | null): Fields {
  const entries = Object.entries(values).filter(([name]) => name !== label && !IGNORED.has(name));
  return Object.fromEntries(entries.map(([name, value]) => [name === 'id' ? ID_FEATURE : name, value]));
}

function layerName(type: string): string {
  return type.split('.').at(-1) ?? type;
}

/** Names that types and features of UIMA can have, and features that are part of every structure. */
const TYPE = /^[A-Za-z]\w*(?:\.[A-Za-z]\w*)*$/;
const FEATURE = /^[A-Za-z_]\w*$/;
const BUILT_IN = new Set(['begin', 'end', 'sofa', 'Governor', 'Dependent', 'source', 'target', ...IGNORED]);

/** A case as feature structures, tokens first; ids are numbers. What UIMA has no name for is left out. */
export function casStructures(given: WrittenCase): Omit<FeatureStructure, 'line'>[] {
  const { mentions, relations } = writtenItems(given, 'm');
  const { places } = caseTokens(given);
  let last = 0;
  const next = (): string => String((last += 1));
  const structures: Omit<FeatureStructure, 'line'>[] = places.map(({ start, end }: Span) => ({
    id: next(),
    type: TOKEN,
    begin: start,
    end,
    values: {},
    refs: {},
  }));
  const ids = new Map<WrittenMention, string>(mentions.map((mention) => [mention, next()]));
  const slots = new Map<WrittenMention, Record<string, string[]>>();
  for (const { item, source, target, fields } of relations) {
    const [from, to] = [source && ids.get(source), target && ids.get(target)];
    if (!source || !target || !from || !to) continue;
    const { slot } = fields;
    const id = next();
    if (isFeature(slot)) {
      const own = slots.get(source) ?? {};
      slots.set(source, { ...own, [slot]: [...(own[slot] ?? []), id] });
      const type = typeOf(fields, LINK);
      structures.push({ id, type, begin: null, end: null, values: { role: item.label }, refs: { target: [to] } });
      continue;
    }
    const { type, values } = labelled(item, fields, RELATION, 'label');
    const refs = { Governor: [from], Dependent: [to] };
    structures.push({ id, type, begin: target.item.start, end: target.item.end, values, refs });
  }
  for (const [mention, id] of ids) {
    const { start: begin, end } = mention.item;
    const { type, values } = labelled(mention.item, mention.fields, NAMED_ENTITY, 'value');
    structures.push({ id, type, begin, end, values, refs: slots.get(mention) ?? {} });
  }
  return structures;
}

/** The layer of an item, and its features with the label among them, under the name that it is found by again. */
function labelled(
  { label }: Item,
  fields: Fields,
  layer: string,
  usual: string,
): Pick<FeatureStructure, 'type' | 'values'> {
  const type = typeOf(fields, layer);
  const { layer: _, feature, slot: __, ...others } = fields;
  const isNameless = feature === undefined && fields['layer'] === type && layerName(type) === label;
  const own = isFeature(feature) ? feature : usual;
  const before = LABELS.slice(0, LABELS.includes(own) && !isNameless ? LABELS.indexOf(own) : LABELS.length);
  const plain = Object.entries(others).flatMap(([name, value]): [string, string | number | boolean][] => {
    const key = name === ID_FEATURE ? 'id' : name;
    const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    return isPlain && isFeature(key) && key !== own && !before.includes(key) ? [[key, value]] : [];
  });
  // A layer is its own label only as long as no feature could be taken for one.
  const isBare = isNameless && !plain.some(([, value]) => typeof value === 'string');
  return { type, values: Object.fromEntries(isBare ? plain : [[own, label], ...plain]) };
}

function isFeature(name: unknown): name is string {
  return typeof name === 'string' && FEATURE.test(name) && !BUILT_IN.has(name);
}

function typeOf({ layer }: Fields, usual: string): string {
  const isType = typeof layer === 'string' && TYPE.test(layer) && !SEGMENTS.test(layer) && !NO_LAYER.test(layer);
  return isType ? layer : usual;
}

/** Types that are not annotations. */
export const NO_LAYER = /^uima\.|(?:^|\.)(?:Sofa|View|NULL)$/;
