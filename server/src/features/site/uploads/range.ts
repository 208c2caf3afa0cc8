export interface ByteRange {
  readonly start: number
  /** The last byte, inclusive. */
  readonly end: number
}

const RANGE = /^bytes=(\d*)-(\d*)$/i

/** Parses a `Range` header. Multiple ranges and unknown units return the whole file. */
export function readRange(header: string, size: number): ByteRange | 'whole' | 'none' {
  const [, first = '', last = ''] = RANGE.exec(header.replaceAll(' ', '')) ?? []
  if (first === '' && last === '') return 'whole'
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'none' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return 'whole'
  return start >= size ? 'none' : { start, end }
}
