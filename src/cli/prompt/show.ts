import { type Block, type Document, safeJson, safeText } from '../../plugin.ts';
import type { PromptRecord } from '../../experiment.ts';
import { FIRST_PROMPT, PLACE_FLAGS, withExisting } from '../backend-of.ts';
import { command, type Outcome } from '../command.ts';
import * as flag from '../flags.ts';
import { findPrompt, WHICH_FLAGS, whichOf } from './find.ts';

export const showCommand = command({
  name: 'show',
  arguments: { name: flag.argument('name of the prompt') },
  flags: {
    ...WHICH_FLAGS,
    body: flag.toggle('print the prompt alone, as assay prompt create reads it'),
    json: flag.JSON_ALONE,
    ...PLACE_FLAGS,
  },
  help: `
Examples:
  $ assay prompt show graph-extraction
  $ assay prompt show graph-extraction --label staging
  $ assay prompt show graph-extraction --version 2 --body > prompt.txt`,
  async run({ name, body, json, ...flags }): Promise<Outcome> {
    const which = whichOf(flags);
    const prompt = await withExisting(flags, `prompt ${name}`, FIRST_PROMPT, (backend) =>
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

function promptDocument(prompt: PromptRecord): Document {
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
