// The tokens and plain elements first: what the screens say of them comes after, and wins.
import '../theme.css';
import '../tabs.css';
import './home.css';

import { render } from 'preact';

import { applyTheme } from '../theme-toggle.tsx';
import { listenForKeys } from '../use-keys.ts';
import { App } from './app.tsx';

const place = document.querySelector('#app');
if (place === null) throw new Error('The page has no element #app.');

applyTheme();
listenForKeys();
render(<App />, place);
