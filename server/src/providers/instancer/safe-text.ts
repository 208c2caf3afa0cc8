import { isIP } from 'node:net'

/** Participants need only a sentence or two. */
const MAX_LENGTH = 500

const HIDDEN = '…'
const ADDRESS_WITH_SCHEME = /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi
const INTERNAL_NAME = /\b(?:[\w-]+\.)*(?:localhost|[\w-]+\.(?:internal|local|svc|lan|intranet))\b(?::\d+)?/gi
const MAYBE_IP = /\[?[\da-f.:]*[.:][\da-f.:]*\]?(?::\d+)?/gi
const SOCKET_PATH = /(?:\/[\w.-]+)+\.sock\b/g

/** Makes an engine's message safe for participants: without internal addresses, and limited in length. */
export function safeText(text: string): string {
  return text
    .slice(0, MAX_LENGTH * 2)
    .replace(ADDRESS_WITH_SCHEME, HIDDEN)
    .replace(SOCKET_PATH, HIDDEN)
    .replace(INTERNAL_NAME, HIDDEN)
    .replace(MAYBE_IP, (found) => (isAddress(found) ? HIDDEN : found))
    .slice(0, MAX_LENGTH)
}

/** Removes secrets from a text of an external service. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((left, secret) => (secret === '' ? left : left.replaceAll(secret, HIDDEN)), text)
}

function isAddress(text: string): boolean {
  const [, bracketed] = /^\[(.+?)\](?::\d+)?$/.exec(text) ?? []
  // A trailing full stop or colon belongs to the sentence.
  const bare = bracketed ?? text.replace(/^\[/, '').replace(/[.:\]]+$/, '')
  return isIP(bare) !== 0 || isIP(bare.replace(/:\d+$/, '')) === 4
}
