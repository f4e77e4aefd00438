// Imported first by every script, and kept to syntax that old versions of Node can read:
// someone with such a version shall read this line and not a stack trace.
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const [wantedMajor, wantedMinor] = engines.node.replace('>=', '').split('.').map(Number);
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < wantedMajor || (major === wantedMajor && minor < wantedMinor)) {
  console.error(`voucherd needs Node ${engines.node}; this is Node ${process.versions.node}.`);
  process.exit(1);
}
