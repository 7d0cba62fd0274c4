/**
 * The checksum of zip archives: CRC-32, reflected polynomial 0xedb88320, as an unsigned number. Eight bytes a
 * turn ("slicing by 8", Kounavis and Berry 2005): `TABLES[k]` moves a byte's share over k more bytes.
 */
const TABLES = Array.from({ length: 8 }, () => new Uint32Array(256));
for (let byte = 0; byte < 256; byte++) {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  TABLES[0][byte] = value;
}
for (let k = 1; k < 8; k++) {
  for (let byte = 0; byte < 256; byte++) {
    const value = TABLES[k - 1][byte];
    TABLES[k][byte] = (value >>> 8) ^ TABLES[0][value & 255];
  }
}
const [T0, T1, T2, T3, T4, T5, T6, T7] = TABLES;

export function crc32(bytes: Uint8Array): number {
  let value = -1;
  let i = 0;
  for (; i + 8 <= bytes.length; i += 8) {
    value ^= bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
    value =
      T7[value & 255] ^
      T6[(value >>> 8) & 255] ^
      T5[(value >>> 16) & 255] ^
      T4[value >>> 24] ^
      T3[bytes[i + 4]] ^
      T2[bytes[i + 5]] ^
      T1[bytes[i + 6]] ^
      T0[bytes[i + 7]];
  }
  for (; i < bytes.length; i++) value = (value >>> 8) ^ T0[(value ^ bytes[i]) & 255];
  return ~value >>> 0;
}
