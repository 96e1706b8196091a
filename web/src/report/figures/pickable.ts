import { stepOf } from '../case/step-of.ts';

/** Makes the elements of a figure that carry data pickable; those with the same data are one thing to pick. */
export function makePickable(figure: SVGSVGElement): void {
  const found = [...figure.querySelectorAll<SVGElement>('*')].filter(
    (element) => Object.keys(element.dataset).length > 0,
  );
  if (found.length === 0) return;
  // An image is one thing to a screen reader, and nothing within it can be reached.
  figure.setAttribute('role', 'group');
  for (const element of found) element.classList.add('pickable');
  for (const same of Map.groupBy(found, ({ dataset }) => JSON.stringify(dataset)).values()) {
    const element = same.find((one) => one.querySelector('text') !== null) ?? same[0];
    element?.setAttribute('role', 'button');
    element?.setAttribute('tabindex', '-1');
    if (element?.hasAttribute('aria-label') === false) element.setAttribute('aria-label', nameOf(element));
  }
  // One stop for the tab key: the arrows go on from there, and a table of many cells is not in anybody's way.
  buttonsOf(figure)[0]?.setAttribute('tabindex', '0');
}

/** The data of what was picked; null beside it. */
export function pickedData(from: EventTarget | null): DOMStringMap | null {
  const element = from instanceof Element ? from.closest('.pickable') : null;
  return element instanceof SVGElement ? element.dataset : null;
}

/** Goes from one part to the next; false where the key is not for that. */
export function moveFocus(event: KeyboardEvent): boolean {
  const from = event.target;
  if (!(from instanceof SVGElement) || from.ownerSVGElement === null) return false;
  const buttons = buttonsOf(from.ownerSVGElement);
  const at = buttons.indexOf(from);
  const to = at === -1 ? null : stepOf(event, at, buttons.length);
  if (to === null) return false;
  const next = buttons[to];
  from.setAttribute('tabindex', '-1');
  next?.setAttribute('tabindex', '0');
  next?.focus();
  return true;
}

function buttonsOf(figure: SVGSVGElement): SVGElement[] {
  return [...figure.querySelectorAll<SVGElement>('.pickable[role="button"]')];
}

/** The visible text comes first, unchanged, so that voice control recognises it. */
function nameOf(element: SVGElement): string {
  const texts = [...element.querySelectorAll('text')].filter((text) => text.getAttribute('aria-hidden') !== 'true');
  const seen = texts.map((text) => [...text.childNodes].filter(isSeen).map(textOf).join('')).join(' ');
  const title = element.querySelector(':scope > title')?.textContent ?? '';
  const name = [seen, title]
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(': ');
  return name === '' ? Object.values(element.dataset).join(', ') : name;
}

function isSeen(node: Node): boolean {
  return node.nodeName !== 'title';
}

function textOf(node: Node): string {
  return node.textContent ?? '';
}
