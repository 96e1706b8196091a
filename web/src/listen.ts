/** Takes a handler of any kind of event, as `addEventListener` does. */
type Handler = { handle(event: Event): void }['handle'];

/** Listens to events of the page or of an element; returns how to stop. */
export function listen(
  target: EventTarget,
  handlers: Readonly<Record<string, Handler>>,
  options: AddEventListenerOptions = {},
): () => void {
  for (const [type, handler] of Object.entries(handlers)) target.addEventListener(type, handler, options);
  return () => {
    for (const [type, handler] of Object.entries(handlers)) target.removeEventListener(type, handler, options);
  };
}
