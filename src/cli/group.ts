import { Command } from 'commander';

/** Exit codes of every command. */
export const EXIT = { done: 0, gateFailed: 1, usage: 2, inconclusive: 3, bug: 70 } as const;

/** `end` is given the exit code; of the parts, those are loaded that `argv` names, or all of them if it is null. */
export type MakeCommand = (end: (code: number) => void, argv: readonly string[] | null) => Command | Promise<Command>;

/** The module of a command, or of several by their names. */
interface CommandModule {
  readonly default: MakeCommand | Readonly<Record<string, MakeCommand>>;
}

/** A line for the help, and the command itself, which is loaded only when the call names it. */
export type GroupEntry = readonly [about: string, load: () => Promise<MakeCommand | CommandModule>];

/** A command that only has commands, in the order of the help. */
export function commandGroup(name: string, help: string, entries: Readonly<Record<string, GroupEntry>>) {
  return async (end: (code: number) => void, argv: readonly string[] | null): Promise<Command> => {
    const made = new Command(name).addHelpText('after', help);
    for (const [entry, [about, load]] of Object.entries(entries)) {
      const part =
        argv === null || argv.includes(entry) ? await commandOf(await load(), entry)(end, argv) : new Command(entry);
      // Our own suggestions know more: suggestions.ts.
      made.addCommand(part.description(about).showSuggestionAfterError(false).exitOverride());
    }
    return made;
  };
}

function commandOf(loaded: MakeCommand | CommandModule, name: string): MakeCommand {
  if (typeof loaded === 'function') return loaded;
  return typeof loaded.default === 'function' ? loaded.default : loaded.default[name]!;
}
