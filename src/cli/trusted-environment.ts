/** The environment, in which an https server that is named on the command line may have the key; one that only a file names may not. */
export function trustedEnvironment(baseUrl: string | undefined): NodeJS.ProcessEnv {
  const url = URL.parse(baseUrl ?? '');
  if (url?.protocol !== 'https:') return process.env;
  const others = process.env['ASSAY_KEY_SERVERS'] ?? '';
  return { ...process.env, ASSAY_KEY_SERVERS: others.trim() === '' ? url.origin : `${others},${url.origin}` };
}
