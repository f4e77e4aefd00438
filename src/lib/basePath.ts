const maxLength = 200;

/**
 * The path that everything is below, without a slash at its end; empty for none. `undefined` when it is not
 * one that can be written into addresses, pages and cookies as it is.
 */
export const parseBasePath = (text: string): string | undefined => {
  if (text.length > maxLength) return undefined;
  const path = text.endsWith('/') ? text.slice(0, -1) : text;
  // Browsers resolve segments of dots.
  return /^(\/(?!\.{1,2}(\/|$))[\w.~-]+)*$/.test(path) ? path : undefined;
};

/** The rest of a path below the base path; `undefined` when it is not below it. */
export const stripBasePath = (basePath: string, path: string): string | undefined => {
  if (path === basePath) return '/';
  return path.startsWith(basePath) && path[basePath.length] === '/' ? path.slice(basePath.length) : undefined;
};
