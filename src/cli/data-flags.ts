import type { DataOptions } from '../index.ts';
import { UsageError } from '../plugin.ts';
import * as flag from './flags.ts';

/** Flags that are short for lines of the recipe's `data` section, and `--set` for any line. */
export const DATA_FLAGS = {
  set: flag.strings('<path=value>', 'setting of the recipe to change'),
  format: flag.string('<name>', 'format of the files (default: detected); assay schema lists them'),
  offsets: flag.string(
    '<unit>',
    'codepoint, utf16 or byte, with +inclusive or +one-based; by side: gold=codepoint,predicted=utf16',
  ),
  columns: flag.string('<map>', 'columns or JSON fields, for example id=doc_id,text=body,spans=ents,label=type'),
  system: flag.string('<name>', 'name in <name>_detected_pii, if documents have the output of several systems'),
};

/** The settings that the flags change: those of `--set` and those that the others are short for. */
export function dataSettings(flags: {
  readonly set: readonly string[];
  readonly format?: string;
  readonly offsets?: string;
  readonly columns?: string;
  readonly system?: string;
}): string[] {
  const set = [...flags.set];
  if (flags.format !== undefined) set.push(`data.format=${flags.format}`);
  if (flags.offsets !== undefined) set.push(...offsetSettings(flags.offsets));
  if (flags.system !== undefined) set.push(`data.system=${JSON.stringify(flags.system)}`);
  for (const pair of flags.columns?.split(',') ?? []) {
    const at = pair.indexOf('=');
    if (at <= 0)
      throw new UsageError(
        `--columns ${pair}: expected part=column`,
        'for example --columns id=document,start=from,end=to,label=category',
      );
    const [part, name] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    // A part of one side, gold.start, has a full stop in its name.
    if (part.includes('.')) set.push(`data.columns=${JSON.stringify({ [part]: name })}`);
    else set.push(`data.columns.${part}=${JSON.stringify(name)}`);
  }
  return set;
}

/** How files are read by commands that have no recipe. */
export async function dataOptions(flags: Parameters<typeof dataSettings>[0]): Promise<DataOptions> {
  const { planRecipe } = await import('../pipeline.ts');
  const { kinds: _, ...data } = (await planRecipe({ task: 'pii' }, dataSettings(flags))).data;
  return data;
}

/** `utf16+inclusive`, or `gold=codepoint,predicted=utf16`. */
function offsetSettings(given: string): string[] {
  const words = (unit: string): string => JSON.stringify(unit.trim().split(/[+ ]+/).join(' '));
  if (!given.includes('=')) return [`data.offsets=${words(given)}`];
  return given.split(',').map((pair) => {
    const [side = '', unit = ''] = pair.split('=');
    if (!['gold', 'predicted'].includes(side.trim()) || unit.trim() === '')
      throw new UsageError(
        `--offsets ${pair}: expected gold=UNIT or predicted=UNIT`,
        'for example --offsets predicted=utf16',
      );
    return `data.offsets.${side.trim()}=${words(unit)}`;
  });
}
