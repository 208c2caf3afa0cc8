import { foreignFormats } from './formats/all.ts'
import {
  foreignNames,
  isMap,
  keysIn,
  type ForeignDocument,
  type Format,
  type Signs,
} from './formats/translation.ts'

const OWN = ['points', 'scoring', 'hidden', 'releaseTime', 'wave', 'prerequisites', 'lockedShown']
const OWN_ENGINES = ['instancer', 'adminBot']
const NOT_OWN = [
  'value',
  'extra',
  'state',
  'version',
  'flag',
  'provide',
  'containers',
  'expose',
  'connection_info',
]

/** The format of a document: by what is in it, then by the project that it is part of, then by its name. */
export function recognise(
  document: ForeignDocument,
): { readonly format: Format } | { readonly problem: string; readonly field: string } {
  const candidates = [
    ...foreignNames.map((format) => ({ format, ...foreignFormats[format].signs(document) })),
    { format: 'pennant' as const, ...ownSigns(document) },
  ].filter(({ found }) => found.length > 0)
  const clear = candidates.find(({ against }) => against.length === 0)
  if (clear) return { format: clear.format }
  const [first, second] = candidates
  if (first && second) {
    const named = [first, second].map(({ format, found }) => `${format} (${found.join(', ')})`)
    const message = `has keys of two formats, ${named.join(' and ')}: remove those of one, or choose with --format`
    return { problem: message, field: first.against[0]?.replaceAll('`', '') ?? '' }
  }
  return { format: first?.format ?? (document.file.endsWith('.yml') ? 'ctfcli' : 'pennant') }
}

function ownSigns({ text }: ForeignDocument): Signs {
  const flags: unknown = Array.isArray(text['flags']) ? text['flags'][0] : undefined
  const isOwnFlag = isMap(flags) && ['kind', 'flag', 'pattern', 'base'].some((key) => key in flags)
  return {
    found: [...keysIn(text, [...OWN, ...OWN_ENGINES]), ...(isOwnFlag ? ['`flags` with `flag`'] : [])],
    against: keysIn(text, NOT_OWN),
  }
}
