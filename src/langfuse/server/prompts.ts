import type { z } from 'zod';

import { visible } from '../../data/visible.ts';
import type { PromptBody, PromptInit, PromptRecord } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import {
  createPrompt,
  deletePrompt,
  getPrompt,
  listPrompts,
  type prompt,
  updatePromptVersion,
} from '../shapes/prompts.ts';
import { isClimbingName } from './climbing-path.ts';
import { pageMeta } from './pages.ts';
import { notFound, Refusal } from './refusal.ts';
import type { Serve } from './route.ts';

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
    return { data, meta: pageMeta({ page, limit }, total) };
  });
  serve(createPrompt, ({ body }) => {
    if (isClimbingName(body.name)) throw new Refusal(400, 'name: this one could not be asked for in a path');
    return promptAnswer(store.prompts.create(initOf(body)));
  });
  serve(getPrompt, ({ part, query: { label, version } }) => {
    const found = store.prompts.get(part('name'), { label, version });
    if (found === null) throw notFound(promptName(part('name'), version, label ?? 'production'));
    return promptAnswer(found);
  });
  serve(deletePrompt, ({ part, query: { label, version } }) => {
    if (store.prompts.delete(part('name'), { label, version }) === 0) {
      throw notFound(promptName(part('name'), version, label));
    }
    return undefined;
  });
  serve(updatePromptVersion, ({ part, body }) => {
    const version = /^[1-9]\d{0,8}$/.test(part('version')) ? Number(part('version')) : null;
    if (version === null) throw new Refusal(400, 'version: expected a whole number from 1');
    const changed = store.prompts.setLabels(part('name'), version, body.newLabels);
    if (changed === null) throw notFound(promptName(part('name'), version, undefined));
    return promptAnswer(changed);
  });
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

function promptAnswer(record: PromptRecord): PromptAnswer {
  const { type: _type, prompt: _prompt, ...fields } = record;
  const base = { ...fields, labels: [...record.labels], tags: [...record.tags], resolutionGraph: null };
  if (record.type === 'text') return { ...base, type: 'text', prompt: record.prompt };
  return {
    ...base,
    type: 'chat',
    prompt: record.prompt.map((message) => ('role' in message ? { type: 'chatmessage', ...message } : message)),
  };
}
