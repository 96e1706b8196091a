import type { Command, CommanderError } from 'commander';
import { closestNames } from '../plugin.ts';

/** Lines below the refusal of a call: the flag or command that may have been meant, and where examples are. */
export function callHint(error: CommanderError, program: Command, argv: readonly string[]): string {
  const { command, path } = reached(program, argv);
  const help = command === program ? 'assay --help, or assay COMMAND --help' : [...path, '--help'].join(' ');
  return `${likelyIntention(error, command, path, argv)}See ${help} for examples.\n`;
}

function likelyIntention(
  error: CommanderError,
  command: Command,
  path: readonly string[],
  argv: readonly string[],
): string {
  if (error.code === 'commander.missingMandatoryOptionValue') return missingFlagHint(error.message, command, argv);
  if (error.code === 'commander.unknownOption') {
    const [, flag] = /unknown option '--([^'=]+)/.exec(error.message) ?? [];
    const [near] = closestNames(flag ?? '', flagsOf(command));
    return near === undefined ? '' : `(Did you mean --${near}?)\n`;
  }
  if (error.code === 'commander.unknownCommand') {
    const [, name] = /unknown command '([^']+)'/.exec(error.message) ?? [];
    const [near] = closestNames(name ?? '', namesWithin(command));
    return near === undefined ? '' : `(Did you mean ${[...path, near].join(' ')}?)\n`;
  }
  return '';
}

/** The command that the words lead to. */
function reached(program: Command, argv: readonly string[]): { command: Command; path: readonly string[] } {
  let command = program;
  const path = [program.name()];
  for (const word of argv) {
    const next = command.commands.find((one) => one.name() === word);
    if (next === undefined) continue;
    command = next;
    path.push(word);
  }
  return { command, path };
}

function flagsOf(command: Command): string[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long }) => (typeof long === 'string' ? [long.replace(/^--/, '')] : []));
}

function namesWithin(command: Command): string[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((one) => one.name());
}

/** A misspelt required flag is both missing and unknown, and Commander reports only the first. */
function missingFlagHint(message: string, command: Command, argv: readonly string[]): string {
  const missing = /--([a-z-]+)/.exec(message)?.[1];
  if (missing === undefined) return '';
  const given = argv.filter((word) => word.startsWith('--')).map((word) => word.slice(2).split('=')[0]!);
  const [near] = closestNames(missing, given);
  if (near !== undefined) return `(You wrote --${near}. Did you mean --${missing}?)\n`;
  const { envVar } = command.options.find(({ long }) => long === `--${missing}`) ?? {};
  return envVar === undefined ? '' : `(It can also come from the variable ${envVar}.)\n`;
}
