import type { Context } from 'hono';
import { matchedRoutes } from 'hono/route';

import { Refusal } from './refusal.ts';

/** Lets a request in with null; otherwise it gives the answer that refuses it, or throws. */
export type Gate = (context: Context) => Response | null;

/** The routes, by the path they were added under, that ask for something else than the app's credentials. */
export type RouteGates = ReadonlyMap<string, Gate>;

export const publicGate: Gate = () => null;

/** The path of a middleware that runs for every request. */
const EVERY_PATH = '/*';

/**
 * Asks the gates of the routes that the router has matched, so that no spelling of a path passes one gate and reaches
 * another route. A route without a gate, and a path without a route, have the gate `otherwise`.
 */
export function askGates(context: Context, gates: RouteGates, otherwise: Gate): Response | null {
  const paths = matchedRoutes(context).flatMap(({ path }) => (path === EVERY_PATH ? [] : [path]));
  for (const path of paths) {
    const refusal = (gates.get(path) ?? otherwise)(context);
    if (refusal !== null) return refusal;
  }
  return paths.length === 0 ? otherwise(context) : null;
}

/** Pages of other sites may link to a page here, but not make a browser ask for what needs credentials. */
export function refuseOtherSites(context: Context): void {
  const site = context.req.header('sec-fetch-site');
  if (site === 'cross-site' || site === 'same-site') {
    throw new Refusal(403, 'Requests from pages of another site are refused.');
  }
}
