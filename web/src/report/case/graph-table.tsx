import type { LedgerItem } from '../../../../src/score/ledger.ts';
import { useShown } from '../../use-shown.tsx';
import { type CaseLine, lineKey } from './case-items.ts';
import { valueText } from './item-fields.ts';
import { VERDICT_ORDER } from './verdict-words.ts';
import { VerdictChip, Words } from './words.tsx';

const MOST = 200;

export function GraphTable(props: {
  readonly lines: readonly CaseLine[];
  readonly isSelected: (keys: readonly string[]) => boolean;
  readonly onSelect: (key: string) => void;
}) {
  const of = (kind: string): readonly CaseLine[] =>
    props.lines
      .filter(({ record }) => record.kind === kind)
      .toSorted((a, b) => VERDICT_ORDER.indexOf(a.record.verdict) - VERDICT_ORDER.indexOf(b.record.verdict));
  const [relationships, entities] = [of('relationship'), of('entity')];
  return (
    <div class="graph-tables">
      {relationships.length === 0 ? null : (
        <List
          {...props}
          title="Relationships"
          heads={['From', 'Type', 'To']}
          lines={relationships}
          cells={relationshipCells}
        />
      )}
      {entities.length === 0 ? null : (
        <List {...props} title="Entities" heads={['Type', 'Gold', 'Predicted']} lines={entities} cells={entityCells} />
      )}
    </div>
  );
}

function List(props: {
  readonly title: string;
  readonly heads: readonly string[];
  readonly lines: readonly CaseLine[];
  readonly cells: (line: CaseLine) => readonly (string | null)[];
  readonly isSelected: (keys: readonly string[]) => boolean;
  readonly onSelect: (key: string) => void;
}) {
  const { lines, cells, onSelect } = props;
  const [shown, more] = useShown(lines, MOST);
  return (
    <div class="table-frame frame">
      <table class="items-table">
        <caption>{props.title}</caption>
        <thead>
          <tr>
            <th scope="col">Verdict</th>
            {props.heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((line) => {
            const key = lineKey(line) ?? '';
            const selected = props.isSelected([line.gold, line.predicted].flatMap((side) => side?.key ?? []));
            return (
              <tr
                key={key}
                class={`${line.record.verdict}${selected ? ' selected' : ''}`}
                onClick={() => onSelect(key)}
              >
                <td>
                  <button type="button" class="bare row-button" aria-pressed={selected}>
                    <VerdictChip verdict={line.record.verdict} />
                  </button>
                </td>
                {cells(line).map((cell, at) => (
                  <td key={at} class={cell === null ? 'absent muted' : ''}>
                    {cell === null ? '–' : <Words text={cell} most={120} />}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
      {more}
    </div>
  );
}

function relationshipCells({ record, gold, predicted }: CaseLine): readonly (string | null)[] {
  const item = (gold ?? predicted)?.item;
  return [endOf(item, 'source'), record.label, endOf(item, 'target')];
}

function endOf(item: LedgerItem | undefined, end: string): string | null {
  return item === undefined || !Object.hasOwn(item, end) ? null : (valueText(item[end]) ?? '(unresolved)');
}

function entityCells({ record, gold, predicted }: CaseLine): readonly (string | null)[] {
  return [record.label, gold?.item.text ?? null, predicted?.item.text ?? null];
}
