import { definitionList, didYouMean, safeJson, terminalStyle, UsageError, wrapWords } from '../plugin.ts';
import {
  listPresets,
  planRecipe,
  presetAliases,
  type PresetFacts,
  presetFacts,
  presetNamed,
  presetNames,
  presetSource,
} from '../pipeline.ts';
import { command } from './command.ts';
import * as flag from './flags.ts';

export default command({
  name: 'presets',
  arguments: { name: flag.optionalArgument('preset whose recipe to print, as YAML that a recipe file can hold') },
  flags: { json: flag.JSON_ALONE },
  help: `
Examples:
  $ assay presets                             all of them, by purpose
  $ assay presets spans/strict                what it expects, and its recipe
  $ assay presets triples/fuzzy > recipe.yaml a recipe to change
  $ assay presets --json`,
  async run({ name }, { print, style }) {
    if (name === undefined) {
      const groups = await listPresets();
      print(`${groups.map(({ title, presets }) => groupText(title, presets, style.width)).join('\n')}\n${NEXT}\n`);
      return { json: () => safeJson(groups.flatMap(({ presets }) => presets)) };
    }
    if (presetNamed(name) === null) throw unknownPreset(name);
    const facts = await presetFacts(name);
    const recipe = presetSource(await planRecipe(name));
    const { wholeRecipeYaml } = await import('../report.ts');
    print(`${commentOf(facts)}${wholeRecipeYaml(recipe)}`);
    return { json: () => safeJson({ ...facts, recipe }) };
  },
});

const NEXT = 'assay presets NAME prints its recipe, assay init NAME makes a folder with it.';

/** Name and description of each; what they expect is printed once if it is the same. */
function groupText(title: string, presets: readonly PresetFacts[], width: number): string {
  const rows = presets.map(({ name, about, aliases }): [string, string] => [
    name,
    aliases.length === 0 ? about : `${about} (${aliases.join(', ')})`,
  ]);
  const expected = Map.groupBy(presets, ({ expects }) => expects);
  const expects = [...expected].flatMap(([text, own]) => {
    const of = expected.size === 1 ? '' : ` of ${own.map(({ name }) => name).join(', ')}`;
    return wrapWords(`Files${of}: ${text}`, width - 2).map((line) => `  ${line}`);
  });
  return `${title}\n${[...definitionList(rows, width), ...expects].join('\n')}\n`;
}

/** What is known of a preset, as a comment above its recipe. */
function commentOf({ name, about, aliases, expects, call }: PresetFacts): string {
  const { width } = terminalStyle(process.stdout);
  return [
    `${name}: ${about}`,
    ...(aliases.length === 0 ? [] : [`Also called ${aliases.join(', ')}`]),
    `Files: ${expects}`,
    call,
  ]
    .flatMap((line) => wrapWords(line, width - 2))
    .map((line) => `# ${line}\n`)
    .join('');
}

function unknownPreset(name: string): UsageError {
  const names = [...presetNames(), ...presetNames().flatMap(presetAliases)];
  return new UsageError(`there is no preset called ${name}`, didYouMean(name, names) ?? 'assay presets lists them');
}
