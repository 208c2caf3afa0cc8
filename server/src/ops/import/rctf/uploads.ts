import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { localPath } from '../../../providers/uploads/local-path.ts'
import { withoutMarkers, type Links } from '../links.ts'
import { decoded } from '../../../lib/decoded.ts'

/** What the source knows of a file: its digest, and its name. */
interface UploadKey {
  readonly sha256: string
  readonly name: string
}

/** Where the content of files is read. */
export interface UploadSource {
  /** Folder of uploads of the source. */
  readonly folder: string | null
  /** Address of the source, which serves the files. */
  readonly origin: string | null
  readonly fetch: typeof globalThis.fetch
}

const IN_PATH = /\/uploads\/([0-9a-f]{64})\/([^/?#]+)$/
const IN_QUERY = /\/uploads\?key=([0-9a-f]{64})(?:%2[fF]|\/)([^&#]+)$/
const AVATAR = /\/avatars\/([^/?#]+)\/([0-9a-f]{64})\.webp$/
/** The host has a bound, so that a hostile text cannot take quadratic time. */
const IN_TEXT =
  /(?:https?:\/\/[^\s"'<>()[\]\\]{1,200}?)?\/uploads(?:\/[0-9a-f]{64}\/[^\s"'<>()[\]\\?#]+|\?key=[0-9a-f]{64}(?:%2[fF]|\/)[^\s"'<>()[\]\\&#]+)/g

const FETCH_TIMEOUT_MS = 10 * 60_000

export function createRctfLinks(links: Links, source: UploadSource) {
  function uploadOf(url: string): string | null {
    const key = keyOf(url)
    if (!key) return null
    return links.add({
      link: url,
      name: key.name,
      key: { kind: 'file' },
      sha256: key.sha256,
      open: openerOf(url, [key.sha256, key.name]),
    })
  }

  function openerOf(url: string, segments: readonly string[]) {
    const { folder, origin } = source
    if (folder !== null) return () => openFile(folder, segments)
    if (origin === null) return null
    return () => download(source, new URL(url, origin), origin)
  }

  return {
    /** A marker for the URL of an upload; other URLs stay. */
    url: (url: string): string => uploadOf(url) ?? withoutMarkers(url),

    /** A text with markers for the uploads that it links to. */
    text: (text: string): string => withoutMarkers(text).replaceAll(IN_TEXT, (url) => uploadOf(url) ?? url),

    /** A marker for a stored avatar; null for a picture that is elsewhere. */
    avatar(teamId: string, url: string): string | null {
      const [, owner, sha256 = ''] = AVATAR.exec(url) ?? []
      if (owner === undefined) return null
      return links.add({
        link: url,
        name: `${sha256}.webp`,
        key: { kind: 'avatar', teamId },
        sha256,
        open: openerOf(url, ['avatars', decoded(owner), `${sha256}.webp`]),
      })
    },
  }
}

export type RctfLinks = ReturnType<typeof createRctfLinks>

/** Each segment of a URL is encoded, so `a+b.zip` and `a b.zip` are two names. */
function keyOf(url: string): UploadKey | null {
  const [, sha256, name] = IN_PATH.exec(url) ?? IN_QUERY.exec(url) ?? []
  return sha256 === undefined || name === undefined ? null : { sha256, name: decoded(name) }
}

/** Version 2 stores `<sha256>/<name>`, version 1 a file `<sha256>`. */
async function openFile(folder: string, segments: readonly string[]): Promise<Readable> {
  const path = localPath(folder, segments)
  const candidates = [path, segments[0] === 'avatars' ? null : join(folder, segments[0] ?? '')]
  for (const candidate of candidates) {
    if (candidate === null) continue
    const found = await stat(candidate).catch(() => null)
    if (found?.isFile()) return createReadStream(candidate)
  }
  throw new Error('it is not in the folder of uploads')
}

/**
 * Only from the host that the operator named: the dump comes from elsewhere, and must not choose what this machine can reach. So
 * redirects are not followed either.
 */
async function download({ fetch }: UploadSource, url: URL, origin: string): Promise<Readable> {
  if (url.origin !== new URL(origin).origin)
    throw new Error(`it is at ${url.origin}, not at --origin; copy it to the folder of --files`)
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) })
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400))
    throw new Error('the server redirects to another address, which is not followed')
  if (!response.ok || !response.body) throw new Error(`the server responded with status ${response.status}`)
  return Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0])
}
