import { type Address, formatAddress, parseAddress } from './address.ts';

const KEY = 'assay.review.token';

/** The address of the page. Its token moves into the tab: a screen that is shared or photographed does not show it. */
export function currentAddress(): Address | null {
  const address = parseAddress(location.hash, keptToken());
  if (address === null) return null;
  try {
    sessionStorage.setItem(KEY, address.token);
  } catch {
    // Without storage, a reload needs the token in the address.
  }
  openItem(address, address.item);
  return address;
}

/** Puts an item into the address, so that a reload returns to it. */
export function openItem({ token }: Pick<Address, 'token'>, item: string | null): void {
  history.replaceState(null, '', formatAddress({ token, item }, keptToken()));
}

function keptToken(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}
