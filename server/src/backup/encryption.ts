import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { StartError } from '../lib/errors.ts'
import type { ByteReader } from './byte-reader.ts'
import { damaged } from './tar.ts'

// An encrypted archive: MAGIC, a salt of 16 bytes, then chunks of up to 64 KiB, each followed by its GCM tag of 16 bytes.
// The key is scrypt(passphrase, salt), so every archive has its own key and a chunk's nonce is just its number and whether
// it is the last one: chunks cannot be changed, reordered, or removed from the end.

export const MAGIC = Buffer.from('PENNANT-ENCRYPTED-BACKUP-1\n', 'latin1')
const CIPHER = 'aes-256-gcm'
const SALT_BYTES = 16
const CHUNK_BYTES = 64 * 1024
const TAG_BYTES = 16
const MIN_PASSPHRASE = 12

/** About 0.4 s and 128 MiB, once for each archive. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 ** 2 }

export async function* encrypt(
  plain: AsyncIterable<Buffer>,
  reader: (source: AsyncIterable<Buffer>) => ByteReader,
  passphrase: string,
): AsyncGenerator<Buffer> {
  if (passphrase.length < MIN_PASSPHRASE)
    throw new StartError(`The passphrase has fewer than ${MIN_PASSPHRASE} characters.`)
  const salt = randomBytes(SALT_BYTES)
  const key = await deriveKey(passphrase, salt)
  const source = reader(plain)
  yield Buffer.concat([MAGIC, salt])
  let next = await source.upTo(CHUNK_BYTES)
  for (let number = 0; ; number++) {
    const chunk = next
    next = chunk.length < CHUNK_BYTES ? Buffer.alloc(0) : await source.upTo(CHUNK_BYTES)
    const isLast = next.length === 0
    const cipher = createCipheriv(CIPHER, key, nonceOf(number, isLast))
    cipher.setAAD(MAGIC)
    yield Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
    if (isLast) return
  }
}

/** Decrypts what follows MAGIC. Throws a StartError if a byte was changed or the passphrase is wrong. */
export async function* decrypt(source: ByteReader, passphrase: string): AsyncGenerator<Buffer> {
  const salt = await source.upTo(SALT_BYTES)
  const key = await deriveKey(passphrase, salt)
  const sealedBytes = CHUNK_BYTES + TAG_BYTES
  let next = await source.upTo(sealedBytes)
  for (let number = 0; ; number++) {
    const sealed = next
    next = sealed.length < sealedBytes ? Buffer.alloc(0) : await source.upTo(sealedBytes)
    const isLast = next.length === 0
    yield open(sealed, key, { number, isLast })
    if (isLast) return
  }
}

function open(
  sealed: Buffer,
  key: Buffer,
  at: { readonly number: number; readonly isLast: boolean },
): Buffer {
  if (sealed.length < TAG_BYTES) throw damaged('it ends too early')
  const decipher = createDecipheriv(CIPHER, key, nonceOf(at.number, at.isLast), { authTagLength: TAG_BYTES })
  decipher.setAAD(MAGIC)
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()])
  } catch {
    if (at.number > 0) throw damaged('an encrypted part was changed')
    throw new StartError('The passphrase is wrong, or the archive is damaged. Nothing was changed.')
  }
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(number, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

async function deriveKey(passphrase: string, salt: Buffer): Promise<Buffer> {
  return await new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFC'), salt, 32, SCRYPT, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}
