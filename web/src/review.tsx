import './devanagari.css';
// The tokens and plain elements first: what the screens say of them comes after, and wins.
import './theme.css';

import { render } from 'preact';

import { currentAddress } from './tab-address.ts';
import { App } from './app.tsx';
import { applyTheme } from './theme-toggle.tsx';
import { listenForKeys } from './use-keys.ts';

const place = document.querySelector('#app');
if (place === null) throw new Error('The page has no element #app.');

applyTheme();
listenForKeys();
show(place);
// A second link pasted into the same tab changes no more than what stands after #.
addEventListener('hashchange', () => show(place));

function show(into: Element): void {
  render(<App address={currentAddress()} />, into);
}
