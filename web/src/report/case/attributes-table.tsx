import { useMemo } from 'preact/hooks';

import type { ReportHead } from '../../../../src/report/html/report-data.ts';
import { attributeNames, judgedAttributes, type JudgedAttribute } from './attribute-rows.ts';
import { type CaseItems, type CaseLine, lineKey } from './case-items.ts';
import { runLetter } from './run-letter.ts';
import { Words } from './words.tsx';

const MOST = 200;

export function AttributesTable(props: {
  readonly head: ReportHead;
  readonly items: CaseItems;
  readonly selected: string | null;
  readonly onSelect: (key: string) => void;
}) {
  const { head, items, onSelect } = props;
  const judged = useMemo(() => rowsOf(head, items), [head, items]);
  const names = useMemo(() => attributeNames(judged.map(({ line }) => line.record)), [judged]);
  if (judged.length === 0) return null;
  const several = head.runs.length > 1;
  return (
    <section class="case-section stack attributes">
      <h3>Attributes of the hits</h3>
      <p class="hint">
        Gold’s value, and the system’s where it is another: <span class="spurious ink">gold → system ✗</span>.
      </p>
      <div class="table-frame frame">
        <table class="attributes-table">
          <thead>
            <tr>
              {several ? <th scope="col">Run</th> : null}
              <th scope="col">Item</th>
              {names.map((name) => (
                <th key={name} scope="col">
                  <Words text={name} most={40} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {judged.slice(0, MOST).map(({ line, key, attributes }) => (
              <tr key={key}>
                {several ? <td>{runLetter(line.run)}</td> : null}
                <th scope="row">
                  <button
                    type="button"
                    class="bare row-button"
                    aria-pressed={props.selected === key}
                    onClick={() => onSelect(key)}
                  >
                    <Words in="b" text={line.record.label} most={40} />{' '}
                    <Words text={line.record.gold?.text ?? ''} most={60} />
                  </button>
                </th>
                {names.map((name) => (
                  <AttributeCell key={name} judged={attributes.get(name)} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {judged.length > MOST ? <p class="hint">The first {MOST} are shown; the table of items has all.</p> : null}
    </section>
  );
}

function AttributeCell(props: { readonly judged: JudgedAttribute | undefined }) {
  const { judged } = props;
  if (judged === undefined) return <td class="absent muted">–</td>;
  const { right, gold, predicted } = judged;
  const same = gold === predicted;
  return (
    <td class={right ? 'hit' : 'spurious wrong'}>
      <Words text={gold ?? 'none'} most={60} />
      {same ? null : (
        <>
          <span> → </span>
          <Words text={predicted ?? 'none'} most={60} />
        </>
      )}{' '}
      <span class="sign" aria-hidden="true">
        {right ? '✓' : '✗'}
      </span>
      <span class="unseen">{right ? 'right' : 'wrong'}</span>
    </td>
  );
}

interface JudgedLine {
  readonly line: CaseLine;
  readonly key: string;
  readonly attributes: ReadonlyMap<string, JudgedAttribute>;
  readonly wrong: number;
}

function rowsOf(head: ReportHead, items: CaseItems): readonly JudgedLine[] {
  return items.lines
    .flatMap((line): JudgedLine[] => {
      const key = lineKey(line);
      const attributes = judgedAttributes(line.record, head.runs[line.run]?.attributes ?? {});
      if (key === null || attributes.length === 0) return [];
      const wrong = attributes.filter(({ right }) => !right).length;
      return [{ line, key, attributes: new Map(attributes.map((one) => [one.name, one])), wrong }];
    })
    .sort((a, b) => b.wrong - a.wrong);
}
