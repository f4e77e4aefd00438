import type { ParameterLocation } from './document.js';

/** How a parameter is written where the contract does not say it. */
export const defaultStyles: Readonly<Record<ParameterLocation, string>> = {
  path: 'simple',
  query: 'form',
  header: 'simple',
  cookie: 'form',
};

/** The styles that each place may have, the default first. */
export const parameterStyles: Readonly<Record<ParameterLocation, readonly string[]>> = {
  path: ['simple'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};
