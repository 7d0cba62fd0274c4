/**
 * SHA-256 of bytes that come piece by piece (FIPS 180-4), in plain JavaScript: `crypto.subtle` only takes a whole
 * array, and a file of gigabytes is none.
 */
export interface Sha256 {
  /** Takes the next bytes, any number of them. */
  update(bytes: Uint8Array): Sha256;
  /** Of all bytes so far, lower-case hexadecimal. */
  digest(): string;
}

/** Fractional parts of the square roots (start) and cube roots (rounds) of the first primes, FIPS 180-4, 4.2.2 and 5.3.3. */
const START = primes(8).map((prime) => fraction(Math.sqrt(prime)));
const ROUNDS = Int32Array.from(primes(64), (prime) => fraction(Math.cbrt(prime)));

/** @returns a hash of no bytes yet */
export function createSha256(): Sha256 {
  const state = Int32Array.from(START);
  const schedule = new Int32Array(64);
  /** Bytes that do not make a block of 64 yet. */
  const rest = new Uint8Array(64);
  const restView = new DataView(rest.buffer);
  let filled = 0;
  let length = 0;

  const hash: Sha256 = {
    update(bytes) {
      length += bytes.length;
      let at = 0;
      if (filled > 0) {
        at = Math.min(64 - filled, bytes.length);
        rest.set(bytes.subarray(0, at), filled);
        filled += at;
        if (filled < 64) return hash;
        compress(state, schedule, restView, 0);
      }
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      for (; at + 64 <= bytes.length; at += 64) compress(state, schedule, view, at);
      rest.set(bytes.subarray(at));
      filled = bytes.length - at;
      return hash;
    },
    digest() {
      const bits = BigInt(length) * 8n;
      const padded = new Uint8Array(filled < 56 ? 64 : 128);
      padded.set(rest.subarray(0, filled));
      padded[filled] = 0x80;
      const view = new DataView(padded.buffer);
      view.setBigUint64(padded.length - 8, bits);
      // The state is copied: more bytes may follow.
      const last = state.slice();
      for (let at = 0; at < padded.length; at += 64) compress(last, schedule, view, at);
      return Array.from(last, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
    },
  };
  return hash;
}

/**
 * Mixes the 64 bytes at `at` into the eight words of `state`. Written out: rotations and words by name, and every
 * sum cut to 32 bits, are what an engine turns into machine words.
 */
function compress(state: Int32Array, w: Int32Array, view: DataView, at: number): void {
  for (let i = 0; i < 16; i++) w[i] = view.getInt32(at + 4 * i);
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15]!;
    const y = w[i - 2]!;
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[i] = (((w[i - 16]! + s0) | 0) + ((w[i - 7]! + s1) | 0)) | 0;
  }
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  let e = state[4]!;
  let f = state[5]!;
  let g = state[6]!;
  let h = state[7]!;
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const given = (ROUNDS[i]! + w[i]!) | 0;
    const first = (((h + s1) | 0) + ((((e & f) ^ (~e & g)) + given) | 0)) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  state[0] = state[0]! + a;
  state[1] = state[1]! + b;
  state[2] = state[2]! + c;
  state[3] = state[3]! + d;
  state[4] = state[4]! + e;
  state[5] = state[5]! + f;
  state[6] = state[6]! + g;
  state[7] = state[7]! + h;
}

/** The first 32 bits behind the point, as a signed word. Roots of numbers below 312 leave a double at least 49 bits there. */
function fraction(root: number): number {
  return Math.floor((root % 1) * 2 ** 32) | 0;
}

function primes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) {
    if (found.every((prime) => n % prime !== 0)) found.push(n);
  }
  return found;
}
