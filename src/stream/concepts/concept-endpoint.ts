import { callWithLimits, guardedFetch, kindOfStatus, TargetError } from '../../experiment.ts';
import { errorCode, UsageError } from '../../plugin.ts';
import { conceptIds } from './concept-ids.ts';
import type { ConceptExtractor, ExtractorIdentity } from './extractor.ts';
import { DEFAULT_PICKS, mentionExtractor, pickFields, type PickSettings } from './scored-mentions.ts';
import { answerOf, type ExtractorAnswer } from './scispacy-answers.ts';
import { type Stoplist, stoplistHash } from './stoplist-files.ts';

interface EndpointOptions extends Partial<PickSettings> {
  readonly url: string;
  readonly stoplist?: Stoplist | null;
  /** The release of the knowledge base behind it, for the signature, if the server does not state it. */
  readonly kbVersion?: string | null;
  readonly answerSeconds?: number;
}

const MOST_BYTES = 1 << 26;
/** A server that is busy or just starting is asked again, a moment later each time. */
const PATIENCE = { retries: 2, rateRetries: 2, backoffMs: 1000, longestWaitMs: 2000 };

/**
 * Asks a server: POST {"text"} -> {"concepts": […]}, or {"mentions": [{surface, candidates: [[id, score], …]}]} as the
 * process gives them. The first question is an empty text, which shows whether the server answers; an answer may have
 * {"extractor": {model, model_version, scispacy, spacy, linker, kb_version, kb_sha256}} for the signature.
 */
export async function endpointExtractor(options: EndpointOptions): Promise<ConceptExtractor> {
  const { url, stoplist = null, kbVersion = null, answerSeconds = 300, ...own } = options;
  const picks = { ...DEFAULT_PICKS, ...own };
  const address = URL.parse(url);
  if (address === null || !['http:', 'https:'].includes(address.protocol))
    throw new UsageError(`${url}: expected an address that begins with http:// or https://`);
  const failure = (problem: string): UsageError =>
    new UsageError(
      `the concept server ${address.protocol}//${address.host}${address.pathname}: ${problem}`,
      'check that the server runs and answers POST {"text": …}',
    );
  const ask = async (text: string): Promise<ExtractorAnswer> => {
    const sent = await post(address, text, answerSeconds).catch((error: unknown) => {
      throw error instanceof TargetError ? failure(error.message) : error;
    });
    const read = answerOf(sent);
    if ('problem' in read) throw failure(read.problem);
    if (read.answer.error !== undefined) throw failure(`failed on a text: ${read.answer.error}`);
    return read.answer;
  };
  const first = await ask('');
  const identity = identityOf(first, picks, stoplist, kbVersion);
  if (first.mentions === undefined) return plainExtractor(identity, ask, stoplist);
  const mentionsOf = async (text: string) => {
    const { mentions } = await ask(text);
    if (mentions === undefined) throw failure('gave mentions at first and then none');
    return mentions;
  };
  return mentionExtractor({ identity, mentionsOf, picks, stoplist, badAnswer: failure });
}

/** A server that gives concepts only: the settings are its own, and of stoplists only that of concepts applies. */
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

/** Clinical text goes to this address and nowhere else: redirects are not followed. */
async function post(url: URL, text: string, seconds: number): Promise<string> {
  const request = { method: 'POST', headers: HEADERS, body: JSON.stringify({ text }) };
  const call = async (signal: AbortSignal): Promise<string> => {
    try {
      const response = await guardedFetch(MOST_BYTES)(url, { ...request, signal });
      if (response.ok) return await response.text();
      await response.body?.cancel();
      const { status } = response;
      throw new TargetError({ kind: kindOfStatus(status), status, message: `answered with status ${status}` });
    } catch (error) {
      const cause = error instanceof Error ? (error.cause ?? error) : error;
      const known = [error, cause].find((one) => one instanceof TargetError);
      throw known ?? new TargetError({ kind: 'connection', message: `cannot be reached (${errorCode(cause)})` });
    }
  };
  const policy = { ...PATIENCE, timeoutMs: seconds * 1000 };
  return (await callWithLimits(call, null, policy, new AbortController().signal)).value;
}

const HEADERS = { 'content-type': 'application/json', accept: 'application/json' };

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
    // Without the address: the same server elsewhere gives the same answers.
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
