import type { KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { StartError } from '../../lib/errors.ts'
import { readSigningKey } from '../../lib/ssh-signature.ts'
import type { Encryption } from './encryption.ts'

/** How new archives are encrypted by the configuration; null if they are not. */
export async function configuredEncryption(backup: {
  readonly passphraseFile?: string | undefined
  readonly recipients: readonly string[]
}): Promise<Encryption | null> {
  if (backup.recipients.length > 0) return { kind: 'recipients', recipients: backup.recipients }
  if (backup.passphraseFile === undefined) return null
  return { kind: 'passphrase', passphrase: await readPassphraseFile(backup.passphraseFile) }
}

/** The key that signs new archives by the configuration; null if none does. */
export async function configuredSigningKey(backup: {
  readonly signingKeyFile?: string | undefined
}): Promise<KeyObject | null> {
  return backup.signingKeyFile === undefined ? null : await readSigningKey(backup.signingKeyFile)
}

/** The identities in a file as `age-keygen` writes it: one per line, with comments. */
export async function readIdentities(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`Could not read identities from ${path} (${error.code}).`)
  })
  return text.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'))
}

/** The first line of the file. */
export async function readPassphraseFile(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`Could not read the passphrase from ${path} (${error.code}).`)
  })
  return firstLine(text)
}

export function firstLine(text: string): string {
  const [line = ''] = text.split(/\r?\n/, 1)
  return line
}
