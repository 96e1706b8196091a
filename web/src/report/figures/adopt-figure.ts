import { makePickable } from './pickable.ts';
import { refusalOf } from './svg-policy.ts';

export interface Adoption {
  /** Begins the ids, which several figures of a page may share otherwise. */
  readonly prefix: string;
  /** Makes what carries data a button. */
  readonly pickable: boolean;
}

/** A figure as an element of this page, or why it cannot be one. */
export type Adopted =
  | { readonly figure: SVGSVGElement; readonly refused: null }
  | { readonly figure: null; readonly refused: string };

/** Takes a figure in as elements: nothing of it is ever read as HTML, and only what figures are made of gets in. */
export function adoptFigure(svg: string, { prefix, pickable }: Adoption): Adopted {
  const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml');
  const root = parsed.documentElement;
  // The parser reports an error as an element, which is not one of ours either.
  const all = [root, ...root.querySelectorAll('*')];
  for (const element of all) {
    const refused = refusalOf({
      namespace: element.namespaceURI,
      name: element.localName,
      attributes: [...element.attributes],
    });
    if (refused !== null) return { figure: null, refused };
  }
  const figure = document.importNode(root, true);
  if (!(figure instanceof SVGSVGElement)) return { figure: null, refused: `an element ${root.localName}` };
  figure.removeAttribute('width');
  figure.removeAttribute('height');
  renameIds(figure, prefix);
  if (pickable) makePickable(figure);
  return { figure, refused: null };
}

function renameIds(figure: SVGSVGElement, prefix: string): void {
  for (const element of [figure, ...figure.querySelectorAll('[id]')])
    if (element.id !== '') element.id = `${prefix}${element.id}`;
  for (const name of ['aria-labelledby', 'aria-describedby']) {
    const ids = figure.getAttribute(name);
    if (ids !== null)
      figure.setAttribute(
        name,
        ids
          .split(/\s+/)
          .map((id) => `${prefix}${id}`)
          .join(' '),
      );
  }
}
