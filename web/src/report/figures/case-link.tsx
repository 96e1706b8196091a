import { ShortText } from '../short-text.tsx';
import { linkTo, useReport } from '../report-context.ts';
import { caseState, isAddressable } from '../state.ts';

/** A case, as the run that is looked at has it unless another is meant; within it an item: `<side>.<kind>.<index>`. */
export function CaseLink(props: { readonly id: string; readonly item?: string; readonly run?: number }) {
  const report = useReport();
  const run = props.run ?? report.state.run;
  const item = props.item === undefined ? null : `${run ?? report.run}.${props.item}`;
  const { id } = props;
  // An id that no address can hold opens by its place, once the list of cases is read.
  const row = isAddressable(id) ? 0 : report.table.kind === 'ready' ? report.table.value.ids.indexOf(id) : -1;
  if (row < 0) return <ShortText text={id} />;
  return (
    <a class="case-link" href={linkTo(report.state, { view: 'cases', ...caseState(id, row), item, run })}>
      <ShortText text={id} />
    </a>
  );
}

export function CaseLinks(props: {
  readonly shown: readonly string[];
  readonly total: number;
  readonly most?: number;
}) {
  const shown = props.shown.slice(0, props.most ?? props.shown.length);
  return (
    <span class="case-links">
      {shown.map((id, at) => (
        <span key={id}>
          {at === 0 ? '' : ', '}
          <CaseLink id={id} />
        </span>
      ))}
      {props.total > shown.length && shown.length > 0 ? ', …' : ''}
    </span>
  );
}
