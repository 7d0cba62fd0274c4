/**
 * SHA-256 of weights, as lower-case hexadecimal. The browser's own where there is one; plain JavaScript on
 * an http address other than localhost, where browsers take `crypto.subtle` away.
 */
import { createSha256 } from './sha256-stream.ts';

/** @param subtle left out: what this browser offers; null: the JavaScript one. */
export async function sha256(bytes: Uint8Array, subtle = offered()): Promise<string> {
  if (!subtle) return createSha256().update(bytes).digest();
  const digest = await subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function offered(): SubtleCrypto | null {
  return (globalThis.crypto as Crypto | undefined)?.subtle ?? null;
}
