import type { Serve } from './route.ts';
import { getProjects } from '../shapes/projects.ts';

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
