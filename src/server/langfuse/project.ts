import { VERSION } from '../../score/version.ts';
import { getHealth } from '../../langfuse/shapes/projects.ts';
import { getProjects } from '../../langfuse/shapes/projects.ts';
import type { Serve } from './route.ts';

/** There is one project, and everything is in it. */
export const PROJECT_ID = 'assay';

export function serveProjects(serve: Serve): void {
  serve(getProjects, () => ({
    data: [{ id: PROJECT_ID, name: 'assay', organization: { id: 'local', name: 'local' }, metadata: {} }],
  }));
}

/** Where a screen of a trace would be. */
export function tracePath(id: string): string {
  return `/project/${PROJECT_ID}/traces/${encodeURIComponent(id)}`;
}

/** The version is ours, not one of Langfuse's: whoever asks can see what answers. */
export const SERVED_SUFFIX = '+assay';

export function serveHealth(serve: Serve): void {
  serve(getHealth, () => ({ status: 'OK', version: `${VERSION}${SERVED_SUFFIX}` }));
}
