import type { Role } from './roles.js';
import type { StoredUser } from './userTable.js';

/** What a user is told by e-mail. */
export type AccountNotice =
  /** A link to choose a password. */
  | { readonly kind: 'password-reset' }
  /** The same for somebody who has none, because they sign in elsewhere. */
  | { readonly kind: 'no-password' }
  /** A link for somebody new. */
  | { readonly kind: 'invitation'; readonly invitedBy: string }
  | { readonly kind: 'role-changed'; readonly role: Role }
  | { readonly kind: 'sites-changed' }
  | { readonly kind: 'disabled-changed'; readonly isDisabled: boolean }
  | { readonly kind: 'password-changed' }
  /** Goes to the former address. */
  | { readonly kind: 'email-changed' }
  | { readonly kind: 'second-factor-changed'; readonly isInUse: boolean }
  | { readonly kind: 'new-browser'; readonly address: string; readonly browser: string | null };

/** Who is written to. */
export type Notified = Pick<StoredUser, 'id' | 'email' | 'language' | 'disabledAt'>;

/** Tells a user something, later: nobody waits for it, and it never fails. */
export type NotifyUser = (user: Notified, notice: AccountNotice) => void;
