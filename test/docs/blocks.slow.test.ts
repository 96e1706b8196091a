import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { assayCommands } from '../../src/cli/main.ts';
import { rulesSchema } from '../../src/compare/gate/rules.ts';
import { isRecord } from '../../src/data/record-fields.ts';
import { loadExperiment } from '../../src/experiment/run/load-experiment.ts';
import { targetSchema } from '../../src/experiment/targets/target-kinds.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { presetText } from '../../src/recipe/presets.ts';
import { example, temporaryFolder } from '../cli/run-assay.ts';
import { type Block, blocksOf, PAGES, pageText } from './blocks.ts';

const BLOCKS = PAGES.flatMap(blocksOf);
const place = ({ page, line }: Block): string => `docs/${page}:${line}`;
const of = (...languages: readonly string[]): readonly Block[] =>
  BLOCKS.filter(({ language }) => languages.includes(language));

describe('the blocks of the pages', () => {
  it('are all of a kind that a test runs or checks', () => {
    // Python is shown once, as a program that a target starts; text is for drawings and formulas.
    const known = new Set(['console', 'sh', 'yaml', 'json', 'ts', 'csv', 'python', 'text']);
    expect(BLOCKS.filter(({ language }) => !known.has(language)).map(place)).toEqual([]);
    expect(
      of('text')
        .filter(({ content }) => /^\$ |assay /m.test(content))
        .map(place),
    ).toEqual([]);
    expect(of('python').length).toBeLessThan(2);
  });

  it('of JSON can be parsed', () => {
    const wrong = of('json').filter(({ content }) => {
      try {
        JSON.parse(content);
        return false;
      } catch {
        return content
          .trim()
          .split('\n')
          .some((line) => !isJson(line));
      }
    });
    expect(wrong.map(place)).toEqual([]);
  });

  it('of ts are programs that a test runs', () => {
    // snippets.slow.test.ts runs whatever begins with an import, and modules that a page names as files.
    expect(
      of('ts')
        .filter(({ content, file }) => file === null && !content.startsWith('import '))
        .map(place),
    ).toEqual([]);
  });
});

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

describe('commands that pages show', async () => {
  const program = await assayCommands(() => undefined, null);
  /** In blocks of commands, in transcripts and in YAML for pipelines: the words after `assay`. */
  const inBlocks = of('sh', 'console', 'yaml').flatMap((block) =>
    block.content
      .replaceAll(/\\\n\s*/g, '')
      .split('\n')
      .flatMap((line) =>
        [...line.matchAll(/(?:^|\$ |npx |\| )assay ([^|]*)/g)].map(([, words]) => ({
          at: place(block),
          words: words!,
        })),
      ),
  );
  const inLines = PAGES.flatMap((page) =>
    [...pageText(page).matchAll(/`assay ((?![A-Z])[^`\n]+)`/g)].map(([, words]) => ({
      at: `docs/${page}`,
      words: words!,
    })),
  );
  const calls = [...inBlocks, ...inLines];

  it('exist, with flags that they have', () => {
    expect(calls.length).toBeGreaterThan(150);
    expect(calls.flatMap(({ at, words }) => wrongIn(program, words).map((what) => `${at}: ${what}`))).toEqual([]);
  });
});

/** What a call names that does not exist. */
function wrongIn(program: Command, call: string): string[] {
  const words = call
    .replaceAll(/"[^"]*"|'[^']*'/g, 'quoted')
    .replace(/\s#.*$/, '')
    .trim()
    .split(/\s+/);
  let command = program;
  for (const word of words) {
    const part = command.commands.find((one) => one.name() === word);
    if (part === undefined) break;
    command = part;
  }
  const [first = ''] = words;
  if (command === program) return first.startsWith('-') ? [] : [`assay ${first}`];
  if (command.commands.length > 0 && !words.includes('--help')) return [`assay ${words.slice(0, 2).join(' ')}`];
  const known = new Set([...command.options.flatMap(({ long, short }) => [long, short]), '--help']);
  return words.flatMap((word) => {
    const [flag = ''] = word.split('=');
    return flag.startsWith('--') && !known.has(flag) ? [`${command.name()} ${flag}`] : [];
  });
}

it.each(of('yaml').map((block) => [place(block), block] as const))('the YAML of %s is valid', async (_, block) => {
  expect(await faultOf(block)).toBeNull();
});

/** What is wrong with YAML that a page shows: a part of a preset, rules, an experiment, a pipeline or a recipe. */
async function faultOf({ content, info }: Block): Promise<string | null> {
  const value: unknown = parse(content);
  if (!isRecord(value)) return 'not a mapping';
  const folder = temporaryFolder();
  const file = join(folder, 'shown.yaml');
  writeFileSync(file, content);
  copyFileSync(example('custom/custom.ts'), join(folder, 'custom.ts'));
  const [, preset] = /^preset=(\S+)$/.exec(info) ?? [];
  if (preset !== undefined) return differences(value, parse(presetText(preset)))[0] ?? null;
  if ('jobs' in value || 'evaluate' in value) return content.includes('assay gate') ? null : 'no gate';
  if ('rules' in value) rulesSchema.parse(value);
  else if ('dataset' in value) loadExperiment(file, {});
  else if ('target' in value) targetSchema.parse(value['target']);
  else await planRecipe(file);
  return null;
}

/** Where a part of a preset is not what the preset has; what a page leaves out is `…` there. */
function differences(shown: unknown, own: unknown, path = ''): string[] {
  if (shown === '…') return [];
  if (!isRecord(shown) || !isRecord(own)) return isDeepStrictEqual(shown, own) ? [] : [path];
  return Object.entries(shown).flatMap(([name, part]) => differences(part, own[name], `${path}.${name}`));
}

/** The preset whose settings a page changes. */
const PRESET_OF: Readonly<Record<string, string>> = {
  'tasks/journal.md': 'journal/ashwam',
  'start/journal.md': 'journal/ashwam',
  'tasks/graph.md': 'graph/openspec',
  'recipe.md': 'graph/openspec',
};
const SETTINGS = PAGES.flatMap((page) =>
  [
    ...pageText(page).matchAll(
      /`(?:--set )?'?((?:pair|prepare|judge|data|slice|attributes|interval)(?:\.[\w-]+)*\+?=[^`'…]+)'?`/g,
    ),
  ].map(([, line]) => [page, line!] as const),
);

it.each(SETTINGS)('docs/%s: --set %s is possible', async (page, line) => {
  const { resolved } = await planRecipe(PRESET_OF[page] ?? 'pii/piranha', [line]);
  expect(resolved).toBeDefined();
});

it('there are such settings', () => {
  expect(SETTINGS.length).toBeGreaterThan(20);
});
