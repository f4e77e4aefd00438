import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

const domain = ['vouchers', 'sites', 'access', 'notifications'];
// These put the parts together; they may import everything and nothing may import them.
const assembly = ['app', 'main', 'cli'];
const tools = ['lib', 'secrets', 'config'];

/** What each part may not import, types included. A part that is not listed may import everything. */
const forbidden = {
  handlers: [...assembly, 'http', 'controllers', 'storage'],
  ...Object.fromEntries(domain.map((part) => [part, [...assembly, 'handlers', 'http']])),
  contract: [...assembly, ...domain, 'handlers', 'http', 'controllers', 'storage'],
  http: [...assembly, ...domain, 'handlers', 'controllers', 'storage'],
  controllers: [...assembly, ...domain, 'handlers', 'http', 'contract', 'storage'],
  storage: [...assembly, ...domain, 'handlers', 'http', 'contract', 'controllers'],
  // Tools may be imported by all, so they must not be a way around the rule.
  secrets: [...assembly, ...domain, 'handlers', 'http', 'contract', 'controllers', 'storage'],
  config: [...assembly, ...domain, 'handlers', 'http', 'contract', 'controllers', 'storage'],
  lib: [...assembly, ...domain, ...tools, 'handlers', 'http', 'contract', 'controllers', 'storage'],
};

/** The part a file belongs to: a folder of src, `handlers`, or the name of a file in src itself. */
const partOf = (file) => {
  const [top, second] = relative(root, file).split(sep);
  if (top === 'handlers') return 'handlers';
  return top === 'src' ? second?.replace(/\.[jt]s$/, '') : undefined;
};

/** Imports run one way: handlers → domain → controllers, storage; contract and http know none of them. */
export const importDirection = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { wrongWay: '{{from}} must not import from {{to}}: imports run one way.' },
  },
  create(context) {
    const from = partOf(context.filename);
    const refused = forbidden[from] ?? [];
    const check = (source) => {
      if (typeof source?.value !== 'string' || !source.value.startsWith('.')) return;
      const to = partOf(resolve(dirname(context.filename), source.value));
      if (refused.includes(to) && to !== from)
        context.report({ node: source, messageId: 'wrongWay', data: { from, to } });
    };
    return {
      ImportDeclaration: (node) => check(node.source),
      ExportNamedDeclaration: (node) => check(node.source),
      ExportAllDeclaration: (node) => check(node.source),
      ImportExpression: (node) => check(node.source),
      TSImportType: (node) => check(node.source ?? node.argument?.literal),
    };
  },
};
