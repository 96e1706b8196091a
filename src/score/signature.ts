import { hash } from 'node:crypto';

import { isRecord } from '../data/record-fields.ts';
import type { PairSettings } from '../pair/criterion.ts';
import type { Plan } from '../recipe/plan.ts';
import { scoresMeaning } from '../recipe/scores-section.ts';
import { USUAL_GROUPS_ABOVE } from '../stats/in-groups.ts';
import { canonicalJson, type makeFingerprint } from './fingerprint.ts';
import { VERSION } from './version.ts';

/** Settings of `data` that change how a file is read but not what is in it. */
const READING_ONLY = new Set(['format', 'columns', 'maxRecordMiB']);

/**
 * `full`: everything that affects a number, in one line. `comparable`: the same without the predictions, the recipe's name
 * and how intervals are made; values of two systems are comparable when it is equal. A recipe's name does not
 * matter, its settings do.
 */
export function signatureOf(
  plan: Plan,
  content: Pick<ReturnType<typeof makeFingerprint>, 'gold' | 'predicted' | 'clusters'>,
  cases: number,
) {
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
      `pair:${[...(own?.pair.values() ?? [])].map(pairName).join('+') || 'none'}`,
      ...(others.length > 0 ? [`schemes:${names(others)}`] : []),
      `judge:${names(plan.judge)}`,
      ...(plan.scores === null ? [] : [`log:${partText(plan.scores.tool, plan.scores.task)}`]),
      ...(plan.concepts === null ? [] : [`concepts:${extractorName(plan.concepts)}`]),
      `gold:${content.gold().slice(0, 16)}(${cases})`,
    ].join('|');
  return {
    comparable: line(''),
    full: [
      line(plan.name),
      ...loggedBy(plan.scores),
      `predicted:${content.predicted().slice(0, 16)}`,
      `interval:${intervalName(plan.interval, content.clusters())}`,
    ].join('|'),
  };
}

/** What wrote the scores: the tool with its version, the model, and a hash of how it was run. */
function loggedBy(scores: Plan['scores']): string[] {
  if (scores === null) return [];
  const { tool, version, model, config } = scores;
  return [
    `tool:${partText(tool, version)}`,
    ...(model === null ? [] : [`model:${partText(model)}`]),
    ...(config === null ? [] : [`config:#${config.slice(0, 12)}`]),
  ];
}

/** Words of a part: what divides parts does not occur in them. */
function partText(...words: readonly (string | null)[]): string {
  return words
    .filter((word) => word !== null)
    .join(' ')
    .replaceAll('|', '/');
}

/** What found the concepts: its name, if it has one, and a hash of all its settings. */
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

export function recipeHash({ resolved }: Pick<Plan, 'resolved'>): string {
  return hash('sha256', canonicalJson(hashedSettings(resolved)));
}

/** Words, how sure numbers are, and what has its own part in the signature. */
const UNHASHED = new Set(['about', 'limits', 'primary', 'spread', 'interval', 'concepts', 'audit']);

/** The settings that a number may depend on: of a recipe without what is `UNHASHED` and how files are read. */
export function hashedSettings(resolved: Plan['resolved']): Record<string, unknown> {
  const { data } = resolved;
  const reading = Object.entries(isRecord(data) ? data : {}).filter(([key]) => !READING_ONLY.has(key));
  const own = Object.entries(resolved).filter(([key]) => !UNHASHED.has(key));
  const { scores } = resolved;
  return {
    ...Object.fromEntries(own),
    ...(isRecord(scores) ? { scores: scoresMeaning(scores) } : {}),
    measure: withoutWords(resolved['measure']),
    data: Object.fromEntries(reading),
  };
}

const MEASURE_WORDS: ReadonlySet<string> = new Set(['about', 'unit', 'symbol', 'heading']);

/** Measures without their descriptions, also within one another; a measure of such a name is a mapping. */
function withoutWords(measures: unknown): unknown {
  if (!isRecord(measures)) return measures;
  return Object.fromEntries(
    Object.entries(measures).flatMap(([key, value]): [string, unknown][] =>
      MEASURE_WORDS.has(key) && typeof value === 'string' ? [] : [[key, withoutWords(value)]],
    ),
  );
}
