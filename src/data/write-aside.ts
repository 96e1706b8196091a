import { type Next, PiecewiseFile } from './write-pieces.ts';

/** Written aside, to the disk itself, and then renamed: a file of this name is always whole. */
export function writeAside(file: string, content: string | Uint8Array, next?: Next): void {
  const out = new PiecewiseFile(file, next);
  out.write(content);
  out.finish();
}
