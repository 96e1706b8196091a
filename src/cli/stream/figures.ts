import { safeJson } from '../../plugin.ts';
import { drawFigures, figuresDocument } from '../../stream.ts';
import { command } from '../command.ts';
import * as flag from '../flags.ts';
import { chosenVariants, VARIANTS } from './stream-flags.ts';

export default command({
  name: 'figures',
  arguments: { measured: flag.argument('folder written by assay stream measure --out') },
  flags: {
    out: flag.required(
      flag.string('<folder>', 'folder to write coverage.svg, faithfulness.svg and timeline-<case>.svg to'),
    ),
    traces: flag.string('<folder>', 'traces, for timelines'),
    runs: flag.string('<folder>', 'run logs, a folder for each variant, for timelines'),
    case: flag.strings('<id...>', 'cases whose timeline is drawn (default: the first)'),
    variants: VARIANTS,
    force: flag.toggle('draw variants side by side even if they were measured differently'),
    json: flag.JSON,
    quiet: flag.QUIET,
  },
  help: `
Figures are readable 80 mm wide, in grey and without colour vision: variants
differ in shape and dashes too. Bars are the intervals of stream measure. Of
unsupported fractions, lower is better. No clinical outcome is claimed.

Examples:
  $ assay stream figures measures --out figures
  $ assay stream figures measures --out figures --variants V0,V2
  $ assay stream figures measures --out figures \\
      --traces traces --runs runs --case case-1 case-2`,
  async run({ measured, variants, case: cases, ...flags }) {
    const drawn = await drawFigures(measured, {
      ...flags,
      variants: chosenVariants(variants),
      ...(cases.length === 0 ? {} : { cases }),
    });
    return { document: () => figuresDocument(drawn), json: () => safeJson(drawn) };
  },
});
