import type { Readable } from 'node:stream'
import type { ZipTree } from '../../../features/organisers/archives/read-zip.ts'
import { withoutMarkers, type Links } from '../links.ts'
import { openUpload, type CtfdArchive } from './archive.ts'
import { decoded } from '../../../lib/decoded.ts'

/** The host has a bound, so that a hostile text cannot take quadratic time. */
const IN_TEXT =
  /(?:https?:\/\/[^\s"'<>()[\]\\]{1,200}?)?\/files\/([^\s"'<>()[\]\\?#]+)(?:\?token=[^\s"'<>()[\]\\&#]*)?/g

const LINK = '/files/'

const missing = () => Promise.reject(new Error('it is not in the archive'))

/** Opens the file of a link in the archive. */
export function openerOf(tree: ZipTree, link: string): () => Promise<Readable> {
  return openUpload(tree, link.slice(LINK.length)) ?? missing
}

export function createCtfdLinks(links: Links, archive: CtfdArchive) {
  const used = new Set<string>()

  function file(location: string): string {
    used.add(location)
    return links.add({
      link: `${LINK}${location}`,
      name: location.split('/').at(-1) ?? location,
      key: { kind: 'file' },
      sha256: null,
      open: archive.upload(location) ?? missing,
    })
  }

  return {
    /** A marker for an uploaded file. */
    file,
    /** A text with markers instead of links to uploaded files. */
    text: (text: string): string =>
      withoutMarkers(text).replaceAll(IN_TEXT, (_, location: string) => file(decoded(location))),
    /** Files that nothing refers to. */
    unused: (): readonly string[] =>
      archive.uploads.filter((name) => !used.has(name) && !used.has(name.replace(/^uploads\//, ''))),
  }
}

export type CtfdLinks = ReturnType<typeof createCtfdLinks>
