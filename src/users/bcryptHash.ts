/**
 * `$2y$` is what PHP writes; other libraries call the same hash `$2b$`, and the first PHP versions `$2a$`.
 */
const format = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;

/** A second of processor time; each step above doubles it. PHP's own default is 10, and 12 since PHP 8.4. */
const maxCost = 14;
const minCost = 4;

/**
 * Is this a bcrypt hash, as users imported from the PHP tool have it? One that costs too much is not: a hash
 * that somebody planted must not keep the service busy for hours.
 */
export const isBcryptHash = (hash: string): boolean => {
  const cost = Number(format.exec(hash)?.[1] ?? 0);
  return cost >= minCost && cost <= maxCost;
};

/**
 * Compares a password with a bcrypt hash, outside the main thread. The password is taken as it was typed, and
 * only its first 72 bytes count, as in PHP.
 */
export const verifyBcrypt = async (password: string, hash: string): Promise<boolean> => {
  const { verify } = await import('@node-rs/bcrypt');
  return verify(Buffer.from(password), hash);
};
