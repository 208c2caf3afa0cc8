import { readFile } from 'node:fs/promises'
import { StartError } from '../lib/errors.ts'

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
