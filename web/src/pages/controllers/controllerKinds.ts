import type { Schemas } from '../../api/schemas.ts';

export type Kind = Schemas['ControllerKind'];
export type Trust = NonNullable<Schemas['Controller']['trust']>;
type Options = Required<Schemas['ControllerOptions']>;

/** What the forms ask for about a kind. Nothing else in the web UI tells kinds apart. */
interface KindForm {
  /** How it is reached. A simulated one has no address. */
  readonly connection: 'https' | 'database' | 'none';
  readonly credentials: 'apiKey' | 'account' | 'application' | 'none';
  /** Which account it takes, where that needs a word. */
  readonly usernameText?: 'controllerSetup.usernameText' | 'controllerSetup.usernameText-mikrotik';
  /** What it can be told besides. */
  readonly options: readonly (keyof Options)[];
}

const kindForms = {
  unifi: { connection: 'https', credentials: 'apiKey', options: [] },
  'unifi-classic': {
    connection: 'https',
    credentials: 'account',
    usernameText: 'controllerSetup.usernameText',
    options: [],
  },
  'radius-sql': {
    connection: 'database',
    credentials: 'account',
    options: ['tls', 'hasRates', 'disconnectPort'],
  },
  omada: { connection: 'https', credentials: 'application', options: [] },
  mikrotik: {
    connection: 'https',
    credentials: 'account',
    usernameText: 'controllerSetup.usernameText-mikrotik',
    options: ['usesUserManager'],
  },
  simulated: { connection: 'none', credentials: 'none', options: [] },
} as const satisfies Readonly<Record<Kind, KindForm>>;

export const formOf = (kind: Kind): KindForm => kindForms[kind];

export const kinds = [
  'unifi',
  'unifi-classic',
  'radius-sql',
  'omada',
  'mikrotik',
  'simulated',
] as const satisfies readonly Kind[];

/** What holds for an option that nobody has changed. */
export const usualOptions: Options = {
  tls: 'off',
  hasRates: true,
  disconnectPort: 3799,
  usesUserManager: true,
};

type KindWithAddress = {
  [K in Kind]: (typeof kindForms)[K]['connection'] extends 'none' ? never : K;
}[Kind];

export const hasAddress = (kind: Kind): kind is KindWithAddress => formOf(kind).connection !== 'none';

export const addressExamples = {
  https: 'https://192.168.1.1',
  database: 'postgresql://192.168.1.5/radius',
  none: '',
} as const satisfies Readonly<Record<KindForm['connection'], string>>;

export const isDatabase = (kind: Kind): boolean => formOf(kind).connection === 'database';

/** What the connections to a kind can trust, what is usual first. A database takes a CA, not a fingerprint. */
export const trustsOf = (kind: Kind): readonly Trust[] =>
  isDatabase(kind) ? ['none', 'system', 'own-ca'] : ['system', 'pinned', 'own-ca'];

export const usualTrustOf = (kind: Kind): Trust => (isDatabase(kind) ? 'none' : 'system');
