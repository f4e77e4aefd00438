// `npm run dev:web`: builds the pages anew whenever one of their files is saved. A service that runs beside it shows
// them when the browser is reloaded.
import './tasks/nodeVersion.mjs';
import { watch } from 'node:fs';
import { say } from './dev/show.mjs';
import { buildWeb } from './tasks/buildWeb.mjs';
import { root } from './tasks/run.mjs';

/** Editors write a file in several steps. */
const settleMs = 100;

let timer;
let building = Promise.resolve();
const build = () => {
  building = building.then(() => buildWeb()).catch((error) => say(error.message));
};

build();
watch(`${root}web`, { recursive: true }, () => {
  clearTimeout(timer);
  timer = setTimeout(build, settleMs);
});
