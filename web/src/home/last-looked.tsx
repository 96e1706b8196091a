import { useEffect, useState } from 'preact/hooks';

import { agoText } from './ago-text.ts';

const SECOND = 1000;

/** When the folder was last looked at, and whether the server still answers. */
export function LastLooked(props: { readonly at: number; readonly trouble: string | null }) {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((n) => n + 1), SECOND);
    return () => clearInterval(timer);
  }, []);
  const looked = props.at === 0 ? '' : `last looked ${agoText(Date.now() - props.at)}`;
  return (
    <p class={props.trouble === null ? 'looked hint' : 'looked trouble'}>
      <span role="status">{props.trouble ?? ''}</span>
      {props.trouble === null || looked === '' ? looked : `, ${looked}`}
    </p>
  );
}
