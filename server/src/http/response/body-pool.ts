/**
 * Memory for bodies that are made for one response. A new buffer for each makes V8 collect the whole heap several times a second,
 * because it counts the bytes outside of it, and the memory is never in the processor's cache: 69 instead of 47 µs for a profile of 7 KB.
 */
export interface BodyPool {
  /** At least this long, with arbitrary content. */
  take(length: number): Buffer
  /** Has to be called once at most for each buffer, when nothing reads it any more. */
  release(buffer: Buffer): void
}

const SMALLEST_BYTES = 4 * 1024
const SIZES = [1, 2, 4, 8, 16, 32, 64, 128].map((factor) => factor * SMALLEST_BYTES)
/** Of all buffers that wait, for each size. */
const MAX_KEPT_BYTES = 2 * 1024 * 1024

export function createBodyPool(): BodyPool {
  const kept = SIZES.map((size) => ({ size, buffers: [] as Buffer[] }))
  return {
    take(length) {
      const sized = kept.find(({ size }) => size >= length)
      return sized?.buffers.pop() ?? Buffer.allocUnsafeSlow(sized?.size ?? length)
    },
    release(buffer) {
      const sized = kept.find(({ size }) => size === buffer.length)
      if (sized && (sized.buffers.length + 1) * sized.size <= MAX_KEPT_BYTES) sized.buffers.push(buffer)
    },
  }
}
