import { setTimeout as wait } from 'node:timers/promises';

import { UsageError } from '../../../data/problems.ts';
import { type Failure, retried } from '../../../experiment/limits/retry.ts';
import { conceptIds, tooManyConcepts } from './concept-ids.ts';
import type { ConceptExtractor, ExplainedMention, ExtractorIdentity } from './extractor.ts';
import { overUsual, pickFields, remembering, USUAL_PICKS } from './scispacy.ts';
import { answerOf, type ExtractorAnswer } from './scispacy-answers.ts';
import { type PickSettings, pickConcepts, pickedIds, type ScoredMention, surfacesOf } from './scored-mentions.ts';
import { type Stoplist, stoplistHash } from './stoplist-files.ts';

export interface EndpointOptions extends Partial<PickSettings> {
  readonly url: string;
  readonly stoplist?: Stoplist | null;
  /** The release of the knowledge base behind it, for the signature, where the server does not say it. */
  readonly kbVersion?: string | null;
  readonly answerSeconds?: number;
}

const MOST_BYTES = 1 << 26;
/** A server that is busy or just starting is asked again, a moment later each time. */
const PATIENCE = { retries: 2, rateRetries: 2, backoffMs: 1000, longestWaitMs: 2000 };

/**
 * Asks a server: POST {"text"} -> {"concepts": […]}, or {"mentions": [{surface, candidates: [[id, score], …]}]} as the
 * process gives them. The first question is an empty text, which shows whether anybody answers; an answer may carry
 * {"extractor": {model, model_version, scispacy, spacy, linker, kb_version, kb_sha256}} for the signature.
 */
export async function endpointExtractor(options: EndpointOptions): Promise<ConceptExtractor> {
  const { stoplist = null, kbVersion = null, answerSeconds = 300 } = options;
  const picks = overUsual(USUAL_PICKS, options);
  const url = urlOf(options.url);
  const ask = (text: string): Promise<ExtractorAnswer> => answerFrom(url, text, answerSeconds);
  const first = await ask('');
  const identity = identityOf(first, picks, stoplist, kbVersion);
  if (first.mentions === undefined) return plainExtractor(identity, ask, stoplist);
  const find = remembering(async (text: string): Promise<readonly ScoredMention[]> => {
    const { mentions } = await ask(text);
    if (mentions === undefined) throw failure(url, 'gave mentions at first and then none', null);
    return mentions;
  });
  const explain = async (text: string): Promise<readonly ExplainedMention[]> =>
    pickConcepts(await find(text), picks, stoplist);
  return {
    identity,
    extract: async (text) => {
      const ids = pickedIds(await explain(text));
      const absurd = tooManyConcepts(ids.length);
      if (absurd !== null) throw failure(url, `gave ${absurd}`, null);
      return ids;
    },
    explain,
    surfaces: async (text) => surfacesOf(await find(text), picks.minEntityLength),
  };
}

/** A server that gives concepts and nothing else: its own settings count, and of stoplists only that of concepts. */
function plainExtractor(
  identity: ExtractorIdentity,
  ask: (text: string) => Promise<ExtractorAnswer>,
  stoplist: Stoplist | null,
): ConceptExtractor {
  if (stoplist !== null && stoplist.surfaces.size > 0)
    throw new UsageError(
      'a stoplist of surface forms needs mentions, and this server gives concepts only',
      'let it answer with mentions and candidates, or leave stop_entities.txt out',
    );
  return {
    identity,
    extract: async (text) =>
      conceptIds((await ask(text)).concepts ?? []).filter((id) => stoplist?.concepts.has(id) !== true),
  };
}

function urlOf(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError(`${text}: expected an address that begins with http:// or https://`);
  return url;
}

async function answerFrom(url: URL, text: string, seconds: number): Promise<ExtractorAnswer> {
  const ended = await retried(
    () => post(url, text, seconds),
    PATIENCE,
    (ms) => wait(ms, true),
  );
  if ('failure' in ended) throw failure(url, ended.failure.problem, ended.failure.next);
  const found = answerOf(ended.value);
  if ('problem' in found) throw failure(url, `gave ${found.problem}`, null);
  if (found.answer.error !== undefined) throw failure(url, `failed on a text: ${found.answer.error}`, null);
  return found.answer;
}

interface NoAnswer extends Failure {
  readonly problem: string;
  readonly next: string | null;
}

type Posted = { readonly value: string } | { readonly failure: NoAnswer };

function noAnswer(problem: string, next: string | null, again: boolean): Posted {
  return { failure: { problem, next, passes: again ? 'soon' : null, retryAfterMs: null } };
}

async function post(url: URL, text: string, seconds: number): Promise<Posted> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ text }),
      // Clinical text goes where the user said and nowhere else.
      redirect: 'error',
      signal: AbortSignal.timeout(seconds * 1000),
    });
    if (!response.ok) {
      await response.body?.cancel();
      const again = response.status === 429 || response.status >= 500;
      return noAnswer(`answered with status ${response.status}`, 'it has to answer POST {"text": …}', again);
    }
    return await bodyOf(response);
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError')
      return noAnswer(`did not answer within ${seconds} seconds`, null, false);
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const reason = cause instanceof Error ? cause.message : String(cause);
    return noAnswer(`cannot be asked (${reason})`, 'check that the server runs', !/redirect/.test(reason));
  }
}

async function bodyOf(response: Response): Promise<Posted> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const body: AsyncIterable<unknown> | Iterable<unknown> = response.body ?? [];
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) continue;
    size += chunk.length;
    if (size > MOST_BYTES) return noAnswer(`answered with more than ${MOST_BYTES / 1048576} MiB`, null, false);
    chunks.push(chunk);
  }
  return { value: Buffer.concat(chunks).toString('utf8') };
}

function failure(url: URL, problem: string, next: string | null): UsageError {
  const shown = `${url.protocol}//${url.host}${url.pathname}`;
  return new UsageError(`the concept server ${shown} ${problem}`, next);
}

function identityOf(
  { extractor = {}, mentions }: ExtractorAnswer,
  picks: PickSettings,
  stoplist: Stoplist | null,
  kbVersion: string | null,
): ExtractorIdentity {
  const { scispacy, kb_sha256: knowledgeBase, ...facts } = extractor;
  return {
    name: 'endpoint',
    version: scispacy ?? 'not stated',
    // The address is no part of it: the same server elsewhere gives the same answers.
    settings: {
      spacy: facts.spacy ?? null,
      model: facts.model ?? null,
      model_version: facts.model_version ?? null,
      linker: facts.linker ?? null,
      kb_version: facts.kb_version ?? kbVersion,
      kb_concepts: facts.kb_concepts ?? null,
      answers: mentions === undefined ? 'concepts' : 'mentions',
      ...(mentions === undefined ? {} : pickFields(picks)),
    },
    knowledgeBase: knowledgeBase ?? null,
    stoplist: stoplistHash(stoplist),
  };
}
