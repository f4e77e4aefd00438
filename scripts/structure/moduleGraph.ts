import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import ts from 'typescript';

/** One source file: its length, what it imports (types included) and what it exports. */
export interface Module {
  readonly path: string;
  readonly lines: number;
  readonly imports: readonly string[];
  readonly exportedNames: readonly string[];
}

/** Modules by their path below the root of the checkout, with `/` between folders. */
export type ModuleGraph = ReadonlyMap<string, Module>;

const sourceFiles = (root: string, folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
    .map((file) => posix.join(folder, file.split(sep).join('/')))
    .sort();

/** The specifiers of all imports and re-exports of a file, including type-only and dynamic ones. */
const specifiersOf = (source: ts.SourceFile): string[] => {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier)
      found.push((node.moduleSpecifier as ts.StringLiteral).text);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      found.push((node.argument.literal as ts.StringLiteral).text);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [target] = node.arguments;
      if (target && ts.isStringLiteral(target)) found.push(target.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
};

const isExported = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) &&
  (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

/** The names a file itself declares and exports. A re-export is the same name with the same meaning. */
const exportedNamesOf = (source: ts.SourceFile): string[] =>
  source.statements.filter(isExported).flatMap((statement) => {
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.map(({ name }) => name.getText(source));
    const { name } = statement as ts.DeclarationStatement;
    return name === undefined ? [] : [name.getText(source)];
  });

const readModule = (root: string, path: string): Module => {
  const text = readFileSync(join(root, path), 'utf8');
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const imports = specifiersOf(source)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => posix.join(dirname(path), specifier).replace(/\.js$/, '.ts'));
  return {
    path,
    lines: text.split('\n').length - 1,
    imports: [...new Set(imports)],
    exportedNames: [...new Set(exportedNamesOf(source))],
  };
};

/** Reads the given folders of a checkout. */
export const readModuleGraph = (root: string, folders: readonly string[]): ModuleGraph =>
  new Map(
    folders
      .flatMap((folder) => sourceFiles(root, folder))
      .map((path) => [relative('.', path), readModule(root, path)]),
  );

/** Groups of modules that import each other in a circle (Tarjan's strongly connected components). */
export const findImportCycles = (graph: ModuleGraph): string[][] => {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (path: string): number => {
    const position = index.size;
    index.set(path, position);
    low.set(path, position);
    stack.push(path);
    for (const next of graph.get(path)?.imports ?? []) {
      if (!graph.has(next)) continue;
      if (!index.has(next)) low.set(path, Math.min(low.get(path) ?? position, visit(next)));
      else if (stack.includes(next))
        low.set(path, Math.min(low.get(path) ?? position, index.get(next) ?? position));
    }
    const lowest = low.get(path) ?? position;
    if (lowest === position) {
      const members = stack.splice(stack.indexOf(path));
      if (members.length > 1 || graph.get(path)?.imports.includes(path)) cycles.push(members.sort());
    }
    return lowest;
  };
  for (const path of graph.keys()) if (!index.has(path)) visit(path);
  return cycles;
};

/** Names that several files of one program export, with these files. The pages are a program of their own. */
export const findDuplicateExports = (graph: ModuleGraph): [name: string, paths: string[]][] =>
  [false, true].flatMap((isPage) => {
    const files = new Map<string, string[]>();
    for (const { path, exportedNames } of graph.values()) {
      if (path.startsWith('web/') !== isPage) continue;
      for (const name of exportedNames)
        // Two contracts may have an operation of the same name.
        if (path !== `handlers/web/${name}.ts`) files.set(name, [...(files.get(name) ?? []), path]);
    }
    return [...files].filter(([, paths]) => paths.length > 1).sort();
  });

/** Files that are shorter than `lines` and have a single importer. */
export const findSmallSingleImporterFiles = (graph: ModuleGraph, lines = 40): string[] => {
  const importers = new Map<string, number>();
  for (const { imports } of graph.values())
    for (const path of imports) importers.set(path, (importers.get(path) ?? 0) + 1);
  return [...graph.values()]
    .filter((module) => module.lines < lines && importers.get(module.path) === 1)
    .map(({ path }) => path);
};

const domain = [
  ...['vouchers', 'sites', 'access', 'people', 'notifications', 'status'],
  ...['guests', 'printing', 'email'],
];
// These put the parts together: they may import everything, and nothing may import them.
const assembly = ['app', 'main', 'cli'];
const tools = ['lib', 'secrets', 'config'];

/** What each part may not import, types included. A part that is not listed may import everything. */
const forbiddenImports: Readonly<Record<string, readonly string[]>> = {
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
  // The pages know the service by its contract.
  web: [...assembly, ...domain, ...tools, 'handlers', 'http', 'contract', 'controllers', 'storage'],
};

/** Where the pages are, and the texts that guests read, are all that the pages share with what serves them. */
const isShared = (path: string): boolean =>
  path === 'src/http/pages/pagePaths.ts' || path.startsWith('src/i18n/guests/');

/** The part a file belongs to: a folder of src, `handlers`, or the name of a file in src itself. */
const partOf = (path: string): string => {
  const [top = '', second = ''] = path.split('/');
  return top === 'src' ? second.replace(/\.ts$/, '') : top;
};

/** Imports run one way: handlers → domain → controllers, storage; contract and http know none of them. */
export const findWrongWayImports = (graph: ModuleGraph): string[] =>
  [...graph.values()].flatMap(({ path, imports }) => {
    const from = partOf(path);
    const forbidden = forbiddenImports[from] ?? [];
    return imports
      .filter((target) => partOf(target) !== from && forbidden.includes(partOf(target)))
      .filter((target) => !isShared(target))
      .map((target) => `${path} must not import ${target}`);
  });
