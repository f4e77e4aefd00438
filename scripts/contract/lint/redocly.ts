import { join } from 'node:path';
import { packageRoot } from '../../../src/lib/packageRoot.js';
import { runTool, withFiles } from '../tools.js';

/** One thing that Redocly has found. */
export interface LintFinding {
  readonly rule: string;
  readonly severity: 'error' | 'warn';
  readonly message: string;
  /** JSON pointer into the contract. */
  readonly pointer: string;
  readonly line: number;
  readonly column: number;
}

interface Report {
  readonly problems: readonly {
    readonly ruleId: string;
    readonly severity: 'error' | 'warn';
    readonly message: string;
    readonly location: readonly {
      readonly pointer?: string;
      readonly start?: { readonly line: number; readonly col: number };
    }[];
  }[];
}

/** No usage report and no look for updates: a run reaches no other host. */
const offline = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

/** Lints a contract. Redocly's core is no package that can be imported, so its command line runs. */
export const lintWithRedocly = (source: string): Promise<LintFinding[]> =>
  withFiles({ 'openapi.yaml': source }, async ({ 'openapi.yaml': file = '' }) => {
    const args = [
      'lint',
      file,
      '--config',
      join(packageRoot, 'scripts/lint/contractRules.yaml'),
      '--format',
      'json',
      '--max-problems',
      '1000',
    ];
    const { stdout, stderr } = await runTool('@redocly/cli/bin/cli.js', args, { env: offline });
    return readReport(stdout, stderr).problems.map(({ ruleId, severity, message, location: [place] }) => ({
      rule: ruleId,
      severity,
      message,
      pointer: (place?.pointer ?? '#/').slice(1),
      line: place?.start?.line ?? 1,
      column: place?.start?.col ?? 1,
    }));
  });

const readReport = (stdout: string, stderr: string): Report => {
  try {
    return JSON.parse(stdout.slice(stdout.indexOf('{'))) as Report;
  } catch {
    throw new Error(`Redocly did not run: ${stderr.trim().split('\n').at(-1) ?? ''}`);
  }
};
