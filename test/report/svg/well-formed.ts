import { expect } from 'vitest';

const TAG = /^<(\/?)([A-Za-z][\w-]*)((?:\s+[A-Za-z][\w:-]*="[^"<]*")*)\s*(\/?)>/;
const ENTITY = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9A-Fa-f]+);)/;
/** What XML 1.0 does not allow in a document. */
const FORBIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** A small strict reader of XML: tags are closed in order, attributes are quoted and stand once, text is escaped. */
export function expectWellFormed(document: string): void {
  expect(FORBIDDEN.exec(document)).toBeNull();
  expect(ENTITY.exec(document)).toBeNull();
  const body = document.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '');
  expect(body.length).toBeLessThan(document.length);
  const open: string[] = [];
  let roots = 0;
  for (let at = 0; at < body.length;) {
    if (body[at] !== '<') {
      const next = body.indexOf('<', at);
      const text = body.slice(at, next === -1 ? body.length : next);
      if (open.length === 0) expect(text.trim()).toBe('');
      expect(text).not.toContain('>');
      at += text.length;
      continue;
    }
    const tag = TAG.exec(body.slice(at, at + 20_000));
    expect(tag, `not a tag: ${body.slice(at, at + 60)}`).not.toBeNull();
    const [whole, closing, name, attributes, empty] = tag!;
    const names = [...attributes!.matchAll(/([\w:-]+)="/g)].map(([, attribute]) => attribute);
    expect(new Set(names).size, `an attribute twice in ${whole}`).toBe(names.length);
    if (closing === '/') expect(open.pop()).toBe(name);
    else {
      if (open.length === 0) roots += 1;
      if (empty !== '/') open.push(name!);
    }
    at += whole.length;
  }
  expect(open).toEqual([]);
  expect(roots).toBe(1);
}
