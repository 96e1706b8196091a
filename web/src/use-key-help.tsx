import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { KeyHelp } from './key-help.tsx';
import type { Shortcut } from './keys.ts';
import { pageKeys, RANK, useKeys } from './use-keys.ts';

/** The list of keys of a page: `?` opens it, and so does what calls `showKeys`. */
export function useKeyHelp(): { readonly showKeys: () => void; readonly keyHelp: ComponentChildren } {
  const [help, setHelp] = useState<readonly Shortcut[] | null>(null);
  const showKeys = (): void => setHelp(pageKeys.active(0));
  useKeys([{ keys: ['?'], does: 'this list', run: showKeys }], RANK.page);
  return { showKeys, keyHelp: help === null ? null : <KeyHelp shortcuts={help} onClose={() => setHelp(null)} /> };
}
