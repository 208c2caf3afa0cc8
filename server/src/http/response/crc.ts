// The CRC-32 of two texts in a row, from those of each, as zlib's `crc32_combine` computes it: appending n bytes multiplies the checksum of
// what comes before by x^8n, modulo the polynomial of CRC-32 over the field of two elements. Polynomials have their bits reversed.

const POLYNOMIAL = 0xedb88320
/** x^0. */
const ONE = 0x80000000
/** The bits of a byte, as a power of two. */
const BYTE_BITS_LOG2 = 3

function product(a: number, b: number): number {
  let sum = 0
  let times = b
  for (let bit = 31; bit >= 0; bit -= 1) {
    if ((a >>> bit) & 1) sum ^= times
    times = times & 1 ? (times >>> 1) ^ POLYNOMIAL : times >>> 1
  }
  return sum >>> 0
}

/** x^(2^n), by n. */
const SQUARES = squares()

function squares(): number[] {
  // x^1
  const powers = [ONE >>> 1]
  while (powers.length < 32) {
    const last = powers.at(-1) as number
    powers.push(product(last, last))
  }
  return powers
}

/** What appending some bytes makes of each half byte of a checksum: eight times sixteen values. */
export type Shift = Int32Array

const NIBBLES = 8
const VALUES = 16

export function shiftOf(bytes: number): Shift {
  const factor = factorOf(bytes)
  return Int32Array.from({ length: NIBBLES * VALUES }, (_, at) =>
    product(factor, ((at % VALUES) << (4 * Math.floor(at / VALUES))) >>> 0),
  )
}

function factorOf(bytes: number): number {
  let factor = ONE
  // x^(2^32) is x, so the powers repeat.
  for (let left = bytes, n = BYTE_BITS_LOG2; left > 0; left = Math.floor(left / 2), n += 1)
    if (left % 2 === 1) factor = product(SQUARES[n % 32] as number, factor)
  return factor
}

/** The checksum of what comes before, as part of the checksum of the whole. Add that of the appended bytes with `^`. */
export function shifted(crc: number, shift: Shift): number {
  let sum = 0
  for (let nibble = 0; nibble < NIBBLES; nibble += 1)
    sum ^= shift[nibble * VALUES + ((crc >>> (4 * nibble)) & (VALUES - 1))] as number
  return sum >>> 0
}
