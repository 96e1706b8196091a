import { useState } from 'preact/hooks';

import { count } from '../../../src/text/figures.ts';
import type { RunView } from '../../../src/report/html/report-data.ts';
import { PlainText } from '../plain-text.tsx';
import { linkTo, useReport } from './report-context.ts';
import { RunSwitch } from './run-switch.tsx';

/** How it was scored: the recipe in force, what was set, the signature and the files. */
export function RecipeView() {
  const { head, run, state } = useReport();
  const view = head.runs[run];
  if (view === undefined) return null;
  const { manifest } = view;
  return (
    <div class="recipe page">
      <RunSwitch link={(place) => linkTo(state, { view: 'recipe', run: place })} />
      <section>
        <h2>Signature</h2>
        <p class="hint">
          Everything that affects a number, in one line. Runs whose signatures differ in more than their predictions are
          not to be compared.
        </p>
        <Copied text={manifest.signature} label="Signature" />
      </section>
      <section>
        <h2>Inputs</h2>
        <Inputs run={view} />
      </section>
      <section>
        <h2>
          Recipe <PlainText text={manifest.recipe.name} />
        </h2>
        <p class="hint">
          <PlainText text={manifest.recipe.about} />
        </p>
        {manifest.recipe.set.length === 0 ? null : (
          <p>
            Set on the command line: <PlainText text={manifest.recipe.set.join(', ')} />
          </p>
        )}
        <Copied text={view.recipe} label="Recipe" block />
        <p class="hint">
          Scored by assay <PlainText text={manifest.assay} />.
        </p>
      </section>
    </div>
  );
}

function Inputs(props: { readonly run: RunView }) {
  return (
    <div class="table-scroll" role="region" aria-label="Inputs" tabIndex={0}>
      <table class="sortable">
        <thead>
          <tr>
            <th scope="col">file</th>
            <th scope="col">holds</th>
            <th scope="col">format</th>
            <th scope="col" class="number">
              rows
            </th>
            <th scope="col" class="number">
              bytes
            </th>
            <th scope="col">sha256</th>
          </tr>
        </thead>
        <tbody>
          {props.run.manifest.inputs.map((input) => (
            <tr key={`${input.role} ${input.name}`}>
              <th scope="row">
                <PlainText text={input.name} />
              </th>
              <td>{input.role}</td>
              <td>
                <PlainText text={input.format} />
              </td>
              <td class="number">{count(input.rows)}</td>
              <td class="number">{count(input.bytes)}</td>
              <td>
                <code class="sha">
                  <PlainText text={input.sha256} />
                </code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Text with a button that copies it; where the browser does not let it, the text can be selected. */
function Copied(props: { readonly text: string; readonly label: string; readonly block?: boolean }) {
  const [said, setSaid] = useState('');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(props.text);
      setSaid('Copied');
    } catch {
      setSaid('The browser does not allow it: select the text');
    }
  };
  return (
    <div class="copied">
      <pre class={props.block === true ? 'block' : undefined} tabIndex={0} role="region" aria-label={props.label}>
        <PlainText text={props.text} />
      </pre>
      <p class="copy-row">
        <button type="button" class="small" onClick={() => void copy()}>
          Copy
        </button>
        <span class="hint" role="status">
          {said}
        </span>
      </p>
    </div>
  );
}
