-- Prompts have an id for each version.
ALTER TABLE prompt_versions ADD COLUMN id TEXT;
UPDATE prompt_versions SET id = lower(hex(randomblob(16)));
CREATE UNIQUE INDEX prompt_versions_by_id ON prompt_versions (id);

CREATE TABLE comments (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  object_type TEXT NOT NULL,
  object_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  content TEXT NOT NULL
);
CREATE INDEX comments_by_object ON comments (object_type, object_id);

CREATE TABLE annotation_queues (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  score_config_ids TEXT NOT NULL,
  description TEXT
);

CREATE TABLE annotation_queue_items (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  queue_id TEXT NOT NULL REFERENCES annotation_queues (id) ON DELETE CASCADE,
  object_type TEXT NOT NULL,
  object_id TEXT NOT NULL,
  status TEXT NOT NULL,
  completed_at TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE INDEX annotation_queue_items_by_queue ON annotation_queue_items (queue_id, status);

-- What was announced, and its content once that is here.
CREATE TABLE media (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  sha256 TEXT NOT NULL,
  content_type TEXT NOT NULL,
  content_length INTEGER NOT NULL,
  uploaded_at TEXT,
  upload_status INTEGER,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  upload_error TEXT,
  content BLOB
);
