import { Command } from 'commander';

/** Exit codes of every command. */
export const EXIT = { done: 0, gateFailed: 1, usage: 2, inconclusive: 3, bug: 70 } as const;

/** `end` is given the exit code; of the parts, those are loaded that `argv` names, or all of them if it is null. */
export type MakeCommand = (end: (code: number) => void, argv: readonly string[] | null) => Command | Promise<Command>;

/** A line for the help, and the command itself, which is loaded only when the call names it. */
export type GroupEntry = readonly [about: string, load: () => Promise<MakeCommand>];

/** A command that only has commands, in the order of the help. */
export function group(name: string, help: string, entries: Readonly<Record<string, GroupEntry>>) {
  return async (end: (code: number) => void, argv: readonly string[] | null): Promise<Command> => {
    const made = new Command(name).addHelpText('after', help);
    for (const [entry, [about, load]] of Object.entries(entries)) {
      const part = argv === null || argv.includes(entry) ? await (await load())(end, argv) : new Command(entry);
      // Our own suggestions know more: suggestions.ts.
      made.addCommand(part.description(about).showSuggestionAfterError(false).exitOverride());
    }
    return made;
  };
}
