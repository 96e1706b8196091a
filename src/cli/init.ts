import { cpSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

import { didYouMean, errorCode, makeFolders, programName, safeText, SHARED, shellWord, UsageError } from '../plugin.ts';
import { presetAbout, presetAliases, presetNamed, presetNames } from '../pipeline.ts';
import { command } from './command.ts';
import { commandIn, type Example, exampleFile, EXAMPLES } from './examples.ts';
import * as flag from './flags.ts';

const RECIPE = 'recipe.yaml';
/** What files of an example are called in a folder that was begun with it. */
const NAMES: Readonly<Record<string, string>> = { 'starter.yaml': RECIPE, 'starter.md': 'README.md' };

const SUBJECTS = EXAMPLES.map(({ task }) => task);

export default command({
  name: 'init',
  arguments: {
    preset: flag.argument(`preset (assay presets lists them), or ${SUBJECTS.join(', ')}`),
    folder: flag.optionalArgument('folder to create (default: named after the preset)'),
  },
  flags: { force: flag.toggle('write to a folder that is not empty; files of the same name are replaced') },
  help: `
Without a preset, the recipe forgives nothing: spans and triples have to be those
of gold. The file names the preset that counts as a document does, if there is one.

Examples:
  $ assay init spans
  $ assay init spans/semeval my-ner-eval
  $ assay init triples my-graph-eval
  $ assay init pii/piranha my-redaction-eval
  $ assay init consult my-consult-eval
  $ assay init experiment my-experiment`,
  run({ preset: given, folder: target = given.replaceAll('/', '-'), force }, { print }) {
    const { example, preset } = startOf(given);
    if (!force && existsSync(target) && readdirSync(target).length > 0)
      throw new UsageError(`${target} is not empty`, 'choose another folder, or add --force');
    try {
      makeFolders(target, SHARED);
      for (const name of example.starter.copy)
        cpSync(exampleFile(example.task, name), join(target, NAMES[name] ?? name), { recursive: true });
      if (preset !== null) writeFileSync(join(target, RECIPE), recipeOf(preset));
    } catch (error) {
      throw new UsageError(`cannot write to ${target} (${errorCode(error)})`);
    }
    const from = relative('.', target) || '.';
    const yours = example.starter.yours.replaceAll('./', `${from}/`);
    const next = nextSteps(example.starter, from).map((step) => `  ${step}\n`);
    print(`${safeText(yours)} are yours to change. Next:\n\n${next.join('')}`);
  },
});

/** The example to begin with, and the preset that its recipe extends; null: the one that it has. */
function startOf(given: string): { readonly example: Example; readonly preset: string | null } {
  const subject = EXAMPLES.find(({ task }) => task === given);
  if (subject !== undefined) return { example: subject, preset: null };
  const preset = presetNamed(given) ?? presetNames().find((name) => name.startsWith(`${given}/`));
  const example = EXAMPLES.find(({ purposes }) => purposes.some((purpose) => preset?.startsWith(`${purpose}/`)));
  if (preset === undefined || example === undefined) {
    const names = [...SUBJECTS, ...presetNames(), ...presetNames().flatMap(presetAliases)];
    throw new UsageError(`there is no preset called ${given}`, didYouMean(given, names) ?? 'assay presets lists them');
  }
  // An example without a recipe file has its preset in its commands.
  const isOwn = example.starter.preset === preset || !example.starter.copy.includes('starter.yaml');
  return { example, preset: isOwn ? null : preset };
}

/** A recipe that begins as a preset, which it may then change. */
function recipeOf(preset: string): string {
  return `# ${presetAbout(preset)}.
# What is not set here is as in the preset: assay presets ${preset} prints it,
# assay schema recipe lists every setting.
extends: ${preset}
`;
}

/** From within the folder, where the store and the runs are begun where one is. */
function nextSteps({ within = false, commands }: Example['starter'], from: string): string[] {
  if (!within) return commands.map((call) => `${programName()} ${commandIn(from, call)}`);
  const program = programName(process.argv[1], resolve(from));
  return [...(from === '.' ? [] : [`cd ${shellWord(from)}`]), ...commands.map((call) => `${program} ${call}`)];
}
