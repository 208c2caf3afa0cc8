import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto'

/** Encrypts short texts that clients keep and return: base64 of IV, AES-256-GCM ciphertext and tag. */
export interface Sealer {
  seal(text: string): string
  /** Null unless it was sealed with the same key. Never throws. */
  open(sealed: string): string | null
}

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/** Longer than anything that is sealed. Longer texts are rejected before they are decoded. */
const MAX_LENGTH = 4096
const BASE64_TEXT = /^[A-Za-z0-9+/_-]+={0,2}$/

/** `key`: 32 bytes. */
export function createSealer(key: Buffer): Sealer {
  const secret = createSecretKey(key)
  const nextIv = ivSource()
  return {
    seal(text) {
      const iv = nextIv()
      const cipher = createCipheriv(CIPHER, secret, iv)
      const encrypted = cipher.update(text, 'utf8')
      // In GCM mode, `final` adds no bytes.
      cipher.final()
      return Buffer.concat([iv, encrypted, cipher.getAuthTag()]).toString('base64')
    },
    open(sealed) {
      if (sealed.length > MAX_LENGTH || !BASE64_TEXT.test(sealed)) return null
      const bytes = Buffer.from(sealed, 'base64')
      if (bytes.length <= IV_BYTES + TAG_BYTES) return null
      try {
        const iv = bytes.subarray(0, IV_BYTES)
        const decipher = createDecipheriv(CIPHER, secret, iv, { authTagLength: TAG_BYTES })
        decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
        const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)).toString('utf8')
        // Throws unless the tag proves that these bytes were encrypted with our key.
        decipher.final()
        return text
      } catch {
        return null
      }
    },
  }
}

/** Returns random IVs drawn in blocks, because one system call per text would cost as much as the cipher. */
function ivSource(): () => Buffer {
  let block = randomBytes(0)
  return () => {
    if (block.length === 0) block = randomBytes(IV_BYTES * 256)
    const iv = block.subarray(0, IV_BYTES)
    block = block.subarray(IV_BYTES)
    return iv
  }
}
