import { SecretError, type Binding, type Secrets } from './encryption.js';
import type { RotationSafeWriter } from './rotationSafeWriter.js';

/** Short texts that browsers keep for us, and can neither read nor change. Nothing is stored of them. */
export interface BrowserTokens {
  seal(text: string, binding: Binding): Promise<string>;
  /** Undefined for what is not ours. */
  open(sealed: string, binding: Binding): string | undefined;
}

interface BrowserTokensDeps {
  secrets(): Secrets;
  readonly writeSealed: RotationSafeWriter['replace'];
}

export const makeBrowserTokens = ({ secrets, writeSealed }: BrowserTokensDeps): BrowserTokens => ({
  seal: async (text, binding) => {
    try {
      return secrets().seal(text, binding);
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      // Nothing was sealed yet, so there is no key.
      return writeSealed(async (current) => current.seal(text, binding));
    }
  },
  open: (sealed, binding) => {
    try {
      return secrets().open(sealed, binding);
    } catch (error) {
      if (error instanceof SecretError) return undefined;
      throw error;
    }
  },
});
