import { hash } from 'node:crypto';

import { isRecord } from '../data/record-fields.ts';
import type { PairSettings } from '../pair/criterion.ts';
import type { Plan } from '../recipe/plan.ts';
import { USUAL_GROUPS_ABOVE } from '../stats/in-groups.ts';
import { canonicalJson } from './canonical-json.ts';
import type { Fingerprint } from './fingerprint.ts';
import { VERSION } from './version.ts';

/** Settings of `data` that change how a file is read but not what is in it. */
const READING_ONLY = new Set(['format', 'columns', 'maxRecordMiB']);

export interface Signature {
  /** Everything that affects a number, in one line. */
  readonly full: string;
  /**
   * The same without the predictions, the recipe's name and how intervals are made: values of two systems are
   * comparable when this is equal. What a recipe is called does not matter, what it says does.
   */
  readonly comparable: string;
}

export function signatureOf(
  plan: Plan,
  content: Pick<Fingerprint, 'gold' | 'predicted' | 'clusters'>,
  cases: number,
): Signature {
  const [own, ...others] = plan.schemes;
  const names = (parts: readonly { readonly name: string | null }[]): string =>
    parts.map(({ name }) => name ?? '').join('+') || 'none';
  const recipe = recipeHash(plan).slice(0, 12);
  const line = (recipeName: string): string =>
    [
      `assay:${VERSION}`,
      `task:${plan.task}`,
      `recipe:${recipeName}#${recipe}`,
      `prepare:${names(plan.prepare)}`,
      `pair:${own === undefined ? 'none' : [...own.pair.values()].map(pairName).join('+')}`,
      ...(others.length > 0 ? [`schemes:${names(others)}`] : []),
      `judge:${names(plan.judge)}`,
      ...(plan.concepts === null ? [] : [`concepts:${extractorName(plan.concepts)}`]),
      `gold:${content.gold().slice(0, 16)}(${cases})`,
    ].join('|');
  return {
    comparable: line(''),
    full: `${line(plan.name)}|predicted:${content.predicted().slice(0, 16)}|interval:${intervalName(plan.interval, content.clusters())}`,
  };
}

/** What found the concepts: its name, where it has one, and a hash of all that is said of it. */
function extractorName(concepts: Readonly<Record<string, unknown>>): string {
  const { name } = concepts;
  return `${typeof name === 'string' ? name.replaceAll('|', '/') : ''}#${hash('sha256', canonicalJson(concepts)).slice(0, 12)}`;
}

function intervalName(interval: Plan['interval'], clusters: string | null): string {
  if (interval === null) return 'off';
  const { method, resamples, level, seed, cluster, groupsAbove } = interval;
  const groups = groupsAbove === USUAL_GROUPS_ABOVE ? '' : `,groups above ${groupsAbove ?? 'none'}`;
  return `${method}(${resamples},${level},seed ${seed}${groups}${cluster === null ? '' : `,by ${cluster}#${(clusters ?? '').slice(0, 8)}`})`;
}

function pairName({ unit, accept, assign }: PairSettings): string {
  return unit === 'item' ? `${accept.map(({ similarity }) => similarity).join('/')}:${assign}` : unit;
}

/** Words are left out of it, and what the signature has a part of its own for. */
export function recipeHash(plan: Plan): string {
  const {
    about: _a,
    limits: _l,
    primary: _p,
    spread: _s,
    interval: _i,
    concepts: _c,
    audit: _u,
    ...own
  } = plan.resolved;
  const { data, ...rest } = own;
  const reading = isRecord(data)
    ? Object.fromEntries(Object.entries(data).filter(([key]) => !READING_ONLY.has(key)))
    : {};
  return hash('sha256', canonicalJson({ ...rest, measure: withoutWords(rest['measure']), data: reading }));
}

/** Measures without what is said about them, also within one another. */
function withoutWords(measures: unknown): unknown {
  if (!isRecord(measures)) return measures;
  return Object.fromEntries(
    Object.entries(measures).flatMap(([key, value]): [string, unknown][] =>
      isMeasureWord(key, value) ? [] : [[key, withoutWords(value)]],
    ),
  );
}

const MEASURE_WORDS: ReadonlySet<string> = new Set(['about', 'unit', 'heading']);

/** What is said about a measure and changes no number; a measure of that name is a mapping. */
export function isMeasureWord(key: string, value: unknown): boolean {
  return MEASURE_WORDS.has(key) && typeof value === 'string';
}
