import { visible } from '../data/visible.ts';
import type { Prompts, WhichPrompt } from './prompts.ts';
import type { PromptBody, StoredPrompt } from './records.ts';
import { StoreConflict } from './store-conflict.ts';

/** A prompt within another, in the text that stands for it. */
export interface PromptReference {
  readonly tag: string;
  readonly name: string;
  readonly which: WhichPrompt;
}

interface PromptNode {
  readonly id: string;
  readonly name: string;
  readonly version: number;
}

/** Which prompts a prompt was put together from; `dependencies` by the id of what refers to them. */
export interface PromptGraph {
  readonly root: PromptNode;
  readonly dependencies: Readonly<Record<string, readonly PromptNode[]>>;
}

export interface ComposedPrompt {
  readonly prompt: StoredPrompt;
  /** Null for a prompt that refers to none. */
  readonly graph: PromptGraph | null;
}

/** As in Langfuse: a prompt, and up to four below one another in it. */
const DEEPEST = 5;
/** A few references to a few references can make gigabytes. */
const LONGEST = 16 * 1024 * 1024;
const TAG = /@@@langfusePrompt:(.*?)@@@/gs;
const INNER = /^name=([^|=]+)\|(?:version=(\d{1,9})|label=([^|=]+))$/s;

export function referencesOf(body: PromptBody): PromptReference[] {
  const found = new Map<string, PromptReference>();
  for (const text of textsOf(body)) {
    for (const [tag, inner = ''] of text.matchAll(TAG)) {
      // Like Langfuse: what is no reference stays as the text that it is.
      const [, name, version, label] = INNER.exec(inner) ?? [];
      if (name !== undefined)
        found.set(tag, { tag, name, which: label === undefined ? { version: Number(version) } : { label } });
    }
  }
  return [...found.values()];
}

/** The prompt with all prompts that it refers to put in. What cannot be put in is a StoreConflict. */
export function composePrompt(prompts: Prompts, root: StoredPrompt): ComposedPrompt {
  const dependencies: Record<string, PromptNode[]> = {};
  const known = new Map<string, PromptBody>();
  const compose = (prompt: StoredPrompt, above: readonly string[]): PromptBody => {
    if (above.length >= DEEPEST) throw new StoreConflict(`prompts are nested deeper than ${DEEPEST} levels`);
    if (above.includes(prompt.id) || (above.length > 0 && prompt.name === root.name)) {
      throw new StoreConflict(`the prompt ${visible(prompt.name)}, version ${prompt.version}, refers to itself`);
    }
    const key = `${above.length} ${prompt.id}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const texts = new Map<string, string>();
    const nodes: PromptNode[] = [];
    for (const reference of referencesOf(prompt)) {
      const child = findText(prompts, reference);
      nodes.push(nodeOf(child));
      const body = compose(child, [...above, prompt.id]);
      if (body.type === 'text') texts.set(reference.tag, body.prompt);
    }
    if (nodes.length > 0) dependencies[prompt.id] = nodes;
    const made = texts.size === 0 ? prompt : replaced(prompt, texts);
    known.set(key, made);
    return made;
  };
  const body = compose(root, []);
  const graph = Object.keys(dependencies).length === 0 ? null : { root: nodeOf(root), dependencies };
  return { prompt: { ...root, ...body }, graph };
}

/** The versions that would refer to nothing once these versions of a prompt are gone. */
export function dependentsOf(prompts: Prompts, name: string, which: WhichPrompt): StoredPrompt[] {
  const gone = new Set(prompts.matching(name, which).map(({ version }) => version));
  return prompts.composed().filter((prompt) =>
    referencesOf(prompt).some((reference) => {
      if (reference.name !== name || (prompt.name === name && gone.has(prompt.version))) return false;
      const child = prompts.get(name, reference.which);
      return child !== null && gone.has(child.version);
    }),
  );
}

function findText(prompts: Prompts, { name, which }: PromptReference): StoredPrompt {
  const child = prompts.get(name, which);
  const shown = `${visible(name)}, ${which.version === undefined ? `label ${visible(which.label ?? '')}` : `version ${which.version}`}`;
  if (child === null) throw new StoreConflict(`the prompt that is referred to is not here: ${shown}`);
  if (child.type !== 'text') throw new StoreConflict(`only a prompt of type text can be within another: ${shown}`);
  return child;
}

function nodeOf({ id, name, version }: StoredPrompt): PromptNode {
  return { id, name, version };
}

function textsOf(body: PromptBody): string[] {
  if (body.type === 'text') return [body.prompt];
  return body.prompt.flatMap((message) => ('content' in message ? [message.content] : []));
}

function replaced(body: PromptBody, texts: ReadonlyMap<string, string>): PromptBody {
  let length = 0;
  for (const text of textsOf(body)) {
    length += text.length;
    for (const [tag] of text.matchAll(TAG)) length += texts.get(tag)?.length ?? 0;
  }
  if (length > LONGEST)
    throw new StoreConflict(`the prompt is longer than ${LONGEST} characters with all that it refers to`);
  const put = (text: string): string => text.replaceAll(TAG, (tag) => texts.get(tag) ?? tag);
  if (body.type === 'text') return { type: 'text', prompt: put(body.prompt) };
  return {
    type: 'chat',
    prompt: body.prompt.map((one) => ('content' in one ? { ...one, content: put(one.content) } : one)),
  };
}
