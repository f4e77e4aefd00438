/** What users may do, the most first. */
export const roles = ['admin', 'staff', 'viewer'] as const;

/**
 * `admin` may do everything, `staff` handles the vouchers of the sites assigned to it, and `viewer` reads
 * what there is of its sites, without the codes.
 */
export type Role = (typeof roles)[number];

/** May somebody with this role do what needs `needed`? Each role may do all that those behind it may. */
export const hasRole = ({ role }: { readonly role: Role }, needed: string): boolean =>
  roles.slice(roles.indexOf(role)).some((permitted) => permitted === needed);

/** Does somebody see the codes of vouchers? A code lets its reader in, or anybody they give it to. */
export const seesCodes = ({ role }: { readonly role: Role }): boolean => role !== 'viewer';
