import { UsageError } from '../plugin.ts';
import * as flag from './flags.ts';

/** Flags that are short for lines of the recipe's `data` section, and `--set` for any line. */
export const DATA_FLAGS = {
  set: flag.strings('<path=value>', 'setting of the recipe to change'),
  format: flag.string('<name>', 'format of the files (default: detected); assay schema lists them'),
  offsets: flag.choice(['codepoint', 'utf16', 'byte'], '<unit>', 'unit of span offsets'),
  columns: flag.string('<map>', 'CSV columns, for example id=document,start=from,end=to,label=category'),
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
  if (flags.offsets !== undefined) set.push(`data.offsets=${flags.offsets}`);
  if (flags.system !== undefined) set.push(`data.system=${JSON.stringify(flags.system)}`);
  for (const pair of flags.columns?.split(',') ?? []) {
    const at = pair.indexOf('=');
    if (at <= 0)
      throw new UsageError(
        `--columns ${pair}: expected part=column`,
        'for example --columns id=document,start=from,end=to,label=category',
      );
    set.push(`data.columns.${pair.slice(0, at).trim()}=${JSON.stringify(pair.slice(at + 1).trim())}`);
  }
  return set;
}
