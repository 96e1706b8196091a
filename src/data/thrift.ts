const MOST_DEPTH = 32;

/** Number of a Thrift varint that is a length, and the offset behind it. */
export function lengthAt(view: DataView, start: number): { readonly length: number; readonly end: number } {
  let length = 0;
  for (let at = start, unit = 1; at < start + 5; at += 1, unit *= 128) {
    const byte = view.getUint8(at);
    length += (byte & 0x7f) * unit;
    if (byte < 0x80) return { length, end: at + 1 };
  }
  throw new RangeError('a length has more than five bytes');
}

/**
 * Checks a struct of Thrift's compact protocol, and returns the offset behind it. A parser that trusts it allocates
 * whatever a list claims to hold: each value must be there, and there may be `most`.
 */
export function thriftEnd(view: DataView, start: number, most: number): number {
  let at = start;
  let values = 0;
  const skip = (bytes: number): void => {
    at += bytes;
    if (at > view.byteLength) throw new RangeError('a value ends behind the end of the data');
  };
  const length = (): number => {
    const { length: number, end } = lengthAt(view, at);
    at = end;
    return number;
  };
  const element = (type: number, depth: number): void => {
    if (++values > most) throw new RangeError(`more than ${most} values are listed`);
    if (type === 3) skip(1);
    else if (type >= 4 && type <= 6) {
      const last = at + 9;
      while (view.getUint8(at++) >= 0x80) if (at > last) throw new RangeError('a number has more than ten bytes');
    } else if (type === 7) skip(8);
    else if (type === 8) skip(length());
    else if (type === 9) list(depth + 1);
    else if (type === 12) struct(depth + 1);
    else throw new RangeError(`a value has the unknown type ${type}`);
  };
  const list = (depth: number): void => {
    if (depth > MOST_DEPTH) throw new RangeError('lists are nested too deeply');
    const head = view.getUint8(at++);
    const type = head & 0x0f;
    const size = head >> 4 === 15 ? length() : head >> 4;
    if (size > view.byteLength - at) throw new RangeError(`a list of ${size} values is longer than the data`);
    // A truth value of a list has a byte, unlike one of a struct.
    for (let index = 0; index < size; index++) element(type === 1 || type === 2 ? 3 : type, depth);
  };
  const struct = (depth: number): void => {
    if (depth > MOST_DEPTH) throw new RangeError('structs are nested too deeply');
    for (;;) {
      const head = view.getUint8(at++);
      const type = head & 0x0f;
      if (type === 0) return;
      if (head >> 4 === 0) element(5, depth);
      if (type > 2) element(type, depth);
    }
  };
  struct(0);
  return at;
}
