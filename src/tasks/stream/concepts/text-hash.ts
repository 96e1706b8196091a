import { hash } from 'node:crypto';

/** How recordings name a text: `sha256:` and the hash of its UTF-8. */
export function textHash(text: string): string {
  return `sha256:${hash('sha256', text)}`;
}
