import { isRecord } from '../../data/record-fields.ts';
import { type Criterion, makeCriterion, type Threshold } from '../../pair/criterion.ts';
import { isPlainOn } from '../../recipe/on-off.ts';

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
