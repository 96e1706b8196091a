CREATE TABLE datasets (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL UNIQUE,
  archived INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  items_changed_at TEXT NOT NULL,
  description TEXT,
  metadata TEXT,
  input_schema TEXT,
  expected_output_schema TEXT
);

-- One row for each life of an item: an id that was deleted may be used again.
CREATE TABLE dataset_items (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  dataset_id TEXT NOT NULL REFERENCES datasets (id) ON DELETE CASCADE,
  created_at TEXT NOT NULL,
  deleted_at TEXT
);
CREATE UNIQUE INDEX dataset_items_by_id ON dataset_items (id) WHERE deleted_at IS NULL;
CREATE INDEX dataset_items_by_dataset ON dataset_items (dataset_id, seq);

-- One row for each state of an item; the one without an end is how it is now.
CREATE TABLE dataset_item_states (
  seq INTEGER PRIMARY KEY,
  item_seq INTEGER NOT NULL REFERENCES dataset_items (seq) ON DELETE CASCADE,
  valid_from TEXT NOT NULL,
  valid_to TEXT,
  status TEXT NOT NULL,
  hash TEXT NOT NULL,
  source_trace_id TEXT,
  source_observation_id TEXT,
  metadata TEXT,
  input TEXT,
  expected_output TEXT
);
CREATE INDEX dataset_item_states_by_item ON dataset_item_states (item_seq, valid_from);
CREATE UNIQUE INDEX dataset_item_states_now ON dataset_item_states (item_seq) WHERE valid_to IS NULL;
CREATE INDEX dataset_item_states_by_trace ON dataset_item_states (source_trace_id) WHERE source_trace_id IS NOT NULL;
CREATE INDEX dataset_item_states_by_observation ON dataset_item_states (source_observation_id)
  WHERE source_observation_id IS NOT NULL;

CREATE TABLE dataset_versions (
  seq INTEGER PRIMARY KEY,
  dataset_id TEXT NOT NULL REFERENCES datasets (id) ON DELETE CASCADE,
  hash TEXT NOT NULL,
  items INTEGER NOT NULL,
  at TEXT NOT NULL
);
CREATE INDEX dataset_versions_by_dataset ON dataset_versions (dataset_id, seq);

-- Type and tags belong to all versions of a prompt.
CREATE TABLE prompts (
  seq INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  tags TEXT NOT NULL DEFAULT '[]'
);
CREATE INDEX prompts_by_update ON prompts (updated_at);

CREATE TABLE prompt_versions (
  prompt_seq INTEGER NOT NULL REFERENCES prompts (seq) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  commit_message TEXT,
  config TEXT,
  prompt TEXT NOT NULL,
  PRIMARY KEY (prompt_seq, version)
);

CREATE TABLE prompt_labels (
  prompt_seq INTEGER NOT NULL,
  label TEXT NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (prompt_seq, label),
  FOREIGN KEY (prompt_seq, version) REFERENCES prompt_versions (prompt_seq, version) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX prompt_labels_by_version ON prompt_labels (prompt_seq, version);
CREATE INDEX prompt_labels_by_label ON prompt_labels (label);

CREATE TABLE traces (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  timestamp TEXT NOT NULL,
  name TEXT,
  user_id TEXT,
  session_id TEXT,
  release TEXT,
  version TEXT,
  environment TEXT NOT NULL DEFAULT 'default',
  public INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  tags TEXT NOT NULL DEFAULT '[]',
  metadata TEXT,
  input TEXT,
  output TEXT
);
CREATE INDEX traces_by_time ON traces (timestamp);
CREATE INDEX traces_by_name ON traces (name, timestamp);
CREATE INDEX traces_by_environment ON traces (environment, timestamp);
CREATE INDEX traces_by_user ON traces (user_id, timestamp) WHERE user_id IS NOT NULL;
CREATE INDEX traces_by_session ON traces (session_id, timestamp) WHERE session_id IS NOT NULL;
CREATE INDEX traces_by_version ON traces (version, timestamp) WHERE version IS NOT NULL;
CREATE INDEX traces_by_release ON traces (release, timestamp) WHERE release IS NOT NULL;

CREATE TABLE trace_tags (
  tag TEXT NOT NULL,
  trace_id TEXT NOT NULL REFERENCES traces (id) ON DELETE CASCADE,
  PRIMARY KEY (tag, trace_id)
) WITHOUT ROWID;
CREATE INDEX trace_tags_by_trace ON trace_tags (trace_id);

CREATE TABLE observations (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  trace_id TEXT NOT NULL REFERENCES traces (id) ON DELETE CASCADE,
  parent_observation_id TEXT,
  type TEXT NOT NULL DEFAULT 'SPAN',
  name TEXT,
  start_time TEXT NOT NULL,
  end_time TEXT,
  completion_start_time TEXT,
  model TEXT,
  level TEXT NOT NULL DEFAULT 'DEFAULT',
  version TEXT,
  environment TEXT NOT NULL DEFAULT 'default',
  prompt_name TEXT,
  prompt_version INTEGER,
  experiment_id TEXT,
  experiment_name TEXT,
  experiment_dataset_id TEXT,
  experiment_item_id TEXT,
  experiment_root INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  usage_details TEXT NOT NULL DEFAULT '{}',
  cost_details TEXT NOT NULL DEFAULT '{}',
  model_parameters TEXT,
  status_message TEXT,
  experiment TEXT,
  metadata TEXT,
  input TEXT,
  output TEXT
);
CREATE INDEX observations_by_trace ON observations (trace_id, start_time);
CREATE INDEX observations_by_time ON observations (start_time);
CREATE INDEX observations_by_name ON observations (name, start_time);
CREATE INDEX observations_by_type ON observations (type, start_time);
CREATE INDEX observations_by_environment ON observations (environment, start_time);
CREATE INDEX observations_by_level ON observations (level, start_time);
CREATE INDEX observations_by_version ON observations (version, start_time) WHERE version IS NOT NULL;
CREATE INDEX observations_by_experiment_item ON observations (experiment_item_id) WHERE experiment_item_id IS NOT NULL;
CREATE INDEX observations_by_experiment ON observations (experiment_id, start_time, end_time, experiment_root)
  WHERE experiment_id IS NOT NULL;
CREATE INDEX experiment_roots_by_name ON observations (experiment_name, start_time) WHERE experiment_root = 1;
CREATE INDEX experiment_roots_by_dataset ON observations (experiment_dataset_id, start_time) WHERE experiment_root = 1;

-- A score may come before its trace: nothing has to be there for it.
CREATE TABLE scores (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  data_type TEXT NOT NULL,
  value REAL,
  trace_id TEXT,
  observation_id TEXT,
  session_id TEXT,
  dataset_run_id TEXT,
  source TEXT NOT NULL DEFAULT 'API',
  config_id TEXT,
  author_user_id TEXT,
  environment TEXT NOT NULL DEFAULT 'default',
  timestamp TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  string_value TEXT,
  comment TEXT,
  metadata TEXT
);
CREATE INDEX scores_by_trace ON scores (trace_id) WHERE trace_id IS NOT NULL;
CREATE INDEX scores_by_time ON scores (timestamp);
CREATE INDEX scores_by_name ON scores (name, timestamp);
CREATE INDEX scores_by_observation ON scores (observation_id) WHERE observation_id IS NOT NULL;
CREATE INDEX scores_by_session ON scores (session_id) WHERE session_id IS NOT NULL;
CREATE INDEX scores_by_run ON scores (dataset_run_id) WHERE dataset_run_id IS NOT NULL;
CREATE INDEX scores_by_config ON scores (config_id) WHERE config_id IS NOT NULL;

CREATE TABLE dataset_runs (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  dataset_id TEXT NOT NULL REFERENCES datasets (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  description TEXT,
  metadata TEXT,
  UNIQUE (dataset_id, name)
);

-- Item and trace need not be there: the item may be gone by now, and the trace may still be on its way.
CREATE TABLE dataset_run_items (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  run_id TEXT NOT NULL REFERENCES dataset_runs (id) ON DELETE CASCADE,
  item_id TEXT NOT NULL,
  trace_id TEXT NOT NULL,
  observation_id TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (run_id, item_id, trace_id)
);
CREATE INDEX dataset_run_items_by_run ON dataset_run_items (run_id, seq);
CREATE INDEX dataset_run_items_by_item ON dataset_run_items (item_id);
CREATE INDEX dataset_run_items_by_trace ON dataset_run_items (trace_id);
