import { groupBy } from '../../../../src/lib/collections.js';
import {
  parseContractModel,
  parseEarlierContract,
  parseThirdPartyContract,
  type ContractModel,
} from '../contract.js';
import { fieldCause, type Case, type StageProblem, type Stage } from '../stage.js';
import type { Change, Severity } from './change.js';
import { compareContracts } from './compareContracts.js';
import { findEarlier, type Earlier, type NoEarlier } from './earlier.js';
import { judgeVersion, nextVersion } from './version.js';

export interface BreakingOptions {
  readonly earlier?: (file: string, against: string | undefined) => Promise<Earlier | NoEarlier>;
}

/** What changed since the last release, and whether `info.version` announces it. */
export const makeBreaking = ({ earlier = findEarlier }: BreakingOptions = {}): Stage => ({
  name: 'breaking',
  title: 'changes since the last release that clients notice, and the version that announces them',
  run: async ({ served, contract, options, recorder, attach }) => {
    const found = await earlier(contract.file, options.against);
    if ('reason' in found) {
      recorder.skipped({ name: 'no change breaks a client' }, found.reason);
      return;
    }
    const parse = served.thirdParty ? parseThirdPartyContract : parseEarlierContract;
    const before = parse(found.source, found.name, found);
    const changes = compareContracts(before, contract);
    attach(
      'changelog.md',
      changelog({ name: found.name, version: before.version }, contract.version, changes),
    );
    const verdict = judgeVersion(before.version, contract.version, changes);
    const isAnnounced = verdict !== 'too low for a breaking change' && verdict !== 'lowered';
    let firstCause: StageProblem['cause'];
    for (const change of changes) {
      const where = operationOf(contract, change);
      const tried = { name: problemName(change), ...where };
      const problem = problemOf(change, before.version, changes);
      if (change.severity === 'breaking' && !isAnnounced) {
        firstCause ??= problem.cause;
        recorder.failed(tried, problem);
      } else if (change.severity === 'risky' && verdict !== 'enough') recorder.warned(tried, problem);
      else recorder.passed({ name: caseName(change), ...where });
    }
    const tried: Case = { name: `info.version fits the changes since ${found.name}` };
    const versions = `${before.version} → ${contract.version}`;
    const at = contract.at(['info', 'version']);
    const wanted = nextVersion(before.version, changes);
    const hint = wanted === undefined ? '' : `; at least ${wanted} would fit`;
    if (verdict === 'enough') recorder.passed(tried);
    else if (verdict === 'too low for a breaking change') {
      const what = `There are breaking changes, but ${versions} does not announce them${hint}`;
      // Each of them says so.
      recorder.failed(tried, { what, at, ...(firstCause !== undefined && { cause: firstCause }) });
    } else {
      const what =
        verdict === 'lowered'
          ? `The version went down: ${versions}`
          : `The contract changed, but its version did not: ${versions}${hint}`;
      recorder.warned(tried, { what, at });
    }
  },
});

export const breaking = makeBreaking();

/** A change that breaks clients and is not announced, with its place. */
export interface BreakingFinding {
  /** The file, if it is another one than the contract itself. */
  readonly file?: string;
  readonly rule: string;
  readonly severity: 'error';
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** The same for `npm run dev`, against the last release. */
export const findBreaking = async (source: string, file: string): Promise<BreakingFinding[]> => {
  const found = await findEarlier(file, undefined);
  if ('reason' in found) return [];
  const before = parseEarlierContract(found.source, found.name, found);
  const contract = parseContractModel(source, file);
  const changes = compareContracts(before, contract);
  if (judgeVersion(before.version, contract.version, changes) !== 'too low for a breaking change') return [];
  return changes
    .filter(({ severity }) => severity === 'breaking')
    .map((change) => {
      const { what, at = '' } = problemOf(change, before.version, changes);
      const [, place = file, line, column] = /^(.*):(\d+):(\d+)$/.exec(at) ?? [];
      return {
        ...(place === file ? {} : { file: place }),
        rule: change.id,
        severity: 'error',
        message: caseName({ ...change, text: what }),
        line: Number(line),
        column: Number(column),
      };
    });
};

const caseName = ({ operation, text }: Change): string =>
  operation === undefined ? text : `${operation}: ${text}`;

const problemName = ({ operation, id }: Change): string =>
  operation === undefined ? id : `${operation}: ${id}`;

const operationOf = ({ operations }: ContractModel, { operation }: Change): Pick<Case, 'operationId'> => {
  const found = operations.find(({ method, path }) => `${method} ${path}` === operation);
  return found ? { operationId: found.id } : {};
};

const problemOf = (
  { severity, at, text }: Change,
  versionBefore: string,
  changes: readonly Change[],
): StageProblem => {
  const wanted = nextVersion(versionBefore, changes);
  const remedy = wanted === undefined ? 'announce it by info.version' : `announce it: info.version ${wanted}`;
  const verb = severity === 'breaking' ? 'breaks' : 'may break';
  const [, field] = /property '([^']+)'/.exec(text) ?? [];
  const [, key] = /(x-[\w-]+) changed/.exec(text) ?? [];
  const names = [field, key].filter((name) => name !== undefined);
  const cause = names.length === 0 ? `change ${text}` : names.map(fieldCause);
  return { what: `${text}. This ${verb} clients: take it back, or ${remedy}`, at, cause };
};

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

const byOperation = (changes: readonly Change[]): string[] =>
  [...groupBy(changes, ({ operation }) => operation ?? 'All operations')].map(([name, own]) =>
    [`### ${name}`, '', ...own.map(({ text }) => `- ${sentence(text)}`)].join('\n'),
  );

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
