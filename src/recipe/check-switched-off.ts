import { isRecord } from '../data/record-fields.ts';
import { JUDGE_RULES } from '../judge/rules.ts';
import { PREPARE_RULES } from '../prepare/rules.ts';
import { settingError, SettingProblems, suggestion } from '../prepare/setting-error.ts';
import { isOff } from './on-off.ts';

/** Sections whose entries can be switched off, with the names that are known without being in use. */
const SECTIONS: readonly { readonly path: readonly string[]; readonly known: readonly string[] }[] = [
  { path: ['prepare'], known: PREPARE_RULES.map((rule) => rule.name) },
  { path: ['judge'], known: JUDGE_RULES.map((rule) => rule.name) },
  { path: ['schemes'], known: [] },
  { path: ['attributes'], known: [] },
  { path: ['measure'], known: [] },
  { path: ['pair', 'accept'], known: [] },
];

/** To switch off what is not there is a typing mistake: the rule that was meant would go on working unseen. */
export function checkSwitchedOff(base: unknown, over: unknown): void {
  const found = new SettingProblems();
  for (const { path, known } of SECTIONS) {
    const entries = sectionAt(over, path);
    if (!isRecord(entries)) continue;
    const below = sectionAt(base, path);
    const names = [...(Array.isArray(below) ? below.map(String) : isRecord(below) ? Object.keys(below) : []), ...known];
    for (const [name, value] of Object.entries(entries)) {
      if (!isOff(value) || names.includes(name)) continue;
      found.add(
        settingError([...path, name], `there is no ${name} to switch off`, suggestion(name, names, 'there are')),
      );
    }
  }
  found.throwIfAny();
}

function sectionAt(recipe: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((section, part) => (isRecord(section) ? section[part] : undefined), recipe);
}
