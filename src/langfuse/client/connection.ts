import type { LangfuseAPIClient } from '@langfuse/core';
import { z } from 'zod';

import { loadOptional } from '../../data/optional-package.ts';
import type { Access } from './access.ts';
import type { ApiGeneration } from '../shapes/endpoint.ts';
import { anyText } from '../shapes/values.ts';
import { Calls, type Clock, type Patience } from './calls.ts';

export interface Connection {
  readonly api: LangfuseAPIClient;
  readonly calls: Calls;
  /** The only one to be used; null where the server is asked what it has. */
  readonly generation: ApiGeneration | null;
  /** Where the project is looked at; null where the server does not say which it is. */
  readonly projectUrl: string | null;
}

// A mistyped address should be reported soon.
const FIRST_CALL = { attempts: 3, timeoutMs: 5000 };

const PACKAGES = ['@langfuse/client', '@langfuse/core', '@langfuse/tracing'];

const projectsAnswer = z.object({ data: z.array(z.object({ id: anyText })) });

/**
 * Opens it and makes sure that the server is there and knows the keys, before anything is paid for. The official packages
 * are loaded only here.
 */
export async function connect(
  { publicKey, secretKey, baseUrl }: Access,
  generation: ApiGeneration | null,
  patience: Patience,
  clock?: Clock,
): Promise<Connection> {
  // They print whole documents with their warnings; what goes wrong comes back as an error here.
  const { configureGlobalLogger, LogLevel } = await loadLangfuse(() => import('@langfuse/core'));
  configureGlobalLogger({ level: LogLevel.NONE });
  const { LangfuseClient } = await loadLangfuse(() => import('@langfuse/client'));
  const { api } = new LangfuseClient({ publicKey, secretKey, baseUrl });
  // The pair as it goes over the wire: in base64, where neither key can be found by itself.
  const calls = new Calls(baseUrl, [`${publicKey}:${secretKey}`, secretKey, publicKey], patience, clock);
  const first = { ...FIRST_CALL, timeoutMs: Math.min(FIRST_CALL.timeoutMs, patience.timeoutMs) };
  const { data } = await calls.make('reach Langfuse', projectsAnswer, (options) => api.projects.get(options), first);
  const [project] = data;
  const projectUrl = project === undefined ? null : `${baseUrl}/project/${encodeURIComponent(project.id)}`;
  return { api, calls, generation, projectUrl };
}

/** Loads one of the official packages, which are optional. */
export function loadLangfuse<T>(load: () => Promise<T>) {
  return loadOptional('Langfuse', PACKAGES, load);
}

/**
 * Whether a name can be a step of an address. The SDK encodes names, but dots lead elsewhere anyway, and an empty
 * name is the list of all.
 */
export function isPathPart(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..';
}
