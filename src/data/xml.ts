import { InputError } from './problems.ts';

/** An element of an XML document. */
export interface XmlElement {
  /** With its prefix, as written. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (XmlElement | string)[];
  readonly line: number;
}

const DEEPEST = 200;
/** Elements (which count twice), attributes and texts of a file: read and scored, so many take about 450 MB. */
const MOST_PARTS = 900_000;
const MOST_ATTRIBUTES = 1000;
const NO_ATTRIBUTES: XmlElement['attributes'] = {};
const NO_CHILDREN: XmlElement['children'] = [];
const NAME = /[\p{L}_:][\p{L}\p{N}_:.\-\u00b7]*/uy;
const ATTRIBUTE = /\s+([\p{L}_:][\p{L}\p{N}_:.\-\u00b7]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/uy;
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/**
 * The root of an XML document: elements, attributes, text and CDATA. A document type is refused, so that nothing is ever
 * expanded or loaded from elsewhere; comments and processing instructions are left out.
 */
export function parseXml(written: string, file: string): XmlElement {
  // All line ends are one to a reader of XML.
  const text = written.replaceAll(/\r\n?/g, '\n');
  let at = 0;
  let line = 1;
  let counted = 0;
  const lineAt = (place: number): number => {
    for (; counted < place; counted += 1) if (text.charCodeAt(counted) === 10) line += 1;
    return line;
  };
  const fault = (message: string): InputError =>
    new InputError([{ file, line: lineAt(at), message: `not well-formed XML: ${message}` }]);
  const until = (end: string, what: string): string => {
    const found = text.indexOf(end, at);
    if (found < 0) throw fault(`${what} has no end`);
    const inner = text.slice(at, found);
    at = found + end.length;
    return inner;
  };
  const open: (XmlElement & { children: (XmlElement | string)[] })[] = [];
  let root: XmlElement | null = null;
  let parts = 0;
  const count = (): void => {
    if ((parts += 1) > MOST_PARTS)
      throw fault(`more than ${MOST_PARTS} elements, attributes and texts; split the document`);
  };
  const addText = (piece: string): void => {
    const top = open.at(-1);
    if (piece !== '') count();
    if (top !== undefined) top.children.push(piece);
    else if (piece.trim() !== '') throw fault('text outside the root element');
  };
  const addElement = (element: XmlElement): void => {
    const top = open.at(-1);
    if (top !== undefined) top.children.push(element);
    else if (root !== null) throw fault('more than one root element');
    else root = element;
  };
  while (at < text.length) {
    if (text[at] !== '<') {
      const end = text.indexOf('<', at);
      const piece = text.slice(at, end < 0 ? text.length : end);
      addText(decoded(piece, fault));
      at += piece.length;
    } else if (text.startsWith('<!--', at)) {
      at += 4;
      until('-->', 'a comment');
    } else if (text.startsWith('<![CDATA[', at)) {
      at += 9;
      addText(until(']]>', 'a CDATA section'));
    } else if (text.startsWith('<?', at)) {
      at += 2;
      until('?>', 'a processing instruction');
    } else if (text.startsWith('<!', at)) throw fault('a document type is not allowed');
    else if (text.startsWith('</', at)) {
      at += 2;
      const name = until('>', 'an end tag').trim();
      const closed = open.pop();
      if (closed?.name !== name) throw fault(`</${name}> where </${closed?.name ?? '…'}> is expected`);
      addElement(closed);
    } else {
      const start = lineAt(at);
      NAME.lastIndex = at + 1;
      const name = NAME.exec(text)?.[0];
      if (name === undefined) throw fault('a tag without a name');
      at += 1 + name.length;
      count();
      count();
      const attributes: Record<string, string> = {};
      const before = parts;
      for (ATTRIBUTE.lastIndex = at; ;) {
        const match = ATTRIBUTE.exec(text);
        if (match === null) break;
        at = ATTRIBUTE.lastIndex;
        count();
        const [, key = '', double, single] = match;
        // White space that is not an entity is a space in an attribute.
        const value = (double ?? single ?? '').replaceAll(/[\t\n]/g, ' ');
        if (Object.hasOwn(attributes, key)) throw fault(`the attribute ${key} is there twice`);
        if (parts - before > MOST_ATTRIBUTES) throw fault(`more than ${MOST_ATTRIBUTES} attributes of an element`);
        if (key !== '__proto__') attributes[key] = decoded(value, fault);
      }
      const rest = /\s*(\/?)>/y;
      rest.lastIndex = at;
      const end = rest.exec(text);
      if (end === null) throw fault(`the tag <${name}> is not closed`);
      at = rest.lastIndex;
      if (open.length >= DEEPEST) throw fault(`nested more than ${DEEPEST} levels deep`);
      const element = { name, attributes: parts === before ? NO_ATTRIBUTES : attributes, line: start };
      if (end[1] === '/') addElement({ ...element, children: NO_CHILDREN });
      else open.push({ ...element, children: [] });
    }
  }
  if (open.length > 0) throw fault(`<${open.at(-1)!.name}> is not closed`);
  if (root === null) throw fault('there is no element');
  return root;
}

function decoded(text: string, fault: (message: string) => InputError): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&([^;&\s]{1,12});|&/g, (whole, name: string | undefined) => {
    if (name === undefined) throw fault('& that begins no entity');
    const known = Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined;
    if (known !== undefined) return known;
    const code = /^#x[0-9a-f]+$/i.test(name)
      ? Number.parseInt(name.slice(2), 16)
      : /^#\d+$/.test(name)
        ? Number(name.slice(1))
        : NaN;
    if (!(code >= 1 && code <= 0x10ffff) || (code >= 0xd800 && code <= 0xdfff)) throw fault(`unknown entity ${whole}`);
    return String.fromCodePoint(code);
  });
}

/** Characters that XML cannot hold, not even as entities. */
export const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** A text as it is written in XML; characters that XML cannot hold become U+FFFD. */
export function escapeXml(text: string): string {
  return text
    .replaceAll(NOT_XML, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll(/[\n\r\t]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** All text in an element, in order. */
export function xmlContent({ children }: XmlElement): string {
  return children.map((child) => (typeof child === 'string' ? child : xmlContent(child))).join('');
}

export function xmlElements({ children }: XmlElement, name?: string): XmlElement[] {
  return children
    .filter((child) => typeof child !== 'string')
    .filter((child) => name === undefined || child.name === name);
}
