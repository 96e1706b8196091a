import {
  type Block,
  count,
  describe,
  didYouMean,
  type Document,
  filledTable,
  safeJson,
  safeText,
  sortedJson,
  UsageError,
} from '../plugin.ts';
import * as experiment from '../experiment.ts';
import { command, type CommandResult } from './command.ts';
import * as storage from './backend-of.ts';
import * as flag from './flags.ts';

const VERSIONS = { from: 1, to: 2_147_483_647 };

/** Flags that choose a version of a prompt. */
const WHICH_FLAGS = {
  label: flag.string('<label>', 'label of the version (default: production)'),
  version: flag.integer('<number>', 'number of the version', VERSIONS),
};

interface Which {
  readonly label?: string;
  readonly version?: number;
}

function whichOf({ label, version }: Which): Which {
  if (label !== undefined && version !== undefined)
    throw new UsageError('--label and --version both choose a version', 'give one of them');
  return flag.defined({ label, version });
}

/** The version that was asked for; if it does not exist, the error lists those that do. */
async function findPrompt(backend: experiment.Backend, name: string, which: Which): Promise<experiment.PromptRecord> {
  experiment.checkName('prompt', name);
  const found = await backend.prompt(name, which);
  if (found !== null) return found;
  const all = new Map((await backend.prompts()).map((prompt) => [prompt.name, prompt]));
  const summary = all.get(name);
  if (summary === undefined)
    throw new UsageError(
      `there is no prompt ${describe(name)} in ${backend.place}`,
      didYouMean(name, all.keys()) ?? (all.size > 0 ? 'assay prompt list shows them' : storage.FIRST_PROMPT),
    );
  const versions = summary.versions.toSorted((a, b) => a - b);
  throw new UsageError(
    which.version === undefined
      ? `no version of the prompt ${name} is labelled ${which.label ?? 'production'}`
      : `the prompt ${name} has no version ${which.version}`,
    `versions: ${versions.join(', ')}; labels: ${summary.labels.join(', ')}; --label or --version chooses`,
  );
}

const createCommand = command({
  name: 'create',
  arguments: {
    name: flag.argument('name of the prompt'),
    file: flag.argument('file of its text, or with --chat of a list of messages; - is standard input'),
  },
  flags: {
    label: flag.strings('<label>', 'label for this version, removed from others'),
    tag: flag.strings('<tag>', 'tag of the prompt and all its versions (default: unchanged)'),
    chat: flag.toggle('read the file as a list of {role, content} in YAML or JSON'),
    config: flag.object('configuration, a JSON object (default: that of the previous version)'),
    message: flag.string('<text>', 'reason for this version'),
    force: flag.toggle('create a version even if nothing has changed'),
    ...storage.PLACE_FLAGS,
  },
  help: `
The newest version is labelled latest automatically. A prompt that is requested
without a label is the one labelled production.

Examples:
  $ assay prompt create graph-extraction prompt.txt --label production
  $ assay prompt create graph-chat chat.yaml --chat --label staging \\
      --config '{"temperature":0}' --message "asks for inverse relationships"`,
  async run({ name, file, tag, chat, config: configured, message: commitMessage, force, ...flags }, { say, note }) {
    experiment.checkName('prompt', name);
    const labels = [...new Set(flags.label)];
    if (tag.some((word) => word.trim() === '')) throw new UsageError('a tag is empty', 'give --tag a word');
    experiment.checkLabels(labels);
    const body = await experiment.promptFile(file, chat);
    if (body.type === 'text' && experiment.isMessageList(body.prompt))
      note(
        `Note: ${file === '-' ? 'standard input' : file} is a list of messages, and is kept as plain text. For a chat, use --chat and another name: all versions of a prompt have one type.`,
      );
    await storage.withBackend(flags, async (backend) => {
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

function isSame(newest: experiment.PromptRecord, body: experiment.PromptBody, config: unknown): boolean {
  const content = (prompt: unknown, settings: unknown): string => sortedJson([prompt, settings ?? {}]);
  return content(newest.prompt, newest.config) === content(body.prompt, config);
}

const listCommand = command({
  name: 'list',
  flags: { json: flag.JSON_ALONE, ...storage.PLACE_FLAGS },
  help: `
Examples:
  $ assay prompt list
  $ assay prompt list --json | jq -r '.[].name'`,
  run: (flags) =>
    storage.storageList(
      flags,
      ['prompt', 'assay prompt create NAME FILE'],
      () => storage.withBackend(flags, (backend) => backend.prompts()),
      promptList,
    ),
});

function promptList(prompts: readonly experiment.PromptSummary[], place: string): Document {
  const table = filledTable<experiment.PromptSummary>(
    [
      [{ title: 'Prompt', shrinks: true }, ({ name }) => ({ text: name, tone: 'strong' })],
      [{ title: 'versions', align: 'right' }, ({ versions }) => count(versions.length)],
      [
        { title: 'newest', align: 'right' },
        ({ versions }) => (versions.length === 0 ? '' : String(Math.max(...versions))),
      ],
      [{ title: 'labels', shrinks: true }, ({ labels }) => labels.join(', ')],
      prompts.some(({ tags }) => tags.length > 0)
        ? [{ title: 'tags', shrinks: true }, ({ tags }) => tags.join(', ')]
        : null,
    ],
    prompts,
  );
  return { title: `Prompts in ${place}`, sections: [{ blocks: [table] }] };
}

const showCommand = command({
  name: 'show',
  arguments: { name: flag.argument('name of the prompt') },
  flags: {
    ...WHICH_FLAGS,
    body: flag.toggle('print the prompt alone, as assay prompt create reads it'),
    json: flag.JSON_ALONE,
    ...storage.PLACE_FLAGS,
  },
  help: `
Examples:
  $ assay prompt show graph-extraction
  $ assay prompt show graph-extraction --label staging
  $ assay prompt show graph-extraction --version 2 --body > prompt.txt`,
  async run({ name, body, json, ...flags }): Promise<CommandResult> {
    const which = whichOf(flags);
    const prompt = await storage.withExisting(flags, `prompt ${name}`, storage.FIRST_PROMPT, (backend) =>
      findPrompt(backend, name, which),
    );
    if (body && !json) {
      // A file gets every byte, a terminal nothing that it would act on.
      const text = prompt.type === 'text' ? prompt.prompt : `${JSON.stringify(prompt.prompt, null, 2)}\n`;
      const shown = plainLines(text).split('\n').map(safeText).join('\n');
      process.stdout.write(process.stdout.isTTY ? `${shown}\n` : text);
      return {};
    }
    return { json: () => safeJson(prompt), document: () => promptDocument(prompt) };
  },
});

function promptDocument(prompt: experiment.PromptRecord): Document {
  const { name, version, labels, tags, config, commitMessage, createdAt } = prompt;
  const fact = (term: string, value: string | null): [string, string][] => (value === null ? [] : [[term, value]]);
  const facts = [
    ...fact('labels', labels.join(', ') || 'none'),
    ...fact('tags', tags.length === 0 ? null : tags.join(', ')),
    ...fact('config', JSON.stringify(config ?? {}) === '{}' ? null : JSON.stringify(config)),
    ...fact('message', commitMessage),
    ...fact('created', createdAt),
  ];
  const body: Block[] =
    prompt.type === 'text'
      ? [{ code: plainLines(prompt.prompt) }]
      : prompt.prompt.map((message) =>
          'content' in message
            ? { code: plainLines(message.content), lead: `${message.role}:` }
            : { text: `placeholder ${message.name}`, tone: 'quiet' },
        );
  return {
    title: `${name}, version ${version}`,
    sections: [{ blocks: [{ columns: [{ title: '' }, { title: '', wraps: true }], rows: facts }] }, { blocks: body }],
  };
}

function plainLines(text: string): string {
  return text.replace(/\r?\n$/, '').replaceAll('\r\n', '\n');
}

const labelCommand = command({
  name: 'label',
  arguments: {
    name: flag.argument('name of the prompt'),
    version: { ...flag.required(flag.integer('', 'number of the version', VERSIONS)), value: '<>' },
    labels: flag.someArguments('labels, such as production or staging'),
  },
  flags: storage.PLACE_FLAGS,
  help: `
Examples:
  $ assay prompt label graph-extraction 3 production
  $ assay prompt label graph-extraction 2 production staging`,
  async run({ name, version, labels, ...flags }, { say }) {
    experiment.checkLabels(labels);
    await storage.withExisting(flags, `prompt ${name}`, storage.FIRST_PROMPT, async (backend) => {
      await findPrompt(backend, name, { version });
      const labelled = await backend.labelPrompt(name, version, [...new Set(labels)]);
      say(`Version ${version} of the prompt ${name} is now labelled ${labelled.labels.join(', ')}.`);
    });
  },
});

function copyCommand(way: 'push' | 'pull', example: string) {
  return command({
    name: way,
    arguments: { name: flag.argument('name of the prompt') },
    flags: { ...WHICH_FLAGS, data: storage.DATA_FLAG },
    help: `
Text, config, tags and labels are copied too; every place counts its own
versions. A version with the same content is not created again.

Examples:
  $ assay prompt ${way} graph-extraction
  $ assay prompt ${way} graph-extraction ${example}`,
    async run({ name, ...flags }, { say }) {
      const which = whichOf(flags);
      await storage.withBoth(way, flags, [`prompt ${name}`, storage.FIRST_PROMPT], async (from, to) => {
        await findPrompt(from, name, which);
        const copied = await experiment.copyPrompt(from, to, name, which);
        const what = `Version ${copied.from} of ${name} in ${from.place}`;
        const there = `version ${copied.version} in ${to.place}`;
        const labels = copied.labels.length === 0 ? '' : ` labelled ${copied.labels.join(', ')}`;
        say(
          copied.made
            ? `${what} became ${there},${labels === '' ? ' with no label but its own latest' : labels}.`
            : `${what} is ${there} already${labels === '' ? '' : `, now${labels}`}.`,
        );
      });
    },
  });
}

export default {
  create: createCommand,
  list: listCommand,
  show: showCommand,
  label: labelCommand,
  push: copyCommand('push', '--version 3'),
  pull: copyCommand('pull', '--label staging'),
};
