// What package-lock.json and npm's own record of an installation say, without a look at the disk.

/** `node_modules/a/node_modules/b` → `node_modules/a` → ``: where Node looks next. */
const above = (path) => path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/')));

/** Where the lock file has the package that is meant by a name in the package at a path. */
const placeOf = (packages, from, name) => {
  const place = from === '' ? `node_modules/${name}` : `${from}/node_modules/${name}`;
  if (packages[place]) return place;
  return from === '' ? undefined : placeOf(packages, above(from), name);
};

const neededBy = ({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }) => [
  ...Object.keys({ ...dependencies, ...optionalDependencies }),
  ...Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional),
];

/** The paths of the packages that running and building need: those of the root, without its workspaces. */
export const programIn = (packages) => {
  const found = new Set();
  const follow = (from, names) => {
    for (const name of names) {
      const place = placeOf(packages, from, name);
      if (place === undefined || found.has(place)) continue;
      found.add(place);
      follow(place, neededBy(packages[place]));
    }
  };
  const root = packages[''];
  follow('', [...neededBy(root), ...Object.keys(root.devDependencies ?? {})]);
  return found;
};

/** Whether tools are among what is installed, in whatever version. */
export const hasTools = (wanted, installed) => {
  const program = programIn(wanted);
  return Object.keys(installed).some((path) => wanted[path]?.dev && !program.has(path));
};

/** The first of these packages that is not installed as the lock file wants it. */
const firstStale = (wanted, installed, paths) =>
  paths.find((path) => {
    const { integrity, optional, devOptional } = wanted[path];
    // Optional packages are those for other platforms; npm leaves them out.
    if ((optional || devOptional) && !installed[path]) return false;
    return installed[path]?.integrity !== integrity;
  });

const specifications = ({ dependencies, devDependencies, optionalDependencies, peerDependencies }) =>
  JSON.stringify([dependencies, devDependencies, optionalDependencies, peerDependencies]);

/** Whether the lock file was written for these package.json, which `readPackage` gets for a folder. */
export const isLockOf = (packages, readPackage) =>
  ['', ...(packages[''].workspaces ?? [])].every(
    (folder) => packages[folder] && specifications(packages[folder]) === specifications(readPackage(folder)),
  );

const because = (path) =>
  `${path.replace(/^.*node_modules\//, '')} is not installed as package-lock.json says`;

/**
 * How npm has to install so that the packages of the program, and with `tools` those of checks and tests, are there
 * as the lock file wants them, and why; undefined when they are. `program` and `everything` start from scratch;
 * `addition` leaves what is there and right, such as the compiled sqlite3. Tools that are installed are not lost.
 * Only `npm ci` refuses a lock file that does not fit package.json: without `lockFits` nothing is added.
 */
export const planFor = ({ wanted, installed, tools, lockFits }) => {
  const fromScratch = (all, reason) => ({ how: all ? 'everything' : 'program', reason });
  if (!installed) return fromScratch(tools, 'an earlier installation was not finished');
  const program = firstStale(wanted, installed, [...programIn(wanted)]);
  const withTools = hasTools(wanted, installed);
  if (program) return fromScratch(tools || withTools, because(program));
  const rest = tools ? firstStale(wanted, installed, Object.keys(wanted)) : undefined;
  if (rest === undefined) return undefined;
  const reason = withTools ? because(rest) : 'the tools for checks and tests are missing';
  return lockFits ? { how: 'addition', reason } : fromScratch(true, reason);
};
