const SECONDS = /^\d+(?:\.\d+)?$/;
// Google says it in the body: {"@type": "…RetryInfo", "retryDelay": "34s"}.
const DELAY_IN_BODY = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/;

/**
 * How long a provider asks to wait, in milliseconds; null where it does not say. By the header `retry-after-ms` (OpenAI),
 * `retry-after` in seconds or as a date (RFC 9110, 10.2.3), or Google's RetryInfo in the body.
 *
 * @example retryAfterMs({ 'retry-after': '2' }, null, 0) // 2000
 */
export function retryAfterMs(
  headers: Readonly<Record<string, string>>,
  body: string | null,
  now: number,
): number | null {
  const milliseconds = headers['retry-after-ms']?.trim() ?? '';
  if (SECONDS.test(milliseconds)) return Math.ceil(Number(milliseconds));
  const given = headers['retry-after']?.trim() ?? '';
  if (SECONDS.test(given)) return Math.ceil(Number(given) * 1000);
  const date = Date.parse(given);
  if (!Number.isNaN(date)) return Math.max(0, date - now);
  const inBody = DELAY_IN_BODY.exec(body ?? '')?.[1];
  return inBody === undefined ? null : Math.ceil(Number(inBody) * 1000);
}
