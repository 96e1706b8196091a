import { makeStyle, type Style, USUAL_WIDTH } from './style.ts';

/** The style that fits a stream. As Node does, FORCE_COLOR goes before NO_COLOR. */
export function terminalStyle(
  stream: { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined },
  env: Readonly<Record<string, string | undefined>> = process.env,
): Style {
  const terminal = stream.isTTY === true;
  return makeStyle({ terminal, width: stream.columns ?? USUAL_WIDTH, colour: wantsColour(terminal, env) });
}

function wantsColour(terminal: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  const force = env['FORCE_COLOR'];
  if (force !== undefined) return force !== '0' && force !== 'false';
  const no = env['NO_COLOR'];
  return terminal && env['TERM'] !== 'dumb' && (no === undefined || no === '');
}
