import type { Store } from '../../store/store.ts';
import type { Live } from './live-data.ts';
import { runAddress } from './run-address.ts';

const DATASET_RUN = /^\/project\/[^/]+\/datasets\/[^/]+\/runs\/([^/]+)\/?$/;
const TRACE = /^\/project\/[^/]+\/traces\/([^/]+)\/?$/;

/** Something of an experiment that a link leads to. */
interface Meant {
  readonly experiment: string;
  /** One item of it; null for all. */
  readonly item: string | null;
}

/**
 * The target here of a link into Langfuse's own screens: to the scored run of its experiment, at the item of a trace,
 * or to the experiments.
 */
export function projectTarget(pathname: string, live: Live, store: Store): string {
  const meant = meantBy(pathname, store);
  if (meant === null) return '/#part=experiments';
  const [run, ...others] = live.experiments.find(({ name }) => name === meant.experiment)?.runs ?? [];
  if (run === undefined || others.length > 0)
    return `/#${new URLSearchParams({ part: 'experiments', search: meant.experiment }).toString()}`;
  const at = meant.item === null ? '' : `#${new URLSearchParams({ view: 'cases', case: meant.item }).toString()}`;
  return `${runAddress(run)}${at}`;
}

function meantBy(pathname: string, store: Store): Meant | null {
  const run = decoded(DATASET_RUN.exec(pathname)?.[1]);
  if (run !== null) {
    const name = store.runs.byId(run)?.name;
    return name === undefined ? null : { experiment: name, item: null };
  }
  const trace = decoded(TRACE.exec(pathname)?.[1]);
  if (trace === null) return null;
  for (const { experiment } of store.traces.observationsOf(trace))
    if (experiment !== null) return { experiment: experiment.experimentName, item: experiment.itemId };
  return null;
}

function decoded(part: string | undefined): string | null {
  try {
    return part === undefined ? null : decodeURIComponent(part);
  } catch {
    return null;
  }
}
