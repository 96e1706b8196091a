import { UsageError } from '../../data/problems.ts';
import { sortedJson } from '../../data/sorted-json.ts';
import { shorten, visible } from '../../data/visible.ts';
import type { PromptSummary } from '../../experiment/backend.ts';
import { defined } from '../../experiment/defined.ts';
import type { PromptInit, PromptRecord } from '../../store/records.ts';
import { compareText } from '../../text/compare.ts';
import { promptAnswer, summaryAnswer } from './answers.ts';
import { Unavailable, type CallOptions } from './calls.ts';
import { type Connection, isPathPart } from './connection.ts';
import { refuseTexts } from './item-request.ts';
import { allPages } from './pages.ts';

/** Langfuse puts it on the newest version by itself, and refuses it from others. */
const RESERVED_LABEL = 'latest';
const DEFAULT_LABEL = 'production';
const ATTEMPTS_TO_SAVE = 3;

export async function listPrompts(connection: Connection): Promise<PromptSummary[]> {
  const { prompts } = connection.api;
  const all = await allPages(connection, 'list prompts', summaryAnswer, (...page) => prompts.list(...page), 'make');
  return (all ?? []).sort((a, b) => compareText(a.name, b.name));
}

/** Straight from the server, without the SDK's cache: a label that was just moved is seen. */
export async function getPrompt(
  { api, calls }: Connection,
  name: string,
  { label, version }: { readonly label?: string; readonly version?: number } = {},
): Promise<PromptRecord | null> {
  if (!isPathPart(name)) return null;
  const which = version === undefined ? { label: label ?? DEFAULT_LABEL } : { version };
  return calls.find(`read the prompt ${shown(name)}`, promptAnswer, (options) => api.prompts.get(name, which, options));
}

/**
 * A new version. Saving has no id by which Langfuse could tell that it is asked again, so where an answer is lost it is
 * looked up whether the version was made.
 */
export async function savePrompt(connection: Connection, prompt: PromptInit): Promise<PromptRecord> {
  const { name } = prompt;
  if (!isPathPart(name)) throw new UsageError(`${shown(name)} cannot be the name of a prompt in Langfuse`);
  refuseTexts(`the prompt ${shown(name)}`, { ...prompt });
  const before = (await newest(connection, name))?.version ?? 0;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await connection.calls.make(`save the prompt ${shown(name)}`, promptAnswer, create(connection, prompt), {
        attempts: 1,
      });
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      const made = await newest(connection, name);
      if (made !== null && made.version > before && samePrompt(made, prompt)) return made;
      if (attempt >= ATTEMPTS_TO_SAVE) throw error;
    }
  }
}

export async function labelPrompt(
  { api, calls }: Connection,
  name: string,
  version: number,
  labels: readonly string[],
): Promise<PromptRecord> {
  if (!isPathPart(name)) throw new UsageError(`${shown(name)} cannot be the name of a prompt in Langfuse`);
  return calls.make(`label version ${version} of the prompt ${shown(name)}`, promptAnswer, (options) =>
    api.promptVersion.update(name, version, { newLabels: withoutReserved(labels) }, options),
  );
}

function create({ api }: Connection, prompt: PromptInit) {
  const { name, config, commitMessage } = prompt;
  const shared = {
    name,
    labels: withoutReserved(prompt.labels ?? []),
    ...defined({ config, tags: prompt.tags?.slice(), commitMessage: commitMessage ?? undefined }),
  };
  return (options: CallOptions) =>
    prompt.type === 'text'
      ? api.prompts.create({ ...shared, type: 'text', prompt: prompt.prompt }, options)
      : api.prompts.create({ ...shared, type: 'chat', prompt: prompt.prompt.map((one) => ({ ...one })) }, options);
}

async function newest(connection: Connection, name: string): Promise<PromptRecord | null> {
  return getPrompt(connection, name, { label: RESERVED_LABEL });
}

function samePrompt(made: PromptRecord, wanted: PromptInit): boolean {
  const content = ({ type, prompt, config }: PromptRecord | PromptInit) =>
    sortedJson({ type, prompt, config: config ?? {} });
  return content(made) === content(wanted);
}

function withoutReserved(labels: readonly string[]): string[] {
  return labels.filter((label) => label !== RESERVED_LABEL);
}

function shown(name: string): string {
  return visible(shorten(name));
}
