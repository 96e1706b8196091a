import { kindName } from '../../../../src/report/kind-name.ts';

/** `spans`, and under which pairing where the recipe has several: `spans, strict`. */
export function groupLabel(kind: string, scheme: string | null): string {
  return scheme === null ? kindName(kind) : `${kindName(kind)}, ${scheme}`;
}
