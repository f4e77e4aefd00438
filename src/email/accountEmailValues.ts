import type { EmailBrand } from '../branding/branding.js';

/** What an e-mail to a user is made of. */
export interface AccountEmailValues {
  /** Of the user. */
  readonly name: string;
  /** Where the web UI is. */
  readonly url: string;
  /** The link to choose a password, where there is one. */
  readonly link: string | undefined;
  /** When it was, as the language writes it. */
  readonly time: string;
  readonly brand: EmailBrand;
}
