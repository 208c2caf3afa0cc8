import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { Readable } from 'node:stream'
import { StartError } from '../../lib/errors.ts'
import type { ByteReader } from './byte-reader.ts'
import { damaged } from './tar.ts'

// Two forms of encrypted archives. For recipients of age: a file that every implementation of age reads. With a passphrase: MAGIC, a salt of 16 bytes, then chunks of up to 64 KiB, each followed by its GCM tag of 16 bytes.
// The key is scrypt(passphrase, salt), so every archive has its own key and a chunk's nonce is just its number and whether
// it is the last one: chunks cannot be changed, reordered, or removed from the end.

/** What an archive is encrypted with. */
export type Encryption =
  | { readonly kind: 'passphrase'; readonly passphrase: string }
  /** Public keys, `age1…`: this machine cannot read the archive. */
  | { readonly kind: 'recipients'; readonly recipients: readonly string[] }

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
  encryption: Encryption,
): AsyncGenerator<Buffer> {
  if (encryption.kind === 'passphrase') yield* encryptWithPassphrase(reader(plain), encryption.passphrase)
  else yield* encryptForRecipients(plain, encryption.recipients)
}

async function* encryptWithPassphrase(source: ByteReader, passphrase: string): AsyncGenerator<Buffer> {
  if (passphrase.length < MIN_PASSPHRASE)
    throw new StartError(`The passphrase has fewer than ${MIN_PASSPHRASE} characters.`)
  const salt = randomBytes(SALT_BYTES)
  const key = await deriveKey(passphrase, salt)
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

/** The first bytes of an age file. */
export const AGE_MAGIC = Buffer.from('age-encryption.org/v1\n', 'latin1')

async function* encryptForRecipients(
  plain: AsyncIterable<Buffer>,
  recipients: readonly string[],
): AsyncGenerator<Buffer> {
  const { Encrypter } = await import('age-encryption')
  const encrypter = new Encrypter()
  for (const recipient of recipients) addRecipient(encrypter, recipient)
  yield* buffersOf(await encrypter.encrypt(webStreamOf(plain)))
}

/** Decrypts an age file from its first byte. Throws a StartError if a byte was changed or the identity does not fit. */
export async function* decryptWithIdentity(
  sealed: AsyncIterable<Buffer>,
  identities: readonly string[],
): AsyncGenerator<Buffer> {
  const { Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  for (const identity of identities) addIdentity(decrypter, identity)
  const opening = decrypter.decrypt(webStreamOf(sealed))
  const plain = await opening.catch((cause: Error) => {
    throw new StartError('No identity fits this archive, or its start is damaged. Nothing was changed.', {
      cause,
    })
  })
  try {
    yield* buffersOf(plain)
  } catch {
    throw damaged('an encrypted part was changed')
  }
}

function addRecipient(encrypter: { addRecipient(recipient: string): void }, recipient: string): void {
  try {
    encrypter.addRecipient(recipient)
  } catch (cause) {
    throw new StartError(`${recipient} is not a recipient of age (\`age1…\`).`, { cause })
  }
}

function addIdentity(decrypter: { addIdentity(identity: string): void }, identity: string): void {
  try {
    decrypter.addIdentity(identity)
  } catch {
    // The library's message could contain the secret.
    throw new StartError(
      'The identity file contains a line that is not an identity of age (`AGE-SECRET-KEY-1…`).',
    )
  }
}

function webStreamOf(source: AsyncIterable<Buffer>): ReadableStream<Uint8Array> {
  return Readable.toWeb(Readable.from(source, { objectMode: false })) as ReadableStream<Uint8Array>
}

async function* buffersOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of stream) yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
}
