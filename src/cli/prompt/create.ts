import { sortedJson, UsageError } from '../../plugin.ts';
import { checkLabels, checkName, type PromptBody, promptFile, type PromptRecord } from '../../experiment.ts';
import { PLACE_FLAGS, withBackend } from '../backend-of.ts';
import { command } from '../command.ts';
import * as flag from '../flags.ts';

export const createCommand = command({
  name: 'create',
  arguments: {
    name: flag.argument('name of the prompt'),
    file: flag.argument('file of its text, or with --chat of a list of messages; - is standard input'),
  },
  flags: {
    label: flag.texts('<label>', 'label for this version, removed from others'),
    tag: flag.texts('<tag>', 'tag of the prompt and all its versions (default: unchanged)'),
    chat: flag.toggle('read the file as a list of {role, content} in YAML or JSON'),
    config: flag.object('configuration, a JSON object (default: that of the previous version)'),
    message: flag.text('<text>', 'reason for this version'),
    force: flag.toggle('create a version even if nothing has changed'),
    ...PLACE_FLAGS,
  },
  help: `
The newest version is labelled latest automatically. A prompt that is requested
without a label is the one labelled production.

Examples:
  $ assay prompt create graph-extraction prompt.txt --label production
  $ assay prompt create graph-chat chat.yaml --chat --label staging \\
      --config '{"temperature":0}' --message "asks for inverse relationships"`,
  async run({ name, file, tag, chat, config: configured, message: commitMessage, force, ...flags }, { say }) {
    checkName('prompt', name);
    const labels = [...new Set(flags.label)];
    if (tag.some((word) => word.trim() === '')) throw new UsageError('a tag is empty', 'give --tag a word');
    checkLabels(labels);
    const body = await promptFile(file, chat);
    await withBackend(flags, async (backend) => {
      const newest = await backend.prompt(name, { label: 'latest' });
      if (newest !== null && newest.type !== body.type)
        throw new UsageError(
          `the prompt ${name} is of type ${newest.type}, and so are all its versions`,
          newest.type === 'chat' ? 'add --chat, or choose another name' : 'leave --chat out, or choose another name',
        );
      const config = configured ?? newest?.config ?? {};
      const tags = tag.length === 0 ? undefined : [...new Set(tag)];
      const sameTags = tags === undefined || sortedJson(tags.toSorted()) === sortedJson(newest?.tags.toSorted() ?? []);
      if (newest !== null && !force && sameTags && isSame(newest, body, config)) {
        const missing = labels.filter((label) => !newest.labels.includes(label));
        const labelled = missing.length > 0 ? await backend.labelPrompt(name, newest.version, missing) : newest;
        const what = body.type === 'text' ? 'text' : 'list of messages';
        say(`Version ${newest.version} already has this ${what}; none was created (--force creates one).`);
        if (missing.length > 0) say(`Version ${newest.version} is now labelled ${labelled.labels.join(', ')}.`);
        return;
      }
      const made = await backend.savePrompt({
        ...body,
        name,
        config,
        labels,
        ...flag.defined({ tags, commitMessage }),
      });
      const tagged = made.tags.length === 0 ? '' : `, tagged ${made.tags.join(', ')}`;
      say(
        `Version ${made.version} of the prompt ${name} in ${backend.place}, labelled ${made.labels.join(', ')}${tagged}.`,
      );
      if (configured === undefined && newest !== null && sortedJson(config) !== '{}')
        say(`Its config is that of version ${newest.version}; --config changes it.`);
      if (newest === null && !labels.includes('production'))
        say('No version is labelled production yet: request it by a label, or use assay prompt label.');
    });
  },
});

function isSame(newest: PromptRecord, body: PromptBody, config: unknown): boolean {
  const content = (prompt: unknown, settings: unknown): string => sortedJson([prompt, settings ?? {}]);
  return content(newest.prompt, newest.config) === content(body.prompt, config);
}
