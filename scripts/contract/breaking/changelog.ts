import type { Change, Severity } from './change.js';

const titles: Readonly<Record<Severity, string>> = {
  breaking: 'Breaking',
  risky: 'May break some clients',
  compatible: 'Compatible',
};

/** The changes as Markdown, for people who use the API. */
export const changelog = (
  from: { readonly name: string; readonly version: string },
  toVersion: string,
  changes: readonly Change[],
): string => {
  const title = `# Changes of the contract: ${from.version || from.name} → ${toVersion}`;
  if (changes.length === 0)
    return `${title}\n\nNothing that a client can notice changed since ${from.name}.\n`;
  const parts = (Object.keys(titles) as Severity[]).flatMap((severity) => {
    const own = changes.filter((change) => change.severity === severity);
    return own.length === 0 ? [] : [`## ${titles[severity]}`, ...byOperation(own)];
  });
  return [title, `Compared with ${from.name}.`, ...parts, ''].join('\n\n').replace(/(?<!\n)\n+$/, '\n');
};

const byOperation = (changes: readonly Change[]): string[] => {
  const operations = new Map<string, Change[]>();
  for (const change of changes) {
    const name = change.operation ?? 'All operations';
    operations.set(name, [...(operations.get(name) ?? []), change]);
  }
  return [...operations].map(([name, own]) =>
    [`### ${name}`, '', ...own.map(({ text }) => `- ${sentence(text)}`)].join('\n'),
  );
};

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
