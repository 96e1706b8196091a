CREATE TABLE score_configs (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  data_type TEXT NOT NULL,
  is_archived INTEGER NOT NULL DEFAULT 0,
  min_value REAL,
  max_value REAL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  categories TEXT,
  description TEXT
);
CREATE INDEX score_configs_by_time ON score_configs (created_at);
