import type { PairedKind } from '../../data/item.ts';
import { isRecord } from '../../data/record-fields.ts';
import { shorten } from '../../data/visible.ts';
import { type Criterion, makeCriterion, type PairSettings, type Threshold } from '../../pair/criterion.ts';
import { isPlainOn } from '../../recipe/on-off.ts';
import type { Plan, Scheme } from '../../recipe/plan.ts';

/** One part of the recipe that can be taken away. */
export interface Rung {
  readonly path: string;
  readonly setting: string;
  readonly without: (plan: Plan) => Plan;
}

/** A setting of one kind of item in which the recipe differs from strict matching. */
interface Piece {
  readonly part: (typeof ORDER)[number];
  /** After `pair.` and the kind. */
  readonly path: string;
  readonly setting: string;
  readonly without: (settings: PairSettings) => PairSettings;
}

/** The settings that only widen what counts as equal, in the order in which they take effect. */
const WIDENING = ['tolerance', 'words', 'normalise', 'inverse', 'symmetric', 'equivalent', 'acceptable'] as const;
const STRICT = { assign: 'greedy', ties: 'content', partial: 1 } as const;
const ASSIGNING = ['assign', 'ties', 'partial'] as const;
const ORDER = ['gate', 'similarity', 'threshold', ...WIDENING, 'accept', ...ASSIGNING, 'unit'] as const;

/** What pairing allows beyond strict matching: one part for a setting that all kinds share, else one per kind. */
export function pairRungs(pair: Scheme['pair']): Rung[] {
  const pieces = [...pair].flatMap(([kind, settings]) => piecesOf(kind, settings).map((piece) => ({ kind, ...piece })));
  const inOrder = pieces.toSorted((a, b) => ORDER.indexOf(a.part) - ORDER.indexOf(b.part));
  return [...Map.groupBy(inOrder, ({ path }) => path)].flatMap(([path, own]) => {
    const alike = own.length === pair.size && own.every(({ setting }) => setting === own[0]!.setting);
    const parts = alike ? [{ path, of: own }] : own.map((piece) => ({ path: `${piece.kind}.${path}`, of: [piece] }));
    return parts.map(({ path: place, of }) => ({
      path: `pair.${place}`,
      setting: of[0]!.setting,
      without: (plan) => {
        const strict = new Map(plan.schemes[0]!.pair);
        for (const { kind, without } of of) strict.set(kind, without(strict.get(kind)!));
        return { ...plan, schemes: [{ name: null, pair: strict }] };
      },
    }));
  });
}

function piecesOf(kind: PairedKind, settings: PairSettings): Piece[] {
  const { unit, accept } = settings;
  const [first, ...others] = [accept[0]!, ...accept.slice(1)];
  // An alternative that has its own name is found under it.
  const under = others.length > 0 || first.name !== 'pair' ? `accept.${first.name}.` : '';
  const ofFirst = (part: Piece['part'], setting: string, strict: Partial<Criterion>): Piece => ({
    part,
    path: `${under}${part}`,
    setting,
    without: (own) => ({ ...own, accept: own.accept.with(0, { ...own.accept[0]!, ...strict }) }),
  });
  // Tokens, characters and cover do not compare items: to take them away is to go back to items that are the same.
  const ofUnit = (setting: string, gate: readonly string[]): Piece => ({
    part: 'unit',
    path: 'unit',
    setting: cutSetting(setting),
    without: () => ({ accept: [makeCriterion(first.name, { gate, threshold: 1 })], ...STRICT, unit: 'item' }),
  });
  const gate = strictGate(kind, first);
  if (unit === 'cover') return [ofUnit(`cover ≥ ${thresholdText(first.threshold)}`, gate)];
  const gates = equal(gate, first.gate) ? [] : [ofFirst('gate', settingText(first.gate), { gate })];
  if (unit !== 'item') {
    const words = unit === 'token' && first.words !== 'whitespace' ? `, words ${first.words}` : '';
    return [...gates, ofUnit(`${unit}${words}`, first.gate)];
  }
  const plain = makeCriterion(first.name, {});
  // Entities are their names to `exact`; those that are compared by place are strict where all of it has to overlap.
  const isPlaced = kind === 'entity' && first.similarity === 'iou' && first.own === null;
  const isExact = first.similarity === 'exact' && first.own === null;
  const isStrict = isRelation(first) || isPlaced ? isWhole(first.threshold) : isExact;
  // A similarity without its threshold means nothing: both are one part.
  const strict = { ...(isRelation(first) || isPlaced ? {} : { similarity: 'exact', own: null }), threshold: 1 };
  const similarity = ofFirst(isRelation(first) ? 'threshold' : 'similarity', cutSetting(similarityText(first)), strict);
  return [
    ...gates,
    ...(isStrict ? [] : [similarity]),
    ...WIDENING.filter((part) => !equal(plain[part], first[part])).map((part) =>
      ofFirst(part, settingText(first[part]), { [part]: plain[part] }),
    ),
    ...others.map((also): Piece => ({
      part: 'accept',
      path: `accept.${also.name}`,
      setting: criterionText(also),
      without: (own) => ({ ...own, accept: own.accept.filter(({ name }) => name !== also.name) }),
    })),
    ...ASSIGNING.filter((part) => settings[part] !== STRICT[part]).map((part): Piece => ({
      part,
      path: part,
      setting: String(settings[part]),
      without: (own) => ({ ...own, [part]: STRICT[part] }),
    })),
  ];
}

/** Classes, components and concepts are their label: equal texts are equal labels, whatever the gate. */
function strictGate(kind: PairedKind, first: Criterion): readonly string[] {
  const byLabel = kind === 'span' || kind === 'object' || kind === 'entity';
  return isRelation(first) || !byLabel ? first.gate : ['label'];
}

function isRelation({ similarity, own }: Criterion): boolean {
  return similarity === 'relation' && own === null;
}

function isWhole(threshold: Threshold): boolean {
  return typeof threshold === 'number' ? threshold === 1 : Object.values(threshold).every((least) => least === 1);
}

function equal(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Those of the strict settings from which something differs, as it has them; null where none does. */
export function lenientParts(own: object, strict: Readonly<Record<string, unknown>>): object | null {
  const parts = Object.entries(own).filter(([key, value]) => key in strict && !equal(value, strict[key]));
  return parts.length === 0 ? null : Object.fromEntries(parts);
}

const LONGEST = 120;

/** What a reader can tell from the marks around it. */
const PLAIN = /^[^\s,:[\]{}"'#.-][^,:[\]{}"#]*$/u;

/** A setting on one line, as a recipe would write it; what is long is cut. */
export function settingText(value: unknown): string {
  return cutSetting(isPlainOn(value) ? 'on' : flow(value));
}

function cutSetting(text: string): string {
  return text.length <= LONGEST ? text : shorten(text, LONGEST - 1);
}

function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (isRecord(value)) {
    const entries = Object.entries(value).map(([key, inner]) => `${key}: ${flow(inner)}`);
    return entries.length === 0 ? 'on' : `{ ${entries.join(', ')} }`;
  }
  if (typeof value === 'string') return PLAIN.test(value) ? value : JSON.stringify(value);
  return JSON.stringify(value) ?? 'null';
}

/**
 * `iou ≥ 0.5`, `iou ≥ 0.3 LOC, 0.4 PERSON, 0.5 others`; exact is 1 or 0, whatever the threshold. What has nothing in
 * common is never paired.
 */
function similarityText({ similarity, own, threshold }: Criterion): string {
  if (own === null && similarity === 'exact') return 'exact';
  return threshold === 0 ? `${similarity} > 0` : `${similarity} ≥ ${thresholdText(threshold)}`;
}

function thresholdText(threshold: Threshold): string {
  if (typeof threshold === 'number') return String(threshold);
  const { default: others, ...labels } = threshold;
  const parts = Object.entries(labels).map(([label, least]) => `${least} ${label}`);
  if (others === undefined) return parts.join(', ');
  return parts.length === 0 ? String(others) : [...parts, `${others} others`].join(', ');
}

/** A whole alternative: its similarity, and its other settings that are not the default. */
function criterionText(criterion: Criterion): string {
  const { name: _name, similarity: _similarity, own: _own, threshold: _threshold, ...usual } = makeCriterion('', {});
  const also = Object.entries(lenientParts(criterion, usual) ?? {}).map(([key, value]) => `${key} ${flow(value)}`);
  return cutSetting([similarityText(criterion), ...also].join(', '));
}
