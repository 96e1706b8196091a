// Loaded with --require: when the process ends, writes what it took to file descriptor 3, all its threads included.
const { writeSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

if (isMainThread) process.on('exit', () => writeSync(3, JSON.stringify(process.resourceUsage())));
