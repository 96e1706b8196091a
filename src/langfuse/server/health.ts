import { VERSION } from '../../score/version.ts';
import { getHealth } from '../shapes/health.ts';
import type { Serve } from './route.ts';

/** The version is ours, not one of Langfuse's: whoever asks can see what answers. */
export const SERVED_SUFFIX = '+assay';

export function serveHealth(serve: Serve): void {
  serve(getHealth, () => ({ status: 'OK', version: `${VERSION}${SERVED_SUFFIX}` }));
}
