import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { isRecord } from '../data/record-fields.ts';
import { errorCode } from '../data/source.ts';
import { compareText } from '../text/compare.ts';
import { parseYaml } from './yaml-document.ts';

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), 'presets');

let names: readonly string[] | null = null;

/** Names of all presets, `task/name`, in order. A preset is a YAML file in this folder and nothing else. */
export function presetNames(): readonly string[] {
  return (names ??= readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length).replaceAll('\\', '/'))
    .sort(compareText));
}

export function presetText(name: string): string {
  return readFileSync(join(FOLDER, `${name}.yaml`), 'utf8');
}

/** What it holds. A build leaves that as JSON beside the text (tools/bundle.mjs), which is then not parsed. */
export function presetValue(name: string): unknown {
  try {
    return JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8'));
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    return parseYaml(presetText(name), name).value;
  }
}

export function presetAbout(name: string): string {
  const parsed = presetValue(name);
  const about = isRecord(parsed) ? parsed['about'] : undefined;
  return typeof about === 'string' ? about : '';
}
