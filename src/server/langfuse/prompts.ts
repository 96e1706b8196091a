import type { z } from 'zod';

import { visible } from '../../data/visible.ts';
import { defined } from '../../experiment/defined.ts';
import { promptsApi, type promptShape } from '../../langfuse/shapes/prompts.ts';
import { composePrompt, dependentsOf } from '../../store/prompt-composition.ts';
import { DEFAULT_LABEL } from '../../store/prompts.ts';
import type { PromptBody, StoredPrompt } from '../../store/records.ts';
import { StoreConflict } from '../../store/store-conflict.ts';
import type { Store } from '../../store/store.ts';
import { checkPathName } from '../guard.ts';
import { existing, Refusal } from '../refusal.ts';
import { type ApiRoute, apiRoute, PROJECT_ID } from './api-route.ts';
import { pageAnswer } from './pages.ts';

const DEPENDENTS_SHOWN = 5;
/** What Langfuse takes for a variable: `{{name}}`. */
const VARIABLE = /\{\{(\p{L}[\p{L}\p{N}_]*)\}\}/gu;

type CreateBody = z.output<typeof promptsApi.createPrompt.request>;
type PromptAnswer = z.input<typeof promptShape>;

export function promptRoutes(store: Store): ApiRoute[] {
  return [
    apiRoute(promptsApi.listPrompts, ({ query: { page, limit, ...filter } }) => {
      const answer = pageAnswer({ page, limit }, store.prompts.list(filter, { page, limit }), (prompt) => ({
        ...prompt,
        versions: [...prompt.versions],
        labels: [...prompt.labels],
        tags: [...prompt.tags],
      }));
      // Langfuse has it twice, since clients of its first days read the second.
      return { ...answer, pagination: answer.meta };
    }),
    apiRoute(promptsApi.createPrompt, ({ body }) => {
      checkPathName('name', body.name);
      return savedAnswer(createChecked(store, body));
    }),
    apiRoute(promptsApi.getPrompt, ({ part, query: { label, version, resolve = true } }) => {
      const name = part('name');
      const found = existing(
        store.prompts.get(name, { label, version }),
        promptName(name, version, label ?? DEFAULT_LABEL),
      );
      const { prompt, graph } = resolve ? composePrompt(store.prompts, found) : { prompt: found, graph: null };
      return {
        ...promptAnswer(prompt),
        isActive: prompt.labels.includes(DEFAULT_LABEL),
        resolutionGraph: graph === null ? null : { ...graph },
      };
    }),
    apiRoute(promptsApi.deletePrompt, ({ part, query: { label, version } }) => {
      const name = part('name');
      const dependents = dependentsOf(store.prompts, name, { label, version });
      if (dependents.length > 0) {
        const shown = dependents
          .slice(0, DEPENDENTS_SHOWN)
          .map((one) => `${visible(one.name)}, version ${one.version}`);
        throw new Refusal(400, `Other prompts refer to what is to be deleted; delete them first: ${shown.join('; ')}`);
      }
      existing(store.prompts.delete(name, { label, version }) || null, promptName(name, version, label));
      return undefined;
    }),
    apiRoute(promptsApi.updatePromptVersion, ({ part, body }) => {
      const name = part('name');
      const version = /^[1-9]\d{0,8}$/.test(part('version')) ? Number(part('version')) : null;
      if (version === null) throw new Refusal(400, 'version: expected a whole number from 1');
      const changed = store.prompts.setLabels(name, version, body.newLabels);
      return savedAnswer(existing(changed, promptName(name, version, undefined)));
    }),
  ];
}

/** All of it is checked before anything is kept: prompts within it have to be here. */
function createChecked(store: Store, body: CreateBody): StoredPrompt {
  const { name, config, labels, tags, commitMessage, ...prompt } = body;
  const twice = namesTwice(prompt);
  if (twice.length > 0)
    throw new Refusal(400, `prompt: variables and placeholders need different names: ${twice.join(', ')}`);
  try {
    return store.transaction(() => {
      const created = store.prompts.create({ ...prompt, name, ...defined({ config, labels, tags, commitMessage }) });
      composePrompt(store.prompts, created);
      return created;
    });
  } catch (error) {
    // Langfuse has no conflicts here: another type than before, or a prompt within it that is not here, is a bad request.
    throw error instanceof StoreConflict ? new Refusal(400, error.message) : error;
  }
}

function namesTwice(body: PromptBody): string[] {
  if (body.type === 'text') return [];
  const variables = body.prompt.flatMap((one) => ('content' in one ? [...one.content.matchAll(VARIABLE)] : []));
  const placeholders = new Set(body.prompt.flatMap((one) => ('content' in one ? [] : [one.name])));
  return [...new Set(variables.map(([, name = '']) => name))].filter((name) => placeholders.has(name));
}

function promptName(name: string, version: number | undefined, label: string | undefined): string {
  if (version !== undefined) return `Version ${version} of the prompt ${visible(name)}`;
  return `The prompt ${visible(name)}${label === undefined ? '' : ` with the label ${visible(label)}`}`;
}

/** What was just written is answered as it is kept, whatever is within it. */
function savedAnswer(record: StoredPrompt): PromptAnswer {
  return { ...promptAnswer(record), isActive: null };
}

function promptAnswer(record: StoredPrompt): PromptAnswer {
  const { type: _type, prompt: _prompt, ...fields } = record;
  const base = {
    ...fields,
    projectId: PROJECT_ID,
    createdBy: 'API',
    labels: [...record.labels],
    tags: [...record.tags],
  };
  if (record.type === 'text') return { ...base, type: 'text', prompt: record.prompt };
  return {
    ...base,
    type: 'chat',
    prompt: record.prompt.map((message) => ('role' in message ? { type: 'chatmessage', ...message } : message)),
  };
}
