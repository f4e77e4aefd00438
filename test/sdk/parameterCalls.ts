import type { FeatureCalls } from './featureCall.js';

/** Of contracts in several files, and of parameters. */
export const parameterCalls: Readonly<Record<string, FeatureCalls>> = {
  'several files': {
    calls: [
      [`client.listSites({ query: { page: 2 } })`, { page: 2 }],
      [
        `client.addSite({ body: { name: 'Haus', owner: { name: 'Amt' } }, query: { page: 3 } })`,
        { name: 'Haus', owner: { name: 'Amt' }, page: 3 },
      ],
    ],
    wrong: [`client.addSite({ body: { name: 'Haus', owner: {} } })`],
  },
  'parameters in a path': {
    calls: [
      [`client.one({ path: { code: 'a/b ä%' } })`, { code: 'a/b ä%' }],
      [`client.latest()`, {}],
      [`client.nested({ path: { id: 7, code: 'x.json' } })`, { id: 7, code: 'x.json' }],
      [`client.list({ path: { ids: [1, 2, 3] } })`, { ids: [1, 2, 3] }],
    ],
    wrong: [`client.nested({ path: { id: 'seven', code: 'x' } })`],
  },
  'several parameters between two slashes': {
    calls: [
      [`client.range({ path: { from: 3, to: 17 } })`, { from: 3, to: 17 }],
      [`client.named({ path: { name: '3-17' } })`, { name: '3-17' }],
      [
        `client.file({ path: { major: 1, minor: 2, name: 'a b', ext: 'gz' } })`,
        { major: 1, minor: 2, name: 'a b', ext: 'gz' },
      ],
    ],
  },
  'parameters of a path, for all its operations': {
    calls: [
      [`client.common({ path: { id: 1 } })`, [{ id: 1 }, { full: true }]],
      [`client.commonPut({ path: { id: 1 }, query: { full: true } })`, [{ id: 1 }, { full: true }]],
    ],
  },
  'parameters in the query': {
    calls: [
      [`client.query({ query: { s: 'a', n: 5, b: true, f: 1.5 } })`, { s: 'a', n: 5, b: true, f: 1.5 }],
    ],
    wrong: [
      `client.query({ query: { s: 'c' } })`,
      `client.query({ query: { s: 'a', x: 1 } })`,
      `client.query()`,
    ],
  },
  'lists in the query': {
    calls: [
      [
        `client.lists({ query: { id: [1, 2], tag: ['a', 'b'], sp: ['c', 'd'], pi: ['e', 'f'] } })`,
        { id: [1, 2], tag: ['a', 'b'], sp: ['c', 'd'], pi: ['e', 'f'] },
      ],
      [`client.lists({ query: { id: [1], tag: ['ä&b'] } })`, { id: [1], tag: ['ä&b'] }],
    ],
  },
  'objects in the query': {
    calls: [
      [
        `client.deep({ query: { filter: { price: 5, tags: ['a', 'b'], open: true, size: '7&8' }, any: { a: '1', b: 2 } } })`,
        { filter: { price: 5, tags: ['a', 'b'], open: true, size: '7&8' }, any: { a: '1', b: 2 } },
      ],
      [`client.deep({ query: { closed: { a: 1 } } })`, { closed: { a: 1 } }],
      [
        `client.own({ query: { page: { limit: 5, sort: ['a', 'b'] }, range: { from: 1, to: 2 }, other: 'x' } })`,
        { page: { limit: 5, sort: ['a', 'b'] }, range: { from: 1, to: 2 }, other: 'x' },
      ],
      [`client.must({ query: { filter: { a: 1 } } })`, { filter: { a: 1 } }],
    ],
    wrong: [`client.deep({ query: { filter: { size: 'x' } } })`],
  },
  'objects in paths, headers and cookies': {
    calls: [
      [
        `client.objects({ path: { point: { x: 1, y: 2 }, size: { 'a,': 3, b: 4 } }, headers: { 'X-Range': { from: 5 }, Cookie: { view: { dark: true } } } })`,
        {
          path: { point: { x: 1, y: 2 }, size: { 'a,': 3, b: 4 } },
          header: { 'X-Range': { from: 5 } },
          cookie: { view: { dark: true } },
        },
      ],
    ],
  },
  'parameters with `content`': {
    calls: [
      [
        `client.json({ query: { where: { age: 5, in: ['a'], deep: { a: true } } }, headers: { 'X-Trace': { id: 7 } } })`,
        { query: { where: { age: 5, in: ['a'], deep: { a: true } } }, header: { 'X-Trace': { id: 7 } } },
      ],
    ],
    wrong: [`client.json({ query: { where: { age: '5' } } })`],
  },
  headers: {
    calls: [
      [
        `client.headers({ headers: { 'X-Count': 5, 'X-Tags': ['a', 'b'] } })`,
        { 'X-Count': 5, 'X-Tags': ['a', 'b'] },
      ],
    ],
    wrong: [`client.headers({ headers: { 'X-Tags': ['a'] } })`],
  },
  cookies: {
    calls: [
      [
        `client.cookies({ headers: { Cookie: { theme: 'hell', ids: [1, 2] } } })`,
        { theme: 'hell', ids: [1, 2] },
      ],
    ],
    wrong: [`client.cookies({ headers: { Cookie: { theme: 'blau' } } })`],
  },
  'parameters with a `default`': {
    calls: [
      [
        `client.defaults()`,
        {
          query: {
            ...{ page: 1, tags: ['a', 'b'], filter: { free: true }, where: { age: 5 } },
            ...{ size: 7, most: 7, zone: 'UTC' },
          },
          header: { 'X-Unit': 'm' },
          cookie: { theme: null },
        },
      ],
      [
        `client.ofPath({ path: { id: 1 }, query: { full: true } })`,
        { query: { full: true }, header: {}, cookie: {} },
      ],
    ],
    wrong: [`client.defaults({ query: { page: null } })`],
  },
};
