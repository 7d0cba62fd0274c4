/** The mt19937 generator (Matsumoto and Nishimura 1998) with the seeding that PyTorch uses. */

/** 32-bit words, unsigned, of the generator that `manual_seed(seed)` sets; any whole seed. */
export function mersenneWords(seed: bigint): () => number {
  const state = new Uint32Array(624);
  state[0] = Number(BigInt.asUintN(32, seed));
  for (let j = 1; j < 624; j++) {
    const previous = state[j - 1] ^ (state[j - 1] >>> 30);
    state[j] = Math.imul(1812433253, previous) + j;
  }
  let index = 624;
  return () => {
    if (index === 624) {
      twist(state);
      index = 0;
    }
    let y = state[index++];
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  };
}

function twist(state: Uint32Array): void {
  for (let k = 0; k < 624; k++) {
    const y = (state[k] & 0x80000000) | (state[(k + 1) % 624] & 0x7fffffff);
    state[k] = state[(k + 397) % 624] ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
  }
}
