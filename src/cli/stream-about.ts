/** What `assay --help` says of the stream commands without reading them. */
export const STREAM_ABOUT = 'summaries of a running conversation: record, validate, replay, measure, compare';
