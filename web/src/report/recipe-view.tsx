import { count } from '../../../src/text/figures.ts';
import type { RunView } from '../../../src/report/html/report-data.ts';
import { CopiedLines } from '../copied-lines.tsx';
import { PlainText } from '../plain-text.tsx';
import { type DataColumn, DataTable } from './figures/data-table.tsx';
import { linkTo, useReport } from './report-context.ts';
import { RunSwitch } from './run-switch.tsx';

/** How it was scored: the recipe in force, what was set, the signature and the files. */
export function RecipeView() {
  const { head, run, state } = useReport();
  const view = head.runs[run];
  if (view === undefined) return null;
  const { manifest } = view;
  return (
    <div class="recipe page stack loose">
      <RunSwitch link={(place) => linkTo(state, { view: 'recipe', run: place })} />
      <section>
        <h2>Signature</h2>
        <p class="hint">
          Everything that affects a number, in one line. Runs whose signatures differ in more than their predictions are
          not to be compared.
        </p>
        <CopiedLines text={manifest.signature} label="the signature" />
      </section>
      <section>
        <h2>Inputs</h2>
        <DataTable label="Inputs" columns={INPUT_COLUMNS} rows={manifest.inputs} />
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
        <CopiedLines text={view.recipe} label="the recipe" long />
        <p class="hint">
          Scored by assay <PlainText text={manifest.assay} />.
        </p>
      </section>
    </div>
  );
}

const number = true;
const INPUT_COLUMNS: readonly DataColumn<RunView['manifest']['inputs'][number]>[] = [
  { title: 'file', cell: ({ name }) => <PlainText text={name} /> },
  { title: 'holds', cell: ({ role }) => role },
  { title: 'format', cell: ({ format }) => <PlainText text={format} /> },
  { title: 'rows', number, cell: ({ rows }) => count(rows) },
  { title: 'bytes', number, cell: ({ bytes }) => count(bytes) },
  { title: 'sha256', cell: ({ sha256 }) => <code class="sha">{sha256}</code> },
];
