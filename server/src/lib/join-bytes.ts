/** Texts and ready bytes as one body. Bytes that are kept ready spare their encoding, most of the price of a page. */
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
