/** The small odd files that checkpoints.py wrote, and what is in them. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sourceOfBytes } from '../files/source.ts';
import type { ByteSource } from '../files/source.ts';

export function oddBytes(name: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(fileURLToPath(new URL(`./checkpoints/${name}`, import.meta.url))));
}

export function oddFile(name: string): ByteSource {
  return sourceOfBytes(oddBytes(name), name);
}

/** Shape and values of each tensor under `state_dict` of odd.pt. */
export function expectedTensors(): Readonly<Record<string, { shape: number[]; values: number[] }>> {
  return JSON.parse(new TextDecoder().decode(oddBytes('expected.json')));
}
