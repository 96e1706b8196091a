import { ERROR_TYPES } from '../../../../src/judge/error-type.ts';
import { shortName } from '../short-name.ts';
import { type CaseFilter, isAddressable } from '../state.ts';
import type { CaseTable } from './case-table.ts';

export function FilterFields(props: {
  readonly table: CaseTable;
  readonly open: boolean;
  readonly filter: CaseFilter;
  readonly set: (filter: CaseFilter) => void;
}) {
  const { table, filter, set } = props;
  const picks = [
    { part: 'error', name: 'Error type', any: 'any error', values: ERROR_TYPES },
    { part: 'label', name: 'Label', any: 'any label', values: table.labels },
    { part: 'rule', name: 'Rule', any: 'any rule', values: table.rules },
  ] as const;
  return (
    <div class={props.open ? 'filter-fields open' : 'filter-fields'}>
      {picks.map(({ part, ...pick }) => (
        <Pick
          key={part}
          {...pick}
          value={filter[part] ?? null}
          onPick={(value) => {
            const { [part]: _, ...rest } = filter;
            set(value === null ? rest : { ...rest, [part]: value });
          }}
        />
      ))}
      <SlicePick table={table} filter={filter} set={set} />
    </div>
  );
}

/** Options go by their place, since a value may be anything, even empty. */
function Pick(props: {
  readonly name: string;
  readonly any: string;
  readonly values: readonly string[];
  readonly value: string | null;
  readonly onPick: (value: string | null) => void;
}) {
  const { values, value } = props;
  if (values.length === 0) return null;
  const all = value === null || values.includes(value) ? values : [...values, value];
  return (
    <select
      class={value === null ? undefined : 'picked'}
      aria-label={props.name}
      value={value === null ? '' : String(all.indexOf(value))}
      onChange={({ currentTarget }) =>
        props.onPick(currentTarget.value === '' ? null : (all[Number(currentTarget.value)] ?? null))
      }
    >
      <option value="">{props.any}</option>
      {all.map((name, place) => (
        <option key={name} value={String(place)} disabled={!isAddressable(name)}>
          {shortName(name)}
        </option>
      ))}
    </select>
  );
}

function SlicePick(props: {
  readonly table: CaseTable;
  readonly filter: CaseFilter;
  readonly set: (filter: CaseFilter) => void;
}) {
  const { slice, ...rest } = props.filter;
  const groups = [...props.table.slices];
  if (groups.length === 0) return null;
  const all = groups.flatMap(([column, { values }]) => values.map((value) => [column, value] as const));
  const place = slice === undefined ? -1 : all.findIndex(([c, v]) => c === slice[0] && v === slice[1]);
  return (
    <select
      class={slice === undefined ? undefined : 'picked'}
      aria-label="Slice"
      value={place === -1 ? '' : String(place)}
      onChange={({ currentTarget }) => {
        const picked = currentTarget.value === '' ? undefined : all[Number(currentTarget.value)];
        props.set(picked === undefined ? rest : { ...rest, slice: picked });
      }}
    >
      <option value="">any slice</option>
      {groups.map(([column, { values }]) => (
        <optgroup key={column} label={shortName(column)}>
          {values.map((value) => (
            <option
              key={value}
              value={String(all.findIndex(([c, v]) => c === column && v === value))}
              disabled={!isAddressable(value)}
            >
              {shortName(value)}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}
