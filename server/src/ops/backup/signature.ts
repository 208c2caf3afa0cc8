import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { StartError } from '../../lib/errors.ts'
import { isSignatureOf, parseSignature, signaturePath } from '../../lib/ssh-signature.ts'

export interface TrustedSigners {
  /** Public keys of OpenSSH. Without any, signatures are not checked. */
  readonly signedBy: readonly string[]
  /** Accepts an archive without a signature. One that exists must be right nevertheless. */
  readonly mayBeUnsigned: boolean
}

export interface VerifiedFile {
  /** SHA-512 of the archive in hex. */
  readonly sha512: string
  /** The public key. */
  readonly signer: string
}

const READ_BYTES = 1024 ** 2
/** Ours have about 300 bytes. */
const MAX_SIGNATURE_BYTES = 4096

/**
 * Verifies the signature of an archive before anything else is read from it. Null if none is needed. Throws a StartError if it is
 * missing or wrong.
 */
export async function verifySignature(path: string, trusted: TrustedSigners): Promise<VerifiedFile | null> {
  // A comment after the key is the operator's.
  const signers = trusted.signedBy.map((line) => line.split(' ', 2).join(' '))
  if (signers.length === 0) return null
  const text = await readSignature(path)
  if (text === null) {
    if (trusted.mayBeUnsigned) return null
    throw new StartError(
      `${path} has no signature (${signaturePath(path)}), although public keys are given or configured: anyone may have written it. ` +
        'Nothing was changed. If you trust its origin, use --accept-unsigned.',
    )
  }
  const signature = parseSignature(text)
  if (signature === null)
    throw new StartError(`${signaturePath(path)} is not a signature of a backup. Nothing was changed.`)
  const { signer } = signature
  if (!signers.includes(signer))
    throw new StartError(
      `${path} is signed with a key that is neither given nor configured: ${signer}. Nothing was changed. If you trust this key, ` +
        `use --signed-by '${signer}'.`,
    )
  const digest = await digestOf(path)
  if (!isSignatureOf(signature, digest))
    throw new StartError(
      `${path} does not match its signature: one of the two was changed, or belongs to another archive. Nothing was changed.`,
    )
  return { sha512: digest.toString('hex'), signer }
}

async function readSignature(path: string): Promise<string | null> {
  const file = await openToRead(signaturePath(path)).catch((error: StartError) => {
    if ((error.cause as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  })
  if (file === null) return null
  await using _ = file
  const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_SIGNATURE_BYTES))
  return buffer.toString('latin1', 0, bytesRead)
}

async function digestOf(path: string): Promise<Buffer> {
  await using file = await openToRead(path)
  const hash = createHash('sha512')
  for await (const chunk of file.createReadStream({ autoClose: false, highWaterMark: READ_BYTES }))
    hash.update(chunk as Buffer)
  return hash.digest()
}

/** Opens an archive or its signature. Throws a StartError that names it. */
export async function openToRead(path: string) {
  return await open(path, 'r').catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === 'ENOENT' ? 'there is no such file' : cause.code
    throw new StartError(`Could not read ${path}: ${reason}.`, { cause })
  })
}
