import { isRecord } from '../data/record-fields.ts';
import { findRule, type OnPlainSpans, type Rule } from '../prepare/rule.ts';
import { settingError, SettingProblems, suggestion } from '../prepare/setting-error.ts';
import { isOff, isPlainOn } from './on-off.ts';

export interface NamedStep<Step> {
  readonly name: string;
  readonly step: Step;
  /** Whether the order in which a case lists its items can change what the step does. */
  readonly readsOrder: boolean;
  readonly onPlainSpans: OnPlainSpans | null;
  /** As the recipe writes them, and with their defaults as the manifest shows them. */
  readonly written: unknown;
  readonly params: unknown;
}

export interface Stage<Step> {
  readonly steps: readonly NamedStep<Step>[];
  /** What each rule runs with, in the order they run, as the manifest shows it. */
  readonly params: Readonly<Record<string, unknown>>;
}

/** The steps of a stage in their order, each under its own name; `rule:` lets one rule stand twice. */
export function stageSteps<Step>(
  section: Readonly<Record<string, unknown>>,
  rules: readonly Rule<Step>[],
  stage: string,
): Stage<Step> {
  const { order, ...entries } = section;
  const names = Object.keys(entries);
  const active = names.filter((name) => !isOff(entries[name]));
  const steps: NamedStep<Step>[] = [];
  const resolved: Record<string, unknown> = {};
  const problems = new SettingProblems();
  const ordered = order === undefined ? active : problems.attempt(() => orderOf(order, names, active, stage));
  for (const name of ordered ?? active) {
    const raw = entries[name];
    const { rule = name, ...own } = isRecord(raw) ? raw : {};
    const given = isRecord(raw) ? own : isPlainOn(raw) ? {} : raw;
    problems.attempt(() => {
      const found = findRule(rules, String(rule), stage);
      const { params, step } = found.build(given, name, stage);
      resolved[name] = rule === name ? params : { rule, ...params };
      const { readsOrder, onPlainSpans } = found;
      steps.push({ name, step, readsOrder, onPlainSpans, written: raw, params: resolved[name] });
    });
  }
  problems.throwIfAny();
  return { steps, params: resolved };
}

/** The active rules in the order the recipe asks for. Rules that are switched off may stay in the list. */
function orderOf(order: unknown, names: readonly string[], active: readonly string[], stage: string): string[] {
  const path = [stage, 'order'];
  if (!isListOfNames(order))
    throw settingError(path, 'expected a list of rule names', `for example [${active.join(', ')}]`);
  const unknown = order.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw settingError(path, `there is no rule called ${unknown} here`, suggestion(unknown, names, 'rules here'));
  const twice = order.find((name, at) => order.indexOf(name) !== at);
  if (twice !== undefined) throw settingError(path, `${twice} is named twice`);
  const missing = active.filter((name) => !order.includes(name));
  if (missing.length > 0)
    throw settingError(path, `it leaves out ${missing.join(', ')}`, `name each of ${active.join(', ')} once`);
  return order.filter((name) => active.includes(name));
}

function isListOfNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}
