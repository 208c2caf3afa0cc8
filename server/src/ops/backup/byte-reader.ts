/** Reads a stream of chunks in portions of chosen sizes. */
export interface ByteReader {
  /** At most `max` bytes, at least one; null at the end of the stream. */
  some(max: number): Promise<Buffer | null>
  /** `count` bytes, or fewer at the end of the stream. */
  upTo(count: number): Promise<Buffer>
}

export function createByteReader(source: AsyncIterable<Buffer>): ByteReader {
  const iterator = source[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)

  async function some(max: number): Promise<Buffer | null> {
    while (rest.length === 0) {
      const { value, done } = await iterator.next()
      if (done) return null
      rest = value
    }
    const part = rest.subarray(0, max)
    rest = rest.subarray(part.length)
    return part
  }

  return {
    some,
    async upTo(count) {
      const parts: Buffer[] = []
      let length = 0
      while (length < count) {
        const part = await some(count - length)
        if (part === null) break
        parts.push(part)
        length += part.length
      }
      return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
    },
  }
}
