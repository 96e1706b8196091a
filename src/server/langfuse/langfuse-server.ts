import { STATUS_CODES } from 'node:http';

import type { Context, Hono } from 'hono';

import { harmless } from '../../data/visible.ts';
import type { ServedGeneration } from '../../langfuse/shapes/endpoint.ts';
import { endpointsAt, projectsApi } from '../../langfuse/shapes/endpoints.ts';
import { VERSION } from '../../score/version.ts';
import type { Store } from '../../store/store.ts';
import { refuseOtherSites } from '../guard.ts';
import { listen, type ClientPatience, type RunningServer, SERVED_SUFFIX } from '../listen.ts';
import { Refusal } from '../refusal.ts';
import { type RouteGate, publicGate, type Route, route, serverApp, type ServerPart } from '../server-app.ts';
import { type ApiRoute, apiRoute, PROJECT_ID } from './api-route.ts';
import { commentRoutes, queueRoutes } from './annotations.ts';
import { datasetItemRoutes, datasetRoutes } from './datasets.ts';
import { datasetRunRoutes, experimentRoutes } from './experiments.ts';
import { ingestionRoutes } from './ingestion.ts';
import { hasKeys, type Keys, mediaUrls } from './keys.ts';
import { mediaContentRoutes, mediaRoutes } from './media.ts';
import { observationRoutes } from './observations.ts';
import { otlpRoutes } from './otlp.ts';
import { promptRoutes } from './prompts.ts';
import { scoreConfigRoutes } from './score-configs.ts';
import { scoreRoutes } from './scores.ts';
import { traceRoutes } from './traces.ts';

export interface LangfuseAppOptions {
  readonly store: Store;
  readonly keys: Keys;
  /** Which Langfuse it is like; both by default, which no Langfuse is and every client can use. */
  readonly generation?: ServedGeneration;
  readonly bodyLimitBytes?: number;
  /** The address it listens on, which requests may name besides this machine itself. */
  readonly host?: string;
  /** Further routes, before those of the API. */
  readonly parts?: readonly ServerPart[];
  /** Gets a line for a request that was refused or failed; nothing in it is secret. */
  readonly log?: (line: string) => void;
}

export interface ServerOptions extends LangfuseAppOptions {
  /** 0 takes any that is free. */
  readonly port: number;
  readonly patience?: ClientPatience;
}

const DEFAULT_BODY_LIMIT = 16 * 1024 * 1024;
const DEFAULT_HOST = '127.0.0.1';

export function serveLangfuse(options: ServerOptions): Promise<RunningServer> {
  const { host = DEFAULT_HOST, port, patience, log = () => undefined } = options;
  return listen({ app: langfuseApp(options), refusalBody, host, port, patience, log });
}

/** A Langfuse-compatible subset over a store. */
export function langfuseApp(options: LangfuseAppOptions): Hono {
  const { keys, generation = 'both', host = DEFAULT_HOST, parts = [], log = () => undefined } = options;
  return serverApp({
    parts: [...parts, { routes: langfuseRoutes(options) }],
    reach: { bound: host, published: null },
    gate: keyGate(keys),
    missing: (context) => missingRefusal(context, generation),
    refusalBody,
    // Looking for what is not there is nothing unusual.
    logged: ({ status, details }) => (status === 404 && details.reason === undefined ? null : ''),
    log,
  });
}

/** Lets in requests with the keys. */
export function keyGate(keys: Keys): RouteGate {
  return (context) => {
    refuseOtherSites(context);
    if (hasKeys(context.req.header('authorization'), keys)) return;
    const message = 'The keys are missing or wrong: send the public and the secret key as Basic authorization.';
    // Not for a mistyped page: a browser that read this would ask for a name and a password.
    const isApi = context.req.path.startsWith('/api');
    throw new Refusal(401, message, { headers: isApi ? { 'www-authenticate': 'Basic realm="assay"' } : {} });
  };
}

const projectRoutes: readonly ApiRoute[] = [
  apiRoute(projectsApi.getHealth, () => ({ status: 'OK', version: `${VERSION}${SERVED_SUFFIX}` })),
  apiRoute(projectsApi.getProjects, () => ({
    data: [{ id: PROJECT_ID, name: 'assay', organization: { id: 'local', name: 'local' }, metadata: {} }],
  })),
];

function langfuseRoutes(options: LangfuseAppOptions): Route[] {
  const { store, keys, generation = 'both', bodyLimitBytes = DEFAULT_BODY_LIMIT } = options;
  const [gate, media] = [keyGate(keys), mediaUrls(keys)];
  const byStore = [
    otlpRoutes,
    datasetRoutes,
    datasetItemRoutes,
    datasetRunRoutes,
    experimentRoutes,
    traceRoutes,
    observationRoutes,
    scoreRoutes,
    scoreConfigRoutes,
    promptRoutes,
    commentRoutes,
    queueRoutes,
    mediaRoutes,
  ];
  const routes = [projectRoutes, ingestionRoutes(store, generation), ...byStore.map((make) => make(store))].flat();
  return [
    route('GET', '/', publicGate, (context) => context.html(LANDING_PAGE)),
    ...mediaContentRoutes(store, media.gate, bodyLimitBytes),
    ...routes
      .filter(({ endpoint }) => isOf(endpoint.generation, generation))
      .map(({ endpoint: { method, path }, answer }) =>
        route(method, path, path === projectsApi.getHealth.path ? publicGate : gate, (context) =>
          answer(context, bodyLimitBytes, media),
        ),
      ),
  ];
}

function isOf(endpoint: ServedGeneration, served: ServedGeneration): boolean {
  return endpoint === 'both' || served === 'both' || endpoint === served;
}

function missingRefusal(context: Context, generation: ServedGeneration): Refusal {
  const here = endpointsAt(context.req.path);
  const other = here.find((one) => one.method === context.req.method && !isOf(one.generation, generation));
  const reason = 'no such endpoint';
  if (other !== undefined)
    return new Refusal(
      404,
      `Only Langfuse ${other.generation} has this, and this server is set to be like ${generation}.`,
      { reason },
    );
  if (here.some((one) => isOf(one.generation, generation)))
    return new Refusal(405, `${harmless(context.req.method)} is not possible here.`);
  return new Refusal(404, 'There is nothing here: this is a Langfuse-compatible subset, and this is not part of it.', {
    reason,
  });
}

/** As Langfuse answers errors: with the name of the status, or with what is wrong with each field. */
export function refusalBody({ status, message, details }: Refusal): string {
  if (details.text !== undefined) return details.text;
  const name = (STATUS_CODES[status] ?? '').replaceAll(' ', '');
  return JSON.stringify({ message, error: name, ...details.fields });
}

/** For a browser at the root: no script, no style, nothing from elsewhere. */
const LANDING_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>assay serve</title>
<h1>assay serve</h1>
<p>This is a Langfuse-compatible subset: datasets, dataset items, runs, experiments, traces, observations, scores and
prompts, kept in a SQLite file on this machine. It is not Langfuse, and not made by Langfuse.</p>
<p>Programs reach it through the Langfuse SDK with <code>LANGFUSE_BASE_URL</code> set to this address and the two keys
that <code>assay serve</code> printed when it started. <a href="/api/public/health">Is it up?</a></p>
</html>
`;
