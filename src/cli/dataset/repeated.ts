import { Option } from 'commander';

/** A flag that may be given again, for a list. */
export function repeated(flags: string, about: string): Option {
  return new Option(flags, about).argParser((value, all: readonly string[] | undefined) => [...(all ?? []), value]);
}
