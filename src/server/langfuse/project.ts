import { getHealth, getProjects } from '../../langfuse/shapes/projects.ts';
import { VERSION } from '../../score/version.ts';
import { SERVED_SUFFIX } from '../listen.ts';
import { type ApiRoute, apiRoute } from './api-route.ts';

/** There is one project, and everything is in it. */
export const PROJECT_ID = 'assay';

export const projectRoutes: readonly ApiRoute[] = [
  apiRoute(getHealth, () => ({ status: 'OK', version: `${VERSION}${SERVED_SUFFIX}` })),
  apiRoute(getProjects, () => ({
    data: [{ id: PROJECT_ID, name: 'assay', organization: { id: 'local', name: 'local' }, metadata: {} }],
  })),
];
