import { renderMarkdown, safeJson, suggestion, UsageError } from '../plugin.ts';
import { type Plan, readRun, type Waterfall } from '../index.ts';
import { openSystems, refuseUse, waterfallOf } from '../pipeline.ts';
import { keptWaterfall, runAgain, waterfallDocument, waterfallFigure } from '../report.ts';
import { command, type Terminal } from './command.ts';
import { dataSettings } from './data-flags.ts';
import * as flag from './flags.ts';

import {
  isRunFolder,
  planOf,
  refuseSources,
  scoredFiles,
  type SourceFlags,
  sourceFlags,
  withProgress,
} from './scored-sources.ts';
import { outFiles } from './write-whole.ts';

const WRITERS: Readonly<Record<string, (found: Waterfall, measure?: string) => string>> = {
  '.svg': waterfallFigure,
  '.json': (found) => safeJson(found),
  '.md': (found, measure) => renderMarkdown(waterfallDocument(found, { measure: measure ?? null })),
};

const HELP = `
The first row is strict matching: same label, same boundaries or text, no rule of
the recipe but those without which there is nothing to score. Each row after it
adds one rule, in the order the data flows; the last row is the score. Then each
rule alone is taken away from the whole recipe, since order matters.

Examples:
  $ assay waterfall pii/piranha --cases docs.json
  $ assay waterfall runs/first
  $ assay waterfall graph/as-coded --gold items.jsonl --predictions out.jsonl \\
      --measure overall_quality --out waterfall.svg
  $ assay waterfall journal/ashwam --cases journals.jsonl --gold gold.jsonl \\
      --predictions p.jsonl --set pair.normalise=[lower] --moves 10
  $ assay waterfall consult/ayurmind --cases cases.csv --predictions a.jsonl \\
      --reviews reviews.csv --json`;

const ALL_MOVES = 50;

/** Without a number: as many as there can be. */
const MOVES: flag.Flag<number | undefined> = {
  ...flag.integer('[n]', 'moved items to show for each step (default: 3; without a number: 50; 0: none)', {
    from: 0,
    to: ALL_MOVES,
  }),
  preset: String(ALL_MOVES),
};

export default command({
  name: 'waterfall',
  arguments: { recipe: flag.argument('preset, recipe file or run folder; assay presets lists the presets') },
  flags: {
    ...sourceFlags('model output'),
    measure: flag.string('<name>', 'measure of the recipe to follow and draw'),
    moves: MOVES,
    json: flag.JSON,
    out: flag.strings('<file>', `file to write: ${Object.keys(WRITERS).join(', ')}`),
    quiet: flag.QUIET,
  },
  help: HELP,
  async run({ recipe, measure: followed, moves, out, ...flags }, terminal) {
    const write = outFiles(out, WRITERS);
    const make = (plan: Plan, sources: SourceFlags): Promise<Waterfall> => ofSystem(plan, sources, terminal);
    let waterfall: Waterfall;
    if (isRunFolder(recipe)) {
      refuseSources(flags);
      const run = await readRun(recipe);
      const kept = await keptWaterfall(run);
      const again = kept === null ? await runAgain(run, 'waterfall') : null;
      waterfall = kept ?? (await make(again!.plan, again!.files));
    } else {
      const set = dataSettings(flags);
      const plan = await planOf(recipe, set, flags.run);
      // Before the work and not after it.
      measureOf(plan.measures, followed);
      waterfall = await make(plan, flags);
    }
    const measure = measureOf(waterfall.measures, followed);
    write(waterfall, measure ?? undefined);
    return {
      document: () => waterfallDocument(waterfall, { measure, ...flag.defined({ moves }) }),
      json: () => safeJson(waterfall),
    };
  },
});

async function ofSystem(plan: Plan, flags: SourceFlags, { progress, note }: Terminal): Promise<Waterfall> {
  refuseUse('waterfall', plan, plan.name);
  const files = await scoredFiles(plan, flags, note);
  if (files.systems.length > 1)
    throw new UsageError(
      `--predictions names ${files.systems.length} systems: a waterfall is of one system`,
      'give --predictions FILE once',
    );
  const opened = await openSystems(withProgress(files, progress), plan);
  const { reviewedPlan } = await import('../review.ts');
  const { reviewsOf } = await import('./reviews-of.ts');
  const reviewed = reviewedPlan(plan, await reviewsOf(flags, opened));
  return waterfallOf(reviewed.plan, opened.systems[0]!.read(reviewed.plan, reviewed.reviews));
}

function measureOf(measures: readonly { readonly name: string }[], followed: string | undefined): string | null {
  const names = measures.map(({ name }) => name);
  if (followed === undefined || names.includes(followed)) return followed ?? null;
  throw new UsageError(`--measure ${followed}: the recipe has no such measure`, suggestion(followed, names, 'it has'));
}
