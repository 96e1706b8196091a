import { type Context, Hono } from 'hono';

import { UsageError } from '../../data/problems.ts';
import { harmless, shorten } from '../../data/visible.ts';
import { StoreConflict } from '../../store/store-conflict.ts';
import type { Store } from '../../store/store.ts';
import type { Generation } from '../../langfuse/shapes/endpoint.ts';
import { endpointsAt } from '../../langfuse/shapes/endpoints.ts';
import { MEDIA_CONTENT_PATH } from '../../langfuse/shapes/media.ts';
import { getHealth } from '../../langfuse/shapes/projects.ts';
import { isAllowedHost } from '../allowed-host.ts';
import { serveAnnotationQueues } from './annotation-queues.ts';
import { serveComments } from './comments.ts';
import { serveDatasetItems } from './dataset-items.ts';
import { serveDatasetRunItems } from './dataset-run-items.ts';
import { serveDatasetRuns, serveDatasets } from './datasets.ts';
import { serveExperimentItems } from './experiment-items.ts';
import { serveExperiments } from './experiments.ts';
import { serveIngestion } from './ingestion.ts';
import { hasKeys, type Keys } from './keys.ts';
import { MediaUrls } from './media-urls.ts';
import { serveMedia, serveMediaContent } from './media.ts';
import { serveObservationsV2 } from './observations-v2.ts';
import { serveObservations } from './observations.ts';
import { serveOtlp } from './otlp.ts';
import { serveHealth, serveProjects } from './project.ts';
import { servePrompts } from './prompts.ts';
import { Refusal, refusalBody, type RefusalStatus } from '../refusal.ts';
import { askGates, type Gate, publicGate, refuseOtherSites, type RouteGates } from '../route-gates.ts';
import { isOf, routesOf } from './route.ts';
import { serveScoreConfigs } from './score-configs.ts';
import { serveScoresV2 } from './scores-v2.ts';
import { serveScoresV3 } from './scores-v3.ts';
import { serveScores } from './scores.ts';
import { SECURITY_HEADERS } from '../security-headers.ts';
import { serveTraces } from './traces.ts';

export interface AppOptions {
  readonly store: Store;
  readonly keys: Keys;
  /** Which Langfuse it is like; both unless told, which is what no Langfuse is and every client can use. */
  readonly generation?: Generation;
  readonly bodyLimitBytes?: number;
  /** The address it listens on, which requests may name besides this machine itself. */
  readonly host?: string;
  /** Adds routes, before the root of this app. They need the keys, except for those whose gate it returns. */
  readonly more?: (app: Hono) => RouteGates | undefined;
  /** Gets a line for a request that was refused or failed; nothing in it is secret. */
  readonly log?: (line: string) => void;
}

export const DEFAULT_BODY_LIMIT = 16 * 1024 * 1024;
const DEFAULT_HOST = '127.0.0.1';
const LONGEST_LOGGED = 100;

/** A Langfuse-compatible subset over a store. Further routes can be added to it; all of them are guarded alike. */
export function langfuseApp(options: AppOptions): Hono {
  const { store, keys, generation = 'both', bodyLimitBytes = DEFAULT_BODY_LIMIT, host = DEFAULT_HOST } = options;
  const log = options.log ?? (() => undefined);
  const app = new Hono();
  const gates = new Map<string, Gate>([
    ['/', publicGate],
    [getHealth.path, publicGate],
  ]);
  const needsKeys: Gate = (context) => {
    refuseOtherSites(context);
    if (hasKeys(context.req.header('authorization'), keys)) return null;
    throw new Refusal(401, 'The keys are missing or wrong: send the public and the secret key as Basic authorization.');
  };
  app.use(async (context, next) => {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) context.header(name, value);
    checkOrigin(context, host);
    return askGates(context, gates, needsKeys) ?? (await next());
  });
  app.onError((error, context) => {
    const refusal = refusalOf(error, log);
    // To look for what is not there is nothing unusual.
    if (refusal.status !== 404) logRequest(context, refusal.status, log);
    return refused(context, refusal);
  });
  app.notFound((context) => {
    const refusal = missing(context, generation);
    logRequest(context, refusal.status, log);
    return refused(context, refusal);
  });
  for (const [path, gate] of options.more?.(app) ?? []) gates.set(path, gate);
  app.get('/', (context) => context.html(LANDING_PAGE));

  const media = new MediaUrls(keys);
  gates.set(MEDIA_CONTENT_PATH, media.gate);
  serveMediaContent(app, store, bodyLimitBytes);
  const serve = routesOf(app, generation, bodyLimitBytes, media);
  serveHealth(serve);
  serveProjects(serve);
  for (const part of [
    serveIngestion,
    serveOtlp,
    serveDatasets,
    serveDatasetItems,
    serveDatasetRuns,
    serveDatasetRunItems,
    serveExperiments,
    serveExperimentItems,
    serveTraces,
    serveObservations,
    serveObservationsV2,
    serveScores,
    serveScoresV2,
    serveScoresV3,
    serveScoreConfigs,
    servePrompts,
    serveComments,
    serveAnnotationQueues,
    serveMedia,
  ]) {
    part(serve, store, generation);
  }
  return app;
}

/** Whatever a page of another site makes a browser ask is refused; programs send neither header. */
function checkOrigin(context: Context, bound: string): void {
  const host = context.req.header('host') ?? new URL(context.req.url).host;
  if (!isAllowedHost(host, bound)) throw new Refusal(403, 'The Host header does not name this machine.');
  const origin = context.req.header('origin');
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`) {
    throw new Refusal(403, 'Requests from pages of another origin are refused.');
  }
}

function pathOf(context: Context): string {
  return new URL(context.req.url).pathname;
}

function missing(context: Context, generation: Generation): Refusal {
  const here = endpointsAt(context.req.path);
  const meant = here.find(({ method }) => method === context.req.method);
  if (meant !== undefined && !isOf(meant.generation, generation)) {
    return new Refusal(
      404,
      `Only Langfuse ${meant.generation} has this, and this server is set to be like ${generation}.`,
    );
  }
  if (here.some((one) => isOf(one.generation, generation))) {
    return new Refusal(405, `${harmless(context.req.method)} is not possible here.`);
  }
  return new Refusal(404, 'There is nothing here: this is a Langfuse-compatible subset, and this is not part of it.');
}

function refusalOf(error: Error, log: (line: string) => void): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof StoreConflict) return new Refusal(409, error.message);
  if (error instanceof UsageError) {
    // What a user of this machine can mend: a store held by another program, a full disk.
    log(error.message);
    return new Refusal(503, 'The store cannot be used at the moment; try again.');
  }
  log(`a bug of ours: ${harmless(error.message)}`);
  return new Refusal(500, 'This is a bug of ours; the server says more where it runs.');
}

function logRequest(context: Context, status: RefusalStatus, log: (line: string) => void): void {
  log(`${harmless(context.req.method)} ${shorten(harmless(pathOf(context)), LONGEST_LOGGED)} ${status}`);
}

function refused(context: Context, refusal: Refusal): Response {
  const { status, message, issues } = refusal;
  return context.body(refusalBody(status, message, issues), status, {
    'content-type': 'application/json; charset=utf-8',
    // Not for a mistyped page: a browser that read this would ask for a name and a password.
    ...(status === 401 && context.req.path.startsWith('/api') ? { 'www-authenticate': 'Basic realm="assay"' } : {}),
    ...(status === 503 ? { 'retry-after': '1' } : {}),
    // What is left of a body that is too large is not waited for.
    ...(status === 413 ? { connection: 'close' } : {}),
  });
}

/** What a browser sees at the root: no script, no style, nothing from elsewhere. */
const LANDING_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>assay serve</title>
<h1>assay serve</h1>
<p>This is a Langfuse-compatible subset: datasets, dataset items, runs, experiments, traces, observations, scores and
prompts, kept in a SQLite file on this machine. It is not Langfuse, and not made by the people of Langfuse.</p>
<p>Programs reach it through the Langfuse SDK with <code>LANGFUSE_BASE_URL</code> set to this address and the two keys
that <code>assay serve</code> printed when it started. <a href="/api/public/health">Is it up?</a></p>
</html>
`;
