import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { StartError } from './errors.ts'
import { reasonOf } from './reason.ts'

// Detached Ed25519 signatures of backups as `ssh-keygen -Y sign` makes them, so that OpenSSH can verify them without Pennant.
// Source: https://github.com/openssh/openssh-portable/blob/master/PROTOCOL.sshsig

/** A public key as OpenSSH writes it. A comment may follow. */
export const PUBLIC_KEY = /^ssh-ed25519 (AAAAC3NzaC1lZDI1NTE5AAAAI[A-P][A-Za-z0-9+/]{42})(?: [^\r\n]*)?$/

const TYPE = 'ssh-ed25519'
/** Keeps a signature that the same key made for something else from counting for a backup. */
const NAMESPACE = 'pennant-backup'
const VERSION = Buffer.from([0, 0, 0, 1])
const KEY_BYTES = 32
const SIGNATURE_BYTES = 64
/** Where the public key begins in a signature: after the preamble, the version, two lengths, and the type with its length. */
const KEY_AT = 6 + 4 + 4 + (4 + TYPE.length) + 4
const LINE = 70
const ARMOR = /^-----BEGIN SSH SIGNATURE-----\s([A-Za-z0-9+/=\s]+)-----END SSH SIGNATURE-----\s*$/

/** Which key made a signature, and the signature itself. */
export interface SshSignature {
  /** `ssh-ed25519 AAAA…`, without a comment. */
  readonly signer: string
  readonly bytes: Buffer
}

/** The file with the signature of a file. */
export const signaturePath = (path: string) => `${path}.sig`

/** The private key in a PEM file. Throws a StartError that names the file. */
export async function readSigningKey(path: string): Promise<KeyObject> {
  const pem = await readFile(path).catch((cause: Error) => {
    throw new StartError(`Could not read the signing key ${path}: ${reasonOf(cause)}.`, { cause })
  })
  try {
    const key = createPrivateKey(pem)
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // The reasons of OpenSSL are no help.
  }
  throw new StartError(`${path} has no Ed25519 key in PEM format. Create one with \`pennant signing-key\`.`)
}

/** `ssh-ed25519 AAAA…` of a private key. */
export function publicKeyOf(key: KeyObject): string {
  return publicLine(Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url'))
}

/** Signs the SHA-512 digest of a file. Returns the text of the signature file. */
export function signDigest(key: KeyObject, digest: Buffer): string {
  const bytes = encode(rawKey(publicKeyOf(key)), sign(null, signedData(digest), key))
  const lines = bytes.toString('base64').match(new RegExp(`.{1,${LINE}}`, 'g')) ?? []
  return ['-----BEGIN SSH SIGNATURE-----', ...lines, '-----END SSH SIGNATURE-----', ''].join('\n')
}

/** Null unless the text is an Ed25519 signature of a backup. */
export function parseSignature(text: string): SshSignature | null {
  const bytes = Buffer.from(ARMOR.exec(text)?.[1] ?? '', 'base64')
  const key = bytes.subarray(KEY_AT, KEY_AT + KEY_BYTES)
  const signature = bytes.subarray(-SIGNATURE_BYTES)
  // Key and signature determine every other byte.
  return encode(key, signature).equals(bytes) ? { signer: publicLine(key), bytes: signature } : null
}

export function isSignatureOf({ signer, bytes }: SshSignature, digest: Buffer): boolean {
  const x = rawKey(signer).toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return verify(null, signedData(digest), key, bytes)
}

function encode(key: Buffer, signature: Buffer): Buffer {
  const settings = [field(NAMESPACE), field(''), field('sha512')]
  const signed = Buffer.concat([field(TYPE), field(signature)])
  return Buffer.concat([Buffer.from('SSHSIG'), VERSION, field(keyBlob(key)), ...settings, field(signed)])
}

function signedData(digest: Buffer): Buffer {
  return Buffer.concat([Buffer.from('SSHSIG'), field(NAMESPACE), field(''), field('sha512'), field(digest)])
}

function field(value: string | Buffer): Buffer {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

function keyBlob(key: Buffer): Buffer {
  return Buffer.concat([field(TYPE), field(key)])
}

function publicLine(key: Buffer): string {
  return `${TYPE} ${keyBlob(key).toString('base64')}`
}

function rawKey(line: string): Buffer {
  return Buffer.from(PUBLIC_KEY.exec(line)?.[1] ?? '', 'base64').subarray(-KEY_BYTES)
}
