/** A step of the schema, not to be changed once it has been released. Prompts have an id for each version. */
export const ANNOTATION_TABLES = `
ALTER TABLE prompt_versions ADD COLUMN id TEXT;
UPDATE prompt_versions SET id = lower(hex(randomblob(16)));
CREATE UNIQUE INDEX prompt_versions_by_id ON prompt_versions (id);
`;
