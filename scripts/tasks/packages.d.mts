export interface LockedPackage {
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly link?: boolean;
  readonly workspaces?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** The `packages` of a lock file, by their paths. */
export type LockedPackages = Readonly<Record<string, LockedPackage>>;

export interface Plan {
  readonly how: 'program' | 'everything' | 'addition';
  readonly reason: string;
}

export const programIn: (packages: LockedPackages) => Set<string>;
export const hasTools: (wanted: LockedPackages, installed: LockedPackages) => boolean;
export const isLockOf: (packages: LockedPackages, readPackage: (folder: string) => LockedPackage) => boolean;
export const planFor: (state: {
  readonly wanted: LockedPackages;
  readonly installed: LockedPackages | undefined;
  readonly tools: boolean;
  readonly lockFits: boolean;
}) => Plan | undefined;
