import { retryAfterMs } from '../../../src/experiment/limits/retry.ts';
import { TargetError } from '../../../src/experiment/targets/target.ts';

/** One attempt at one question, by the least that a client does. */
export async function ask(url: string, question: string, signal: AbortSignal): Promise<string> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${url}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: question }] }),
      signal,
    });
    text = await response.text();
  } catch (error) {
    throw new TargetError({ kind: 'connection', message: String(error) });
  }
  if (response.status === 200) {
    const { choices } = JSON.parse(text) as { choices: { message: { content: string } }[] };
    return choices[0]!.message.content;
  }
  throw new TargetError({
    kind: response.status === 429 ? 'rate' : 'server',
    message: `HTTP ${response.status}`,
    retryAfterMs: retryAfterMs(Object.fromEntries(response.headers), text, Date.now()),
  });
}

/** Runs through a list with so many workers, as a run does: each takes the next one when it is done with the last. */
export async function throughAll<T>(
  list: readonly T[],
  workers: number,
  work: (one: T, at: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: workers }, async () => {
      while (next < list.length) {
        const at = next;
        next += 1;
        await work(list[at]!, at);
      }
    }),
  );
}
