import { createHash, type Hash } from 'node:crypto'
import { StartError } from '../../lib/errors.ts'
import { createByteReader, type ByteReader } from './byte-reader.ts'
import { AGE_MAGIC, decrypt, decryptWithIdentity, MAGIC } from './encryption.ts'
import * as layout from './manifest.ts'
import { openToRead, type VerifiedFile } from './signature.ts'
import { damaged, readTar, type TarMember } from './tar.ts'

export interface ArchiveFile {
  readonly path: string
  /** Read only if the archive is encrypted. */
  readonly passphrase: () => Promise<string | null>
  /** Secret keys of age. Read only if the archive is encrypted for recipients. */
  readonly identities: () => Promise<readonly string[]>
  /** False where a secret is known: who replaces an archive with a plain one must not need that secret. */
  readonly mayBePlain: boolean
  /** Null if no signature was verified. Each pass over the file must find the bytes that were. */
  readonly verified: VerifiedFile | null
}

/** Enough for a million members; a foreign file cannot exhaust the memory. */
const MAX_MANIFEST_BYTES = 256 * 1024 ** 2
const READ_BYTES = 1024 ** 2

/** Reads the whole archive once and compares every byte with the manifest. Throws a StartError if anything differs. */
export async function checkArchive(file: ArchiveFile): Promise<layout.Manifest> {
  const found: layout.Manifest['members'] = []
  let manifestText: Buffer = Buffer.alloc(0)
  let checksum = ''
  for await (const { name, size, content } of readMembers(file)) {
    const hash = createHash('sha256')
    const isKept = name === layout.MANIFEST_NAME || name === layout.CHECKSUM_NAME
    if (isKept && size > MAX_MANIFEST_BYTES) throw damaged('its manifest is too large')
    const kept: Buffer[] = []
    for await (const chunk of content) {
      hash.update(chunk)
      // Copied, because a chunk may be part of a reused buffer.
      if (isKept) kept.push(Buffer.from(chunk))
    }
    if (name === layout.MANIFEST_NAME) manifestText = Buffer.concat(kept)
    if (name === layout.CHECKSUM_NAME) checksum = Buffer.concat(kept).toString()
    found.push({ name, size, sha256: hash.digest('hex') })
  }
  const digest = createHash('sha256').update(manifestText).digest('hex')
  if (checksum !== `${digest}  ${layout.MANIFEST_NAME}\n`)
    throw damaged('its manifest does not match its checksum')
  const manifest = layout.Manifest.safeParse(JSON.parse(manifestText.toString()))
  if (!manifest.success)
    throw new StartError('The archive was made by a newer version of Pennant. Use that version.')
  requireSameMembers(found.slice(0, -2), manifest.data.members)
  return manifest.data
}

/** The members in their order. The first one proves that the file is a backup of Pennant. */
export async function* readMembers(file: ArchiveFile): AsyncGenerator<TarMember> {
  const handle = await openToRead(file.path)
  const bytes = handle.createReadStream({ autoClose: false, highWaterMark: READ_BYTES })
  const hash = createHash('sha512')
  try {
    let isFirst = true
    for await (const member of readTar(createByteReader(plainBytes(hashed(bytes, hash), file)))) {
      if (isFirst && (member.name !== layout.MARK_NAME || member.size !== layout.MARK.length))
        throw foreign(file)
      isFirst = false
      yield member
    }
    if (isFirst) throw foreign(file)
    if (file.verified && file.verified.sha512 !== hash.digest('hex'))
      throw damaged('it changed after its signature was verified')
  } finally {
    bytes.destroy()
    await handle.close()
  }
}

export async function* hashed(bytes: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    hash.update(chunk)
    yield chunk
  }
}

/** The content of a small member. */
export async function contentOf({ content }: TarMember): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const chunk of content) parts.push(Buffer.from(chunk))
  return Buffer.concat(parts)
}

async function* plainBytes(bytes: AsyncIterable<Buffer>, file: ArchiveFile): AsyncGenerator<Buffer> {
  const reader = createByteReader(bytes)
  const start = await reader.upTo(MAGIC.length)
  if (start.subarray(0, AGE_MAGIC.length).equals(AGE_MAGIC)) {
    const identities = await file.identities()
    if (identities.length === 0)
      throw new StartError(
        'The archive is encrypted for recipients of age. Name a file with an identity: --identity <file>.',
      )
    return yield* decryptWithIdentity(joined(start, reader), identities)
  }
  if (!start.equals(MAGIC)) {
    if (start.toString('latin1').replace(/\0.*/s, '') !== layout.MARK_NAME) throw foreign(file)
    if (!file.mayBePlain)
      throw new StartError(
        `${file.path} is not encrypted, although a passphrase, an identity or recipients are given or configured: anyone may have ` +
          'written it. Nothing was changed. If you trust its origin, use --accept-unencrypted.',
      )
    return yield* joined(start, reader)
  }
  const passphrase = await file.passphrase()
  if (passphrase === null)
    throw new StartError(
      'The archive is encrypted. Set PENNANT_BACKUP_PASSPHRASE_FILE to a file with its passphrase, or use --passphrase-fd.',
    )
  yield* decrypt(reader, passphrase)
}

async function* joined(start: Buffer, reader: ByteReader): AsyncGenerator<Buffer> {
  yield start
  for (let part = await reader.some(READ_BYTES); part; part = await reader.some(READ_BYTES)) yield part
}

function requireSameMembers(found: layout.Manifest['members'], listed: layout.Manifest['members']): void {
  if (found.length !== listed.length) throw damaged('a member is missing or was added')
  for (const [at, { name, size, sha256 }] of found.entries()) {
    const expected = listed[at]
    if (expected?.name !== name || expected.size !== size || expected.sha256 !== sha256)
      throw damaged(`${name} does not match the manifest`)
  }
}

function foreign({ path }: ArchiveFile): StartError {
  return new StartError(
    `${path} is not a backup of Pennant, or its first bytes are damaged. Nothing was changed.`,
  )
}
