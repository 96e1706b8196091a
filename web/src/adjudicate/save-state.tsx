import { counted } from '../counted.ts';

/** Whether everything that was decided has arrived. */
export function SaveState(props: { readonly waiting: number; readonly trouble: string | null }) {
  const { waiting, trouble } = props;
  const kept = `${counted(waiting, 'decision')} kept here until the server answers`;
  return (
    <p class={trouble === null ? 'screen-state hint' : 'screen-state trouble'} role="status">
      {trouble === null ? (waiting === 0 ? 'Saved' : 'Saving…') : waiting === 0 ? trouble : `${trouble} ${kept}.`}
    </p>
  );
}
