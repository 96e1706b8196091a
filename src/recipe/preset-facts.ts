import { isRecord } from '../data/record-fields.ts';
import type { PairedKind } from '../data/item.ts';
import { type Plan, planRecipe } from './plan.ts';
import { presetAliases, presetNamed, presetNames } from './presets.ts';
import PURPOSES from './purposes.json' with { type: 'json' };
import { taskTitle } from './task-title.ts';

/** A preset as `assay presets` lists it. */
export interface PresetFacts {
  readonly name: string;
  /** What is before the slash, and what that is for. */
  readonly purpose: string;
  readonly about: string;
  readonly aliases: readonly string[];
  readonly task: string;
  /** What the files have to hold. */
  readonly expects: string;
  /** A command that scores with it. */
  readonly call: string;
}

/** All presets by purpose, those first that most will look for. */
export async function listPresets(): Promise<{ readonly title: string; readonly presets: readonly PresetFacts[] }[]> {
  const facts = new Map((await Promise.all(presetNames().map(presetFacts))).map((own) => [own.name, own]));
  return Object.entries(PURPOSES).map(([purpose, { title, order }]) => ({
    title,
    presets: order.map((name) => facts.get(`${purpose}/${name}`)!),
  }));
}

export async function presetFacts(given: string): Promise<PresetFacts> {
  const name = presetNamed(given) ?? given;
  const plan = await planRecipe(name);
  const { task, about, source } = plan;
  return {
    name,
    purpose: name.split('/')[0]!,
    about,
    aliases: presetAliases(name),
    task: taskTitle(task),
    expects: source.expects ?? itemsExpected(plan),
    call: callOf(plan),
  };
}

/** A recipe as a preset has it, with all that it extends: what a recipe file could hold. */
export function presetSource({ source }: Plan): Readonly<Record<string, unknown>> {
  const { extends: _, expects: _expects, ...own } = source;
  const isEmpty = (section: unknown): boolean => isRecord(section) && Object.keys(section).length === 0;
  const filled = Object.entries(own).filter(([, section]) => !isEmpty(section));
  return { ...Object.fromEntries(filled), task: taskTitle(source.task) };
}

const ITEMS: Readonly<Partial<Record<PairedKind, string>>> = {
  span: 'spans (start, end, label)',
  object: 'objects (label, quote)',
  entity: 'entities (name, type)',
  relationship: 'relationships (source, type, target)',
};
const PLACED = 'entities (id, name, type, start, end)';

/** The items that a recipe pairs, and the fields of them that it names. */
function itemsExpected({ schemes, data, resolved }: Plan): string {
  const unused = new Set(namesUnder(resolved['prepare'], new Set(['kinds'])));
  const kinds = [...(schemes[0]?.pair.keys() ?? [])].filter((kind) => !unused.has(kind));
  const isPlaced = data.places === 'required';
  const items = kinds.map((kind) => (kind === 'entity' && isPlaced ? PLACED : (ITEMS[kind] ?? kind)));
  const texts = isPlaced || kinds.includes('span') || kinds.includes('object') ? 'texts; ' : '';
  const fields = [...new Set(['prepare', 'pair', 'attributes', 'measure'].flatMap((part) => fieldsIn(resolved[part])))];
  const more = fields.filter((field) => !KNOWN.has(field));
  return `${texts}gold and predicted ${items.join(' and ')}${more.length === 0 ? '' : `, with ${more.join(', ')}`}`;
}

/** Fields that the items above have, or need not have. */
const KNOWN = new Set(['type', 'acceptable_types']);

function fieldsIn(section: unknown): string[] {
  return namesUnder(section, new Set(['field', 'group']));
}

/** The texts that stand under one of the keys, anywhere in a section. */
function namesUnder(section: unknown, keys: ReadonlySet<string>): string[] {
  if (Array.isArray(section)) return section.flatMap((inner: unknown) => namesUnder(inner, keys));
  if (!isRecord(section)) return [];
  return Object.entries(section).flatMap(([key, value]) =>
    keys.has(key) ? [value].flat().filter((name) => typeof name === 'string') : namesUnder(value, keys),
  );
}

/** Tasks whose files are something else than gold and predictions. */
const CALLS: Readonly<Partial<Record<Plan['task'], string>>> = {
  journal: 'score NAME --cases cases.jsonl --gold gold.jsonl --predictions predictions.jsonl',
  stream: 'stream measure --recipe NAME --traces traces --runs runs',
  consult: 'score NAME --cases cases.csv --predictions answers.jsonl --reviews reviews.csv',
};

function callOf({ task, name }: Plan): string {
  return `assay ${(CALLS[task] ?? 'score NAME --gold gold.jsonl --predictions predictions.jsonl').replace('NAME', name)}`;
}
