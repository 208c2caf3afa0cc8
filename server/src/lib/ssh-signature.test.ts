import { createHash, createPrivateKey } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/folder.ts'
import {
  isSignatureOf,
  parseSignature,
  PUBLIC_KEY,
  publicKeyOf,
  readSigningKey,
  signDigest,
} from './ssh-signature.ts'

// Made by `ssh-keygen -t ed25519` and `ssh-keygen -Y sign -n pennant-backup` of OpenSSH 9.2.
const PEM = `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIOzxTrRMIy/7X+VKfRrgnNk9pAZajbiyTS2Rj9cxx1Rw
-----END PRIVATE KEY-----
`
const SIGNER = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA6gI6bbBvZtLAkW4G9QnI6qTEe4QgCwM9N0GgfV4HTr'
const digest = createHash('sha512').update('an archive\n').digest()
const SIGNATURE = `-----BEGIN SSH SIGNATURE-----
U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgDqAjptsG9m0sCRbgb1CcjqpMR7
hCALAz03QaB9XgdOsAAAAOcGVubmFudC1iYWNrdXAAAAAAAAAABnNoYTUxMgAAAFMAAAAL
c3NoLWVkMjU1MTkAAABAfk9GSGhnr4KN6ObYKvZLqFolGML5ZnnQ5UihfH5pHIkUy59y9a
kB/WK7RxgeG3TSelSmEEAhiDdp1AB2J4Q4CA==
-----END SSH SIGNATURE-----
`
/** By the same key, with `-n file`. */
const OTHER_NAMESPACE = `-----BEGIN SSH SIGNATURE-----
U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgDqAjptsG9m0sCRbgb1CcjqpMR7
hCALAz03QaB9XgdOsAAAAEZmlsZQAAAAAAAAAGc2hhNTEyAAAAUwAAAAtzc2gtZWQyNTUx
OQAAAEAKJfs6o7/DuDP3tQtshYenOxX2tHCuafCrUfbxXy9elvXb2S3OLlBahvMoMLFvtV
A/vgNiQuBmsjib8SiFKaQB
-----END SSH SIGNATURE-----
`

test('signs as ssh-keygen does, byte for byte', () => {
  const key = createPrivateKey(PEM)
  expect(publicKeyOf(key)).toBe(SIGNER)
  expect(signDigest(key, digest)).toBe(SIGNATURE)
})

test('verifies a signature of ssh-keygen, and no other digest', () => {
  const signature = parseSignature(SIGNATURE)!
  expect(signature.signer).toBe(SIGNER)
  expect(isSignatureOf(signature, digest)).toBe(true)
  expect(isSignatureOf(signature, createHash('sha512').update('another\n').digest())).toBe(false)
})

test('a signature with any flipped bit is unreadable, by another key, or wrong', () => {
  const lines = SIGNATURE.split('\n')
  const bytes = Buffer.from(lines.slice(1, -2).join(''), 'base64')
  for (let at = 0; at < bytes.length * 8; at++) {
    const changed = Buffer.from(bytes)
    changed[at >> 3] = (changed[at >> 3] ?? 0) ^ (1 << (at & 7))
    const signature = parseSignature([lines[0], changed.toString('base64'), ...lines.slice(-2)].join('\n'))
    expect(signature?.signer === SIGNER && isSignatureOf(signature, digest), `bit ${at}`).toBe(false)
  }
})

test.each([
  ['nothing', ''],
  ['another text', 'hello'],
  ['one of another namespace', OTHER_NAMESPACE],
  ['half of one', SIGNATURE.slice(0, 200)],
  ['an armour without content', SIGNATURE.replace(/\n[\s\S]*\n-/, '\n\n-')],
])('does not read %s as a signature', (_, text) => {
  expect(parseSignature(text)).toBeNull()
})

test('accepts public keys with and without a comment, and only those of Ed25519', () => {
  for (const line of [SIGNER, `${SIGNER} `, `${SIGNER} backup of ctf.example`])
    expect(PUBLIC_KEY.test(line)).toBe(true)
  for (const line of [
    '',
    `${SIGNER}A`,
    SIGNER.slice(0, -1),
    `${SIGNER}\n${SIGNER}`,
    'ssh-rsa AAAAB3NzaC1yc2E=',
  ])
    expect(PUBLIC_KEY.test(line)).toBe(false)
})

test('names a key file that is missing or has no such key', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'key')
  await expect(readSigningKey(path)).rejects.toThrow(
    `the signing key ${path}: the file or folder does not exist.`,
  )
  await writeFile(path, 'MC4CAQAwBQ')
  await expect(readSigningKey(path)).rejects.toThrow(/no Ed25519 key in PEM format.*pennant signing-key/)
})
