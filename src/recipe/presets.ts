import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { isRecord } from '../data/record-fields.ts';
import { errorCode } from '../data/source.ts';
import { compareText } from '../text/compare.ts';
import ALIASES from './preset-aliases.json' with { type: 'json' };
import { parseYaml } from './yaml-document.ts';

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), 'presets');

/** Earlier names of presets, each with the name of today. */
const aliases: ReadonlyMap<string, string> = new Map(Object.entries(ALIASES));

let names: readonly string[] | null = null;

/** Names of all presets, `purpose/name`, in order and without aliases. A preset is a YAML file in this folder and nothing else. */
export function presetNames(): readonly string[] {
  return (names ??= readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length).replaceAll('\\', '/'))
    .sort(compareText));
}

/** The name of a preset, also by an alias; null if there is no such preset. */
export function presetNamed(given: string): string | null {
  const name = aliases.get(given) ?? given;
  return presetNames().includes(name) ? name : null;
}

/** Other names by which a preset is known. */
export function presetAliases(name: string): readonly string[] {
  return [...aliases].flatMap(([alias, own]) => (own === name ? [alias] : []));
}

export function presetText(name: string): string {
  return readFileSync(join(FOLDER, `${presetNamed(name) ?? name}.yaml`), 'utf8');
}

/** What it holds. A build leaves that as JSON beside the text (tools/bundle.mjs), which is then not parsed. */
export function presetValue(name: string): unknown {
  try {
    return JSON.parse(readFileSync(join(FOLDER, `${presetNamed(name) ?? name}.json`), 'utf8'));
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    return parseYaml(presetText(name), name).value;
  }
}

/** The task that a preset, or what it extends, is for. */
export function presetTask(name: string): string {
  const value = presetValue(name);
  const { task, extends: parent } = isRecord(value) ? value : {};
  return typeof task === 'string' || typeof parent !== 'string' ? String(task) : presetTask(parent);
}

export function presetAbout(name: string): string {
  const parsed = presetValue(name);
  const about = isRecord(parsed) ? parsed['about'] : undefined;
  return typeof about === 'string' ? about : '';
}
