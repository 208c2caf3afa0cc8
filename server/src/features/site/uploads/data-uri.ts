const DATA = /^data:/i
const BASE64_MARK = /;\s*base64\s*$/i
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** Decodes a data URI; null if it is not one. The media type may be empty, because some tools send it so. */
export function decodeDataUri(text: string): Buffer | null {
  if (!DATA.test(text)) return null
  const comma = text.indexOf(',')
  if (comma === -1) return null
  const data = text.slice(comma + 1)
  if (!BASE64_MARK.test(text.slice(0, comma))) return percentDecoded(data)
  const plain = data.includes('%') ? percentDecoded(data)?.toString('latin1') : data
  return plain === undefined ? null : decodeBase64(plain.replace(/[\t\n\f\r ]+/g, ''))
}

function decodeBase64(text: string): Buffer | null {
  if (!BASE64.test(text)) return null
  const digits = text.endsWith('=') ? text.slice(0, text.indexOf('=')) : text
  // Padding is optional, but if present it must be correct.
  if (digits.length % 4 === 1 || (text.length !== digits.length && text.length % 4 !== 0)) return null
  return Buffer.from(digits, 'base64')
}

/** Decodes percent escapes to bytes; null if an escape is invalid. */
function percentDecoded(text: string): Buffer | null {
  const bytes = Buffer.from(text)
  if (!text.includes('%')) return bytes
  if (/%(?![0-9a-f]{2})/i.test(text)) return null
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    let byte = bytes[at] ?? 0
    if (byte === 0x25) {
      byte = Number.parseInt(bytes.toString('latin1', at + 1, at + 3), 16)
      at += 2
    }
    bytes[length++] = byte
  }
  return bytes.subarray(0, length)
}
