import { entryAt, safeJson, UsageError } from '../plugin.ts';
import type { Repeats } from '../index.ts';
import { presetNamed, repeatFiles, repeatRuns } from '../pipeline.ts';
import { repeatsDocument, ROWS_SHOWN } from '../report.ts';
import { command } from './command.ts';
import { dataSettings } from './data-flags.ts';
import * as flag from './flags.ts';
import { fileFlags } from './scored-sources.ts';

const FLAGS = {
  recipe: flag.string('<recipe>', 'preset or recipe file that replaces the recipe of run folders'),
  ...fileFlags('model output of one run; once for each run'),
  undecided: flag.string('<values>', 'values that mean "I do not know" (default: unknown,uncertain)'),
  strict: flag.toggle('refuse cases that failed or are missing from a run, instead of leaving them out'),
  force: flag.toggle('compare run folders even if their recipes, cases or gold differ'),
  limit: flag.integer('<n>', 'rows of each list on the terminal', { from: 1 }, ROWS_SHOWN),
  json: flag.JSON,
  out: flag.outputFile('file to write the JSON to'),
  markdown: flag.outputFile('Markdown file to write'),
  quiet: flag.QUIET,
};

type RepeatsFlags = flag.FlagValues<typeof FLAGS>;

export default command({
  name: 'repeats',
  arguments: {
    runs: flag.restArguments('preset or recipe file; or run folders, written by assay score --out, two or more'),
  },
  flags: FLAGS,
  help: `
Examples:
  $ assay repeats runs/1 runs/2 runs/3
  $ assay repeats journal/ashwam --cases journals.jsonl \\
      --predictions run1.jsonl --predictions run2.jsonl --predictions run3.jsonl
  $ assay repeats pii/piranha --gold gold.jsonl \\
      --predictions a.jsonl --predictions b.jsonl --markdown repeats.md`,
  async run({ runs, ...flags }) {
    const recipe = recipeOf(runs, flags);
    const repeats = await (runs.length > 0 && recipe === null ? fromFolders(runs, flags) : fromFiles(recipe, flags));
    return {
      document: (on) => (on === 'terminal' ? repeatsDocument(repeats, flags.limit) : repeatsDocument(repeats)),
      json: () => safeJson(repeats),
    };
  },
});

/** The recipe of files of predictions, as the other commands take it; null if folders are named. */
function recipeOf([first, second]: readonly string[], { recipe, predictions }: RepeatsFlags): string | null {
  if (first === undefined) return recipe ?? null;
  const entry = entryAt(first);
  // With files of predictions, a name of nothing is a misspelt recipe.
  const isName = entry === undefined && predictions.length > 0;
  const isRecipe = presetNamed(first) !== null || /\.ya?ml$/i.test(first) || entry?.isFile() === true || isName;
  if (!isRecipe) return null;
  if (second !== undefined)
    throw new UsageError(
      `${first} is a recipe, and ${second} comes after it`,
      'name the files with --cases, --gold and --predictions',
    );
  if (recipe !== undefined)
    throw new UsageError(`two recipes: ${first} and --recipe ${recipe}`, 'leave one of them out');
  return first;
}

const FILE_FLAGS = ['cases', 'gold', 'predictions', 'format', 'offsets', 'columns', 'system'] as const;

function fromFolders(folders: readonly string[], flags: RepeatsFlags): Promise<Repeats> {
  const strange = FILE_FLAGS.find((name) => flags[name] !== undefined && flags[name].length > 0);
  if (strange !== undefined)
    throw new UsageError(
      `--${strange} is for files of predictions, and run folders were given`,
      'give folders, or a recipe with --cases and one --predictions for each run',
    );
  if (flags.set.length > 0 && flags.recipe === undefined)
    throw new UsageError('--set changes a recipe, but run folders have been scored', 'score again with --set');
  return repeatRuns(folders, {
    ...optionsOf(flags),
    force: flags.force,
    set: flags.set,
    ...flag.defined({ recipe: flags.recipe }),
  });
}

function fromFiles(recipe: string | null, flags: RepeatsFlags): Promise<Repeats> {
  if (recipe === null)
    throw new UsageError(
      flags.predictions.length === 0 ? 'no runs were given' : 'no recipe: nothing defines how items are compared',
      'give run folders, or a recipe with --cases and one --predictions for each run',
    );
  if (flags.force)
    throw new UsageError('--force is for run folders: files are always compared by the same recipe and cases');
  const [cases, gold] = [flags.cases, flags.gold].map((files) => (files.length === 0 ? undefined : files));
  const { predictions } = flags;
  return repeatFiles(recipe, { cases, gold, predictions }, { ...optionsOf(flags), set: dataSettings(flags) });
}

function optionsOf(flags: RepeatsFlags): { strict: boolean; undecided?: readonly string[] } {
  const { strict } = flags;
  if (flags.undecided === undefined) return { strict };
  const words = flags.undecided.split(',').map((word) => word.trim());
  return { strict, undecided: words.filter((word) => word !== '') };
}
