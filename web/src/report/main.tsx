// The tokens and plain elements first: what the screens say of them comes after, and wins.
import { faultText } from '../fault-text.ts';
import '../theme.css';
import '../tabs.css';
import './report.css';

import { render } from 'preact';

import { applyTheme } from '../theme-toggle.tsx';
import { listenForKeys } from '../use-keys.ts';
import { App } from './app.tsx';
import { renamedHead, servedAbout } from './served-about.ts';
import { embeddedSource, type ReportSource } from './source.ts';

const place = document.querySelector('#app');
if (place === null) throw new Error('The page has no element #app.');

applyTheme();
listenForKeys();
// Until now, it shows the file's fallback for browsers without scripts.
place.replaceChildren();
show(place);

function show(into: Element): void {
  let source: ReportSource;
  try {
    const embedded = embeddedSource(document);
    source = { ...embedded, head: renamedHead(embedded.head, servedAbout()) };
  } catch (fault) {
    render(<Unreadable message={faultText(fault)} />, into);
    return;
  }
  render(<App source={source} />, into);
}

function Unreadable(props: { readonly message: string }) {
  return (
    <main class="lone stack">
      <h1>This report cannot be read</h1>
      <p role="alert">{props.message}</p>
      <p class="hint">
        <code>assay report RUN</code> makes it again from the run folder.
      </p>
    </main>
  );
}
