import type { LedgerItem } from '../../../../src/score/ledger.ts';
import { fieldRows } from './item-fields.ts';
import { Words } from './words.tsx';

export function FieldTable(props: {
  readonly gold: LedgerItem | undefined;
  readonly predicted: LedgerItem | undefined;
}) {
  const { gold, predicted } = props;
  const rows = fieldRows(gold, predicted);
  if (rows.length === 0) return null;
  const sides = [
    ...(gold === undefined ? [] : (['gold'] as const)),
    ...(predicted === undefined ? [] : (['predicted'] as const)),
  ];
  return (
    <table class="field-table">
      <thead>
        <tr>
          <td />
          {sides.map((side) => (
            <th key={side} scope="col">
              {side}
            </th>
          ))}
        </tr>
      </thead>
      {[false, true].map((ofFile) => {
        const own = rows.filter((row) => row.ofFile === ofFile);
        return own.length === 0 ? null : (
          <tbody key={String(ofFile)} class={ofFile ? 'of-file' : ''}>
            {ofFile ? (
              <tr>
                <th class="field-group" scope="rowgroup" colSpan={sides.length + 1}>
                  in the files
                </th>
              </tr>
            ) : null}
            {own.map((row) => (
              <tr key={row.name} class={row.differs ? 'differs' : ''}>
                <th scope="row">
                  <Words text={row.name} most={60} />
                  {row.differs ? <span class="unseen"> (differs)</span> : null}
                </th>
                {sides.map((side) => (
                  <td key={side}>{row[side] === null ? null : <Words text={row[side]} most={1000} />}</td>
                ))}
              </tr>
            ))}
          </tbody>
        );
      })}
    </table>
  );
}
