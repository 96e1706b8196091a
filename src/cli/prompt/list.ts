import { count, type Document, filledTable, safeJson } from '../../plugin.ts';
import type { PromptSummary } from '../../experiment.ts';
import { hasLocalStore, isLangfuse, localFolder, PLACE_FLAGS, withBackend } from '../backend-of.ts';
import { command } from '../command.ts';
import * as flag from '../flags.ts';

export const listCommand = command({
  name: 'list',
  flags: { json: flag.JSON_ALONE, ...PLACE_FLAGS },
  help: `
Examples:
  $ assay prompt list
  $ assay prompt list --json | jq -r '.[].name'`,
  async run(flags) {
    const isLocal = !isLangfuse(flags);
    const prompts = isLocal && !hasLocalStore(flags) ? [] : await withBackend(flags, (backend) => backend.prompts());
    const place = isLocal ? localFolder(flags) : 'this project of Langfuse';
    return { json: () => safeJson(prompts), document: () => promptList(prompts, place) };
  },
});

function promptList(prompts: readonly PromptSummary[], place: string): Document {
  if (prompts.length === 0)
    return {
      title: `There is no prompt in ${place} yet.`,
      sections: [{ blocks: [{ text: 'Start with: assay prompt create NAME FILE', whole: true }] }],
    };
  const table = filledTable<PromptSummary>(
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
