import type { PairedKind } from '../../data/item.ts';
import { isRecord } from '../../data/record-fields.ts';
import type { Attribute } from '../../judge/attributes.ts';
import type { JudgeStep } from '../../judge/step.ts';
import { type Criterion, makeCriterion, type PairSettings, type Threshold } from '../../pair/criterion.ts';
import type { PrepareStep } from '../../prepare/step.ts';
import { isPlainOn } from '../../recipe/on-off.ts';
import type { NamedStep } from '../../recipe/plan.ts';

/** What of a recipe decides verdicts, made ready: the parts that a waterfall takes away and puts back. */
export interface Mix {
  readonly prepare: readonly PreparedRule[];
  readonly pair: ReadonlyMap<PairedKind, PairSettings>;
  readonly attributes: readonly Attribute[];
  readonly judge: readonly NamedStep<JudgeStep>[];
}

export interface PreparedRule extends NamedStep<PrepareStep> {
  /** As the manifest shows them. */
  readonly params: unknown;
}

/** One part of the recipe that can be taken away. */
export interface Rung {
  readonly path: string;
  readonly setting: string;
  readonly without: (mix: Mix) => Mix;
}

/** A setting of one kind of item in which the recipe differs from strict matching. */
interface Piece {
  /** After `pair.` and the kind. */
  readonly path: string;
  readonly setting: string;
  readonly without: (settings: PairSettings) => PairSettings;
}

/** The settings that only widen what counts as equal, in the order in which they take effect. */
const CRITERION_PARTS = [
  'tolerance',
  'words',
  'normalise',
  'inverse',
  'symmetric',
  'equivalent',
  'acceptable',
] as const satisfies readonly (keyof Criterion)[];

const STRICT = { assign: 'greedy', ties: 'content', partial: 1 } as const satisfies Partial<PairSettings>;

/** What pairing says beyond strict matching. What it says of all kinds alike is one part, else each kind's is its own. */
export function pairRungs(pair: Mix['pair']): Rung[] {
  const ofKinds = [...pair].map(([kind, settings]) => ({ kind, pieces: piecesOf(kind, settings) }));
  const paths = new Set(ofKinds.flatMap(({ pieces }) => pieces.map(({ path }) => path)));
  return inOrder([...paths]).flatMap((path) => {
    const own = ofKinds.flatMap(({ kind, pieces }) =>
      pieces.filter((piece) => piece.path === path).map((piece) => ({ kind, piece })),
    );
    const alike = own.length === pair.size && own.every(({ piece }) => piece.setting === own[0]!.piece.setting);
    if (alike) return [rungOf(`pair.${path}`, own)];
    return own.map((one) => rungOf(`pair.${one.kind}.${path}`, [one]));
  });
}

function rungOf(path: string, own: readonly { readonly kind: PairedKind; readonly piece: Piece }[]): Rung {
  const pieces = new Map(own.map(({ kind, piece }) => [kind, piece]));
  return {
    path,
    setting: own[0]!.piece.setting,
    without: (mix) => ({
      ...mix,
      pair: new Map([...mix.pair].map(([kind, settings]) => [kind, pieces.get(kind)?.without(settings) ?? settings])),
    }),
  };
}

const ORDER = ['gate', 'similarity', 'threshold', ...CRITERION_PARTS, 'accept', 'assign', 'ties', 'partial', 'unit'];

/** As the kinds' pieces come, in one order: a kind may lack what another has. */
function inOrder(paths: readonly string[]): string[] {
  const place = (path: string): number => {
    const parts = path.split('.');
    return ORDER.indexOf(parts[0] === 'accept' && parts.length > 2 ? parts.at(-1)! : parts[0]!);
  };
  return paths.toSorted((a, b) => place(a) - place(b));
}

function piecesOf(kind: PairedKind, settings: PairSettings): Piece[] {
  const { unit } = settings;
  const first = settings.accept[0]!;
  if (unit === 'cover') return [unitPiece(`cover ≥ ${thresholdText(first.threshold)}`, strictCriterion(kind, first))];
  // An alternative that has a name of its own is found under it.
  const under = settings.accept.length > 1 || first.name !== 'pair' ? `accept.${first.name}.` : '';
  const gate = strictGate(kind, first);
  const gates: Piece[] = equal(gate, first.gate)
    ? []
    : [{ path: `${under}gate`, setting: settingText(first.gate), without: (own) => withFirst(own, { gate }) }];
  if (unit !== 'item') {
    const words = unit === 'token' && first.words !== 'whitespace' ? `, words ${first.words}` : '';
    return [...gates, unitPiece(`${unit}${words}`, { ...strictCriterion(kind, first), gate: first.gate })];
  }
  return [
    ...gates,
    ...similarityPieces(first, under),
    ...CRITERION_PARTS.flatMap((part): Piece[] => {
      const strict = makeCriterion(first.name, {})[part];
      if (equal(strict, first[part])) return [];
      const setting = settingText(first[part]);
      return [{ path: `${under}${part}`, setting, without: (own) => withFirst(own, { [part]: strict }) }];
    }),
    ...settings.accept.slice(1).map((also): Piece => ({
      path: `accept.${also.name}`,
      setting: criterionText(also),
      without: (own) => ({ ...own, accept: own.accept.filter(({ name }) => name !== also.name) }),
    })),
    ...(['assign', 'ties', 'partial'] as const).flatMap((part): Piece[] =>
      settings[part] === STRICT[part]
        ? []
        : [{ path: part, setting: String(settings[part]), without: (own) => ({ ...own, [part]: STRICT[part] }) }],
    ),
  ];
}

/** A similarity without its threshold means nothing: both are one part. */
function similarityPieces(first: Criterion, under: string): Piece[] {
  const setting = cutSetting(similarityText(first));
  if (isRelation(first)) {
    if (isWhole(first.threshold)) return [];
    return [{ path: `${under}threshold`, setting, without: (own) => withFirst(own, { threshold: 1 }) }];
  }
  if (first.similarity === 'exact' && first.own === null) return [];
  const strict = { similarity: 'exact', own: null, threshold: 1 };
  return [{ path: `${under}similarity`, setting, without: (own) => withFirst(own, strict) }];
}

/** Tokens, characters and cover do not compare items: to take them away is to go back to items that are the same. */
function unitPiece(setting: string, strict: Criterion): Piece {
  return {
    path: 'unit',
    setting: cutSetting(setting),
    without: () => ({ accept: [strict], ...STRICT, unit: 'item' }),
  };
}

/** Same label and same boundaries or text; of relationships the same ends and type, which their similarity looks at. */
function strictCriterion(kind: PairedKind, first: Criterion): Criterion {
  return makeCriterion(first.name, { gate: strictGate(kind, first), similarity: 'exact', threshold: 1 });
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

function withFirst(settings: PairSettings, change: Partial<Criterion>): PairSettings {
  const [first, ...others] = settings.accept;
  return { ...settings, accept: [{ ...first!, ...change }, ...others] };
}

function equal(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

const LONGEST = 120;

/** What a reader can tell from the marks around it. */
const PLAIN = /^[^\s,:[\]{}"'#.-][^,:[\]{}"#]*$/u;

/** A setting on one line, as a recipe would write it; what is long is cut. */
export function settingText(value: unknown): string {
  return cutSetting(isPlainOn(value) ? 'on' : flow(value));
}

/** The beginning of a text that is no more than a line or two. */
export function cutSetting(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
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
export function similarityText({ similarity, own, threshold }: Criterion): string {
  if (own === null && similarity === 'exact') return 'exact';
  return threshold === 0 ? `${similarity} > 0` : `${similarity} ≥ ${thresholdText(threshold)}`;
}

export function thresholdText(threshold: Threshold): string {
  if (typeof threshold === 'number') return String(threshold);
  const { default: others, ...labels } = threshold;
  const parts = Object.entries(labels).map(([label, least]) => `${least} ${label}`);
  return [...parts, ...(others === undefined ? [] : [parts.length === 0 ? String(others) : `${others} others`])].join(
    ', ',
  );
}

/** A whole alternative: its similarity, and what else it says that is not usual. */
export function criterionText(criterion: Criterion): string {
  const usual = makeCriterion(criterion.name, {});
  const { name: _name, similarity: _similarity, own: _own, threshold: _threshold, ...rest } = criterion;
  const also = Object.entries(rest)
    .filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(Reflect.get(usual, key)))
    .map(([key, value]) => `${key} ${flow(value)}`);
  return cutSetting([similarityText(criterion), ...also].join(', '));
}
