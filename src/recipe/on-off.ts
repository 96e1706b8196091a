/** `off` takes an entry out of the recipe; its name stays known. */
export function isOff(value: unknown): value is 'off' | false {
  return value === 'off' || value === false;
}

/** `on`, or nothing at all after the colon: the entry with its usual settings. */
export function isPlainOn(value: unknown): value is 'on' | true | null {
  return value === 'on' || value === true || value === null;
}
