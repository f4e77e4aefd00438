import { buildWeb } from '../tasks/buildWeb.mjs';
import { root } from '../tasks/run.mjs';
import { say } from './show.mjs';
import { watchTree } from './watchTree.mjs';

/** Editors write a file in several steps. */
const settledMs = 100;

/** Builds the pages when one of their files is saved. What can not be built is said, and the last build goes on. */
export const followPages = () => {
  const stopping = new AbortController();
  const { signal } = stopping;
  let timer;
  let building = Promise.resolve();
  const build = async () => {
    try {
      if (!signal.aborted && (await buildWeb())) say('the pages are built: reload the browser.');
    } catch (error) {
      say(`${error.message}\nthe last pages go on.`);
    }
  };
  const unwatch = ['web', 'src/i18n/guestLanguages.ts'].map((path) =>
    watchTree(`${root}${path}`, () => {
      clearTimeout(timer);
      timer = setTimeout(() => (building = building.then(build)), settledMs);
    }),
  );
  return () => {
    stopping.abort();
    for (const end of unwatch) end();
    clearTimeout(timer);
    return building;
  };
};
