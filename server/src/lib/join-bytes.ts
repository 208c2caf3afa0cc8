/** Joins texts and cached bytes into one body. Cached bytes skip the encoding, most of the cost of a page. */
export function joinBytes(parts: readonly (string | Buffer)[]): Buffer {
  const buffers: Buffer[] = []
  let text = ''
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part
      continue
    }
    buffers.push(Buffer.from(text), part)
    text = ''
  }
  buffers.push(Buffer.from(text))
  return Buffer.concat(buffers)
}
