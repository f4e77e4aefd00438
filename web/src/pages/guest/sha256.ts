/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
const constants = new Uint32Array(64);
/** The same of the square roots of the first 8. */
const initialState = new Uint32Array(8);

for (let candidate = 2, found = 0; found < 64; candidate += 1) {
  let isPrime = true;
  for (let divisor = 2; divisor * divisor <= candidate; divisor += 1)
    if (candidate % divisor === 0) isPrime = false;
  if (!isPrime) continue;
  if (found < 8) initialState[found] = (candidate ** (1 / 2) % 1) * 2 ** 32;
  constants[found] = (candidate ** (1 / 3) % 1) * 2 ** 32;
  found += 1;
}

const words = new Uint32Array(64);
const rotate = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));
const at = (array: Uint32Array, index: number): number => array[index] as number;

/** One block of 64 bytes. */
const compress = (state: Uint32Array, bytes: Uint8Array, offset: number): void => {
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, 64);
  for (let index = 0; index < 16; index += 1) words[index] = view.getUint32(index * 4);
  for (let index = 16; index < 64; index += 1) {
    const [early, late] = [at(words, index - 15), at(words, index - 2)];
    const first = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const second = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    words[index] = (at(words, index - 16) + first + at(words, index - 7) + second) | 0;
  }
  let [a, b, c, d] = [at(state, 0), at(state, 1), at(state, 2), at(state, 3)];
  let [e, f, g, h] = [at(state, 4), at(state, 5), at(state, 6), at(state, 7)];
  for (let index = 0; index < 64; index += 1) {
    const first = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const one = (h + first + ((e & f) ^ (~e & g)) + at(constants, index) + at(words, index)) | 0;
    const second = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const two = (second + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  state[0] = at(state, 0) + a;
  state[1] = at(state, 1) + b;
  state[2] = at(state, 2) + c;
  state[3] = at(state, 3) + d;
  state[4] = at(state, 4) + e;
  state[5] = at(state, 5) + f;
  state[6] = at(state, 6) + g;
  state[7] = at(state, 7) + h;
};

/**
 * SHA-256 of texts that begin in the same way: what they share is computed once. Browsers have their own only over HTTPS,
 * and theirs is slower for many short texts.
 */
export const makeSha256 = (prefix: string): ((ending: string) => Uint32Array) => {
  const encoder = new TextEncoder();
  const shared = encoder.encode(prefix);
  const whole = shared.length - (shared.length % 64);
  const begun = Uint32Array.from(initialState);
  for (let offset = 0; offset < whole; offset += 64) compress(begun, shared, offset);
  const rest = shared.slice(whole);
  const state = new Uint32Array(8);
  return (ending) => {
    const last = encoder.encode(ending);
    const length = rest.length + last.length;
    const padded = new Uint8Array(Math.ceil((length + 9) / 64) * 64);
    padded.set(rest);
    padded.set(last, rest.length);
    padded[length] = 0x80;
    const bits = (whole + length) * 8;
    new DataView(padded.buffer).setUint32(padded.length - 4, bits);
    state.set(begun);
    for (let offset = 0; offset < padded.length; offset += 64) compress(state, padded, offset);
    return state;
  };
};
