import { Command } from 'commander';

import { UsageError } from '../../data/problems.ts';
import { sortedJson } from '../../data/sorted-json.ts';
import { checkLabels, checkName } from '../../experiment/datasets/names.ts';
import { safeText } from '../../report/safe-text.ts';
import type { PromptBody, PromptRecord } from '../../store/records.ts';
import { type PlaceFlags, placeOptions, withBackend } from '../backend-of.ts';
import { objectFlag } from '../dataset/json-input.ts';
import { repeated } from '../dataset/repeated.ts';
import { promptBody } from './body.ts';

interface CreateFlags extends PlaceFlags {
  readonly label?: readonly string[];
  readonly tag?: readonly string[];
  readonly chat?: boolean;
  readonly config?: string;
  readonly message?: string;
  readonly force?: boolean;
}

export function createCommand(): Command {
  return placeOptions(
    new Command('create')
      .description('a new version of a prompt, from a file')
      .argument('<name>', 'of the prompt')
      .argument('<file>', 'its text, or with --chat a list of messages; - is standard input')
      .addOption(repeated('--label <label>', 'label for this version, removed from others (repeatable)'))
      .addOption(repeated('--tag <tag>', 'tag of the prompt and all its versions (repeatable; default: unchanged)'))
      .option('--chat', 'the file is a list of {role, content} in YAML or JSON')
      .option('--config <json>', 'an object that goes with it (default: that of the version before)')
      .option('--message <text>', 'why this version')
      .option('--force', 'a new version although nothing has changed'),
  )
    .addHelpText('after', HELP)
    .action(create);
}

const HELP = `
The newest version is labelled latest by itself. Whoever asks for a prompt
without a label gets the one labelled production.

Examples:
  $ assay prompt create graph-extraction prompt.txt --label production
  $ assay prompt create graph-chat chat.yaml --chat --label staging \\
      --config '{"temperature":0}' --message "asks for inverse relationships"`;

async function create(name: string, file: string, flags: CreateFlags): Promise<void> {
  checkName('prompt', name);
  const labels = [...new Set(flags.label ?? [])];
  if (flags.tag?.some((tag) => tag.trim() === '') === true) throw new UsageError('a tag is empty', 'give --tag a word');
  checkLabels(labels);
  const given = flags.config === undefined ? undefined : objectFlag('--config', flags.config);
  const body = await promptBody(file, flags.chat === true);
  await withBackend(flags, async (backend) => {
    const newest = await backend.prompt(name, { label: 'latest' });
    if (newest !== null && newest.type !== body.type)
      throw new UsageError(
        `the prompt ${name} is of type ${newest.type}, and so are all its versions`,
        newest.type === 'chat' ? 'add --chat, or choose another name' : 'leave --chat out, or choose another name',
      );
    const config = given ?? newest?.config ?? {};
    const tags = flags.tag === undefined ? undefined : [...new Set(flags.tag)];
    const sameTags = tags === undefined || sortedJson(tags.toSorted()) === sortedJson(newest?.tags.toSorted() ?? []);
    if (newest !== null && flags.force !== true && sameTags && isSame(newest, body, config)) {
      const missing = labels.filter((label) => !newest.labels.includes(label));
      const labelled = missing.length > 0 ? await backend.labelPrompt(name, newest.version, missing) : newest;
      const what = body.type === 'text' ? 'text' : 'list of messages';
      say(`Version ${newest.version} already has this ${what}; no new one was made (--force makes one).`);
      if (missing.length > 0) say(`Version ${newest.version} is now labelled ${labelled.labels.join(', ')}.`);
      return;
    }
    const made = await backend.savePrompt({
      ...body,
      name,
      config,
      labels,
      ...(tags === undefined ? {} : { tags }),
      ...(flags.message === undefined ? {} : { commitMessage: flags.message }),
    });
    const tagged = made.tags.length === 0 ? '' : `, tagged ${made.tags.join(', ')}`;
    say(
      `Version ${made.version} of the prompt ${name} in ${backend.place}, labelled ${made.labels.join(', ')}${tagged}.`,
    );
    if (given === undefined && newest !== null && sortedJson(config) !== '{}')
      say(`Its config is that of version ${newest.version}; --config changes it.`);
    if (newest === null && !labels.includes('production'))
      say('No version is labelled production yet: ask for it with a label, or assay prompt label.');
  });
}

function isSame(newest: PromptRecord, body: PromptBody, config: unknown): boolean {
  const content = (prompt: unknown, settings: unknown): string => sortedJson([prompt, settings ?? {}]);
  return content(newest.prompt, newest.config) === content(body.prompt, config);
}

function say(text: string): void {
  process.stdout.write(`${safeText(text)}\n`);
}
