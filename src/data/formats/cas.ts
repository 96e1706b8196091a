import type { Span } from '../../text/span.ts';
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
  const isWanted = (one: FeatureStructure): boolean => !GRAMMAR.test(one.type);
  const kept = context.kinds === undefined || !own.some(isWanted) ? own : own.filter(isWanted);
  const items: Item[] = [];
  const leftOut = own
    .filter((one) => !kept.includes(one))
    .map(({ type, values }) => `${type} ${String(labelOf(values)?.[1] ?? '')}`);
  const add = (item: Item | null): void => void (item !== null && items.push(item));
  for (const one of kept) {
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
    .filter((one) => one.type === TOKEN)
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

function rest(values: FeatureStructure['values'], label: string | null): Fields {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name !== label && !IGNORED.has(name)));
}

function layerName(type: string): string {
  return type.split('.').at(-1) ?? type;
}

/** A case as feature structures, tokens first; ids are numbers. */
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
  const ids = new Map<WrittenMention, string>(
    mentions.filter(({ item }) => item.start >= 0).map((mention) => [mention, next()]),
  );
  const slots = new Map<WrittenMention, Record<string, string[]>>();
  for (const { item, source, target, fields } of relations) {
    const [from, to] = [source && ids.get(source), target && ids.get(target)];
    if (!source || from === null || from === undefined || to === null || to === undefined) continue;
    const { layer, feature, slot, ...values } = fields;
    const id = next();
    if (typeof slot === 'string') {
      const own = slots.get(source) ?? {};
      slots.set(source, { ...own, [slot]: [...(own[slot] ?? []), id] });
      structures.push({
        id,
        type: nameOr(layer, LINK),
        begin: null,
        end: null,
        values: { role: item.label },
        refs: { target: [to] },
      });
      continue;
    }
    const target_ = target!.item;
    const label = { [nameOr(feature, 'label')]: item.label };
    const refs = { Governor: [from], Dependent: [to] };
    structures.push({
      id,
      type: nameOr(layer, RELATION),
      begin: target_.start,
      end: target_.end,
      values: { ...label, ...plain(values) },
      refs,
    });
  }
  for (const [mention, id] of ids) {
    const { layer, feature, ...values } = mention.fields;
    const { start: begin, end, label } = mention.item;
    const type = nameOr(layer, NAMED_ENTITY);
    const named = typeof layer === 'string' && feature === undefined && layerName(type) === label;
    const own = named ? {} : { [nameOr(feature, 'value')]: label };
    structures.push({ id, type, begin, end, values: { ...own, ...plain(values) }, refs: slots.get(mention) ?? {} });
  }
  return structures;
}

function nameOr(value: unknown, fallback: string): string {
  return typeof value === 'string' && value !== '' ? value : fallback;
}

function plain(fields: Fields): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [[name, value]] : [],
    ),
  );
}
