import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { Dialog } from './dialog.tsx';
import type { Shortcut } from './keys.ts';
import { pageKeys, RANK, useKeys } from './use-keys.ts';

/** The list of keys of a page: `?` opens it, and so does what calls `showKeys`. */
export function useKeyHelp(): { readonly showKeys: () => void; readonly keyHelp: ComponentChildren } {
  const [help, setHelp] = useState<readonly Shortcut[] | null>(null);
  const showKeys = (): void => setHelp(pageKeys.active(0));
  useKeys([{ keys: ['?'], does: 'this list', run: showKeys }], RANK.page);
  return { showKeys, keyHelp: help === null ? null : <KeyHelp shortcuts={help} onClose={() => setHelp(null)} /> };
}

/** The shortcuts that hold now, as the page was when `?` was pressed. */
function KeyHelp(props: { readonly shortcuts: readonly Shortcut[]; readonly onClose: () => void }) {
  return (
    <Dialog title="Keyboard" onClose={props.onClose}>
      <table class="key-help">
        <caption class="unseen">Keys that work here, and what they do</caption>
        <tbody>
          {props.shortcuts
            .filter(({ unlisted }) => unlisted !== true)
            .map(({ keys, does }) => (
              <tr key={keys.join(' ')}>
                <th scope="row">
                  {keys.map((key, index) => (
                    <span key={key}>
                      {index > 0 ? <span class="or muted fine"> or </span> : null}
                      <kbd>{shownKey(key)}</kbd>
                    </span>
                  ))}
                </th>
                <td>{does}</td>
              </tr>
            ))}
        </tbody>
      </table>
      <p class="hint">In a text field keys write text; Escape leaves it.</p>
    </Dialog>
  );
}

const SHOWN: Readonly<Record<string, string>> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  Delete: 'Del',
  Escape: 'Esc',
};

function shownKey(name: string): string {
  return name
    .split('+')
    .map((part) => SHOWN[part] ?? part)
    .join(' + ');
}
