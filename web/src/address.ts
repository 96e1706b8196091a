/** The target of a link: `#TOKEN`, or `#TOKEN/ITEM` once an item was opened, so that a reload returns to it. */
export interface Address {
  readonly token: string;
  readonly item: string | null;
}

/** Null where there is no token that could be one. */
export function parseAddress(hash: string): Address | null {
  const [token = '', item = ''] = hash.replace(/^#/, '').split('/', 2);
  if (!/^[A-Za-z0-9_-]{8,256}$/.test(token)) return null;
  return { token, item: item === '' ? null : decoded(item) };
}

export function formatAddress({ token, item }: Address): string {
  return item === null ? `#${token}` : `#${token}/${encodeURIComponent(item)}`;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
