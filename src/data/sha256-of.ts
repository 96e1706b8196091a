import { hash } from 'node:crypto';

/** How files and texts are named by what is in them: `sha256:` and the hash of the UTF-8. */
export function sha256Of(content: string | Uint8Array): string {
  return `sha256:${hash('sha256', content)}`;
}
