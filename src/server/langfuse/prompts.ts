import type { z } from 'zod';

import { visible } from '../../data/visible.ts';
import { composePrompt, dependentsOf } from '../../store/prompt-composition.ts';
import { DEFAULT_LABEL } from '../../store/prompts.ts';
import type { PromptBody, PromptInit, StoredPrompt } from '../../store/records.ts';
import { StoreConflict } from '../../store/store-conflict.ts';
import type { Store } from '../../store/store.ts';
import {
  createPrompt,
  deletePrompt,
  getPrompt,
  listPrompts,
  type prompt,
  updatePromptVersion,
} from '../../langfuse/shapes/prompts.ts';
import { isClimbingName } from '../climbing-path.ts';
import { pageMeta } from './pages.ts';
import { PROJECT_ID } from './project.ts';
import { notFound, Refusal } from '../refusal.ts';
import type { Serve } from './route.ts';

const DEPENDENTS_SHOWN = 5;
/** What Langfuse takes for a variable: `{{name}}`. */
const VARIABLE = /\{\{(\p{L}[\p{L}\p{N}_]*)\}\}/gu;

type Created = z.output<typeof createPrompt.request>;
type PromptAnswer = z.input<typeof prompt>;

export function servePrompts(serve: Serve, store: Store): void {
  serve(listPrompts, ({ query }) => {
    const { page, limit, ...filter } = query;
    const { rows, total } = store.prompts.list(filter, { page, limit });
    const data = rows.map((one) => ({
      ...one,
      versions: [...one.versions],
      labels: [...one.labels],
      tags: [...one.tags],
    }));
    const meta = pageMeta({ page, limit }, total);
    // Langfuse has it twice, since clients of its first days read the second.
    return { data, meta, pagination: meta };
  });
  serve(createPrompt, ({ body }) => {
    if (isClimbingName(body.name)) throw new Refusal(400, 'name: this one could not be asked for in a path');
    return createdAnswer(createChecked(store, body));
  });
  serve(getPrompt, ({ part, query: { label, version, resolve = true } }) => {
    const found = store.prompts.get(part('name'), { label, version });
    if (found === null) throw notFound(promptName(part('name'), version, label ?? DEFAULT_LABEL));
    const { prompt, graph } = resolve ? composePrompt(store.prompts, found) : { prompt: found, graph: null };
    return {
      ...promptAnswer(prompt),
      isActive: prompt.labels.includes(DEFAULT_LABEL),
      resolutionGraph: graph === null ? null : { ...graph },
    };
  });
  serve(deletePrompt, ({ part, query: { label, version } }) => {
    const name = part('name');
    const dependents = dependentsOf(store.prompts, name, { label, version });
    if (dependents.length > 0) {
      const shown = dependents.slice(0, DEPENDENTS_SHOWN).map((one) => `${visible(one.name)}, version ${one.version}`);
      throw new Refusal(400, `Other prompts refer to what is to be deleted; delete them first: ${shown.join('; ')}`);
    }
    if (store.prompts.delete(name, { label, version }) === 0) throw notFound(promptName(name, version, label));
    return undefined;
  });
  serve(updatePromptVersion, ({ part, body }) => {
    const version = /^[1-9]\d{0,8}$/.test(part('version')) ? Number(part('version')) : null;
    if (version === null) throw new Refusal(400, 'version: expected a whole number from 1');
    const changed = store.prompts.setLabels(part('name'), version, body.newLabels);
    if (changed === null) throw notFound(promptName(part('name'), version, undefined));
    return createdAnswer(changed);
  });
}

/** All of it is looked at before anything is kept: prompts within it have to be here. */
function createChecked(store: Store, body: Created): StoredPrompt {
  const twice = namesTwice(bodyOf(body));
  if (twice.length > 0) {
    throw new Refusal(400, `prompt: variables and placeholders need different names: ${twice.join(', ')}`);
  }
  try {
    return store.transaction(() => {
      const made = store.prompts.create(initOf(body));
      composePrompt(store.prompts, made);
      return made;
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

function initOf(created: Created): PromptInit {
  return {
    ...bodyOf(created),
    name: created.name,
    ...(created.config === undefined ? {} : { config: created.config }),
    ...(created.labels === undefined ? {} : { labels: created.labels }),
    ...(created.tags === undefined ? {} : { tags: created.tags }),
    ...(created.commitMessage === undefined ? {} : { commitMessage: created.commitMessage }),
  };
}

function bodyOf(created: Created): PromptBody {
  if (created.type === 'text') return { type: 'text', prompt: created.prompt };
  return {
    type: 'chat',
    prompt: created.prompt.map((message) =>
      'role' in message
        ? { role: message.role, content: message.content }
        : { type: 'placeholder', name: message.name },
    ),
  };
}

/** What was just written is answered as it is kept, whatever is within it. */
function createdAnswer(record: StoredPrompt): PromptAnswer {
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
