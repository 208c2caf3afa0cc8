import { resolve, sep } from 'node:path'
import type { Reader } from './reader.ts'
import type { ForeignDocument } from './translation.ts'

/** The folders that gzcli reads challenges in. */
const CATEGORIES: readonly string[] = [
  'Misc',
  'Crypto',
  'Pwn',
  'Web',
  'Reverse',
  'Blockchain',
  'Forensics',
  'Hardware',
  'Mobile',
  'PPC',
  'OSINT',
  'Game Hacking',
  'AI',
  'Pentest',
]

export interface Place {
  readonly event: string | undefined
  readonly category: string | undefined
}

/** `events/<event>/<category>/…`; older repositories begin with the category. */
export function placeOf({ tree, folder }: ForeignDocument): Place {
  const below = placeIn(folder.split('/'))
  // The folder that was given may be one event, category or challenge.
  return below.category === undefined ? placeIn(resolve(tree.root, folder).split(sep)) : below
}

function placeIn(path: readonly string[]): Place {
  const parents = path.slice(0, -1)
  const events = parents.lastIndexOf('events')
  return events === -1
    ? { event: undefined, category: parents.findLast((name) => CATEGORIES.includes(name)) }
    : { event: parents[events + 1], category: parents[events + 2] }
}

/** Fills in the names of a text of a field. */
export type Fill = (field: string, text: string | undefined) => string | undefined

const NAME = /\{\{\s*\.(host|slug)\s*\}\}/g

/** The part of Go's templates that documents of gzcli use: `{{ .host }}` and `{{ .slug }}`. */
export function createFill(document: ForeignDocument, reader: Reader, challenge = ''): Fill {
  const { event, category } = placeOf(document)
  const names = [event, category, challenge].filter((name) => name !== undefined)
  const slug = names
    .join('-')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
  return (field, text) =>
    text?.replaceAll(NAME, (tag: string, name: string) => {
      const value = name === 'slug' ? slug : document.options.domain
      if (value === null)
        reader.report(field, '{{ .host }} has no value: add --domain with the public host of the containers')
      return value ?? tag
    })
}
