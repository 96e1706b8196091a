/** The target of a link, `#TOKEN` or `#TOKEN/ITEM`. Once the tab has kept the token, the address is `#/ITEM`. */
export interface Address {
  readonly token: string;
  readonly item: string | null;
}

/** Null where there is no token that could be one; `kept` is the token of the tab. */
export function parseAddress(hash: string, kept: string | null = null): Address | null {
  const [written = '', item = ''] = hash.replace(/^#/, '').split('/', 2);
  const token = written === '' ? (kept ?? '') : written;
  if (!/^[A-Za-z0-9_-]{8,256}$/.test(token)) return null;
  return { token, item: item === '' ? null : decoded(item) };
}

export function formatAddress({ token, item }: Address, kept: string | null = null): string {
  const written = token === kept ? '' : token;
  return item === null ? `#${written}` : `#${written}/${encodeURIComponent(item)}`;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
