import { isRecord } from '../../data/record-fields.ts';
import { parseTemplate, renderValue, render, type Scope } from './template.ts';

/** What is sent for an item. */
export interface RequestBody {
  readonly contentType: string;
  readonly text: string;
}

type Maker = (scope: Scope) => unknown;

/**
 * The body of a request: structured data, in which a text that is one variable becomes its value and other texts are
 * filled, or one text, which is sent as it is. Without a template, the item.
 */
export function bodyTemplate(template: unknown, where: string): (scope: Scope) => RequestBody {
  if (typeof template === 'string') {
    const parsed = parseTemplate(template, where);
    return (scope) => ({ contentType: 'text/plain; charset=utf-8', text: render(parsed, scope, where) });
  }
  const make: Maker =
    template === undefined
      ? ({ known: { id, input, metadata, repeat } }) => ({ id, input, metadata, repeat })
      : makerOf(template, where);
  return (scope) => ({ contentType: 'application/json', text: JSON.stringify(make(scope)) });
}

function makerOf(template: unknown, where: string): Maker {
  if (typeof template === 'string') {
    const parsed = parseTemplate(template, where);
    return (scope) => renderValue(parsed, scope, where);
  }
  if (Array.isArray(template)) {
    const makers = template.map((one: unknown, at) => makerOf(one, `${where}.${at}`));
    return (scope) => makers.map((make) => make(scope));
  }
  if (!isRecord(template)) return () => template;
  const makers = Object.entries(template).map(([key, one]): [string, Maker] => [key, makerOf(one, `${where}.${key}`)]);
  return (scope) => Object.fromEntries(makers.map(([key, make]) => [key, make(scope)]));
}
