import { run } from '../../support/cli.js';
import { makeFolder } from '../../support/folder.js';

export interface DoctorFinding {
  check: string;
  ok: boolean;
  level?: string;
  message: string;
  remedy?: string;
}

/** A folder in which each database of a test has a folder of its own. */
export interface DoctorFolder {
  readonly path: string;
  /** The settings of such a database, with these commands run in it. Nothing listens on port 1. */
  prepared(name: string, ...commands: string[][]): Promise<Record<string, string>>;
  remove(): Promise<void>;
}

export const makeDoctorFolder = async (): Promise<DoctorFolder> => {
  const { path, remove } = await makeFolder();
  return {
    path,
    prepared: async (name, ...commands) => {
      const env = { DATA_DIR: `${path}/${name}`, PORT: '1' };
      for (const command of commands.length > 0 ? [['migrate'], ...commands] : []) await run(command, env);
      return env;
    },
    remove: () => remove(),
  };
};

export const addController = ['controller', 'add', '--name', 'Konsole', '--kind', 'simulated'];
export const addSite = ['site', 'add', '--name', 'Hauptgebäude', '--controller', 'Konsole'];
export const addKey = ['key', 'create', '--name', 'Rezeption', '--scope', 'write'];

/** Runs `doctor`, and finds what it says of a check. */
export const doctor = async (env: Record<string, string>) => {
  const { status, out, err } = await run(['doctor', '--json'], env);
  const findings = JSON.parse(out) as DoctorFinding[];
  const find = (check: string) => findings.find((finding) => finding.check === check);
  return { status, err, findings, find };
};
