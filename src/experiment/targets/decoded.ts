import { shorten, visible } from '../../data/visible.ts';
import { TargetError } from './target.ts';

const CHARSET = /;\s*charset\s*=\s*(?:"(?<quoted>[^"]*)"|(?<bare>[^\s;"]+))/i;

/**
 * The text of an answer, in the charset that its Content-Type declares, UTF-8 where it declares none. Bytes that are not
 * of it are a failure: a letter that became a replacement character would be scored as if the server had sent it.
 */
export function decoded(bytes: ArrayBuffer, contentType: string): string {
  const { quoted, bare } = CHARSET.exec(contentType)?.groups ?? {};
  const declared = quoted ?? bare ?? null;
  const said = declared === null ? 'UTF-8, and the server declares no other charset' : visible(shorten(declared));
  try {
    return new TextDecoder(declared ?? 'utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw unreadable(error instanceof RangeError ? `its charset ${said} is not known` : `its bytes are not ${said}`);
  }
}

function unreadable(why: string): TargetError {
  return new TargetError({ kind: 'answer', message: `the server's answer cannot be read: ${why}` });
}
