import { UsageError } from '../data/problems.ts';

/** Flags that are short for a line of the recipe's `data` section. */
export interface DataFlags {
  readonly format?: string;
  readonly offsets?: string;
  readonly columns?: string;
  readonly system?: string;
}

/** The lines of `--set` that they stand for. */
export function dataFlags(flags: DataFlags): string[] {
  const set: string[] = [];
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
