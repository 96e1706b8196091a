/** What a browser sees at the root: no script, no style, nothing from elsewhere. */
export const LANDING_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>assay serve</title>
<h1>assay serve</h1>
<p>This is a Langfuse-compatible subset: datasets, dataset items, runs, experiments, traces, observations, scores and
prompts, kept in a SQLite file on this machine. It is not Langfuse, and not made by the people of Langfuse.</p>
<p>Programs reach it through the Langfuse SDK with <code>LANGFUSE_BASE_URL</code> set to this address and the two keys
that <code>assay serve</code> printed when it started. <a href="/api/public/health">Is it up?</a></p>
</html>
`;
