import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { assayCommands } from '../../src/cli/main.ts';
import { rulesSchema } from '../../src/compare/gate/rules.ts';
import { loadExperiment } from '../../src/experiment/run/load-experiment.ts';
import { targetSchema } from '../../src/experiment/targets/target-kinds.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { presetText } from '../../src/recipe/presets.ts';
import { example, temporaryFolder } from '../cli/run-assay.ts';
import { type Block, blocksOf, PAGES } from './blocks.ts';

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
  const calls = of('sh', 'console', 'yaml').flatMap((block) =>
    block.content
      .replaceAll(/\\\n\s*/g, '')
      .split('\n')
      .flatMap((line) =>
        [...line.matchAll(/(?:^|\$ |npx |\| )assay ([^|]*)/g)].map(([, words]) => ({ block, words: words! })),
      ),
  );

  it('exist, with flags that they have', () => {
    expect(calls.length).toBeGreaterThan(60);
    expect(
      calls.flatMap(({ block, words }) => wrongIn(program, words).map((what) => `${place(block)}: ${what}`)),
    ).toEqual([]);
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
  if (command === program) return words[0]!.startsWith('-') ? [] : [`assay ${words[0]}`];
  if (command.commands.length > 0 && !words.includes('--help')) return [`assay ${words.slice(0, 2).join(' ')}`];
  const known = new Set([...command.options.flatMap(({ long, short }) => [long, short]), '--help']);
  return words.flatMap((word) => {
    const [flag = ''] = word.split('=');
    return flag.startsWith('--') && !known.has(flag) ? [`${command.name()} ${flag}`] : [];
  });
}

describe('YAML that pages show', () => {
  it.each(of('yaml').map((block) => [place(block), block] as const))(
    '%s is valid',
    async (_, { content, info, file }) => {
      const value: unknown = parse(content);
      const [, preset] = /^preset=(\S+)$/.exec(info) ?? [];
      const keys = new Set(
        typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [],
      );
      if (preset !== undefined) expect(parse(presetText(preset))).toMatchObject(withoutGaps(value));
      else if (keys.has('rules')) rulesSchema.parse(value);
      else if (keys.has('dataset')) {
        const written = join(temporaryFolder(), 'experiment.yaml');
        writeFileSync(written, content);
        loadExperiment(written, {});
      } else if (keys.has('target')) targetSchema.parse((value as { target: unknown }).target);
      else if (keys.has('jobs') || keys.has('evaluate')) expect(content).toContain('assay gate');
      else if (keys.has('modules')) {
        const folder = temporaryFolder();
        writeFileSync(join(folder, 'recipe.yaml'), content);
        copyFileSync(join(example('custom'), 'custom.ts'), join(folder, 'custom.ts'));
        await planRecipe(join(folder, 'recipe.yaml'));
      } else
        await planRecipe(
          keys.has('task') || keys.has('extends')
            ? (value as object)
            : { extends: 'pii/piranha', ...(value as object) },
        );
      expect(file === null || file.endsWith('.yaml')).toBe(true);
    },
  );
});

/** Without what a page leaves out of a preset, which it shows as `…`. */
function withoutGaps(value: unknown): object {
  const kept = Object.entries(value as object).filter(([, part]) => part !== '…');
  return Object.fromEntries(
    kept.map(([name, part]) => [
      name,
      typeof part === 'object' && part !== null && !Array.isArray(part) ? withoutGaps(part) : part,
    ]),
  );
}
