import { challengeLimits } from '@pennant/contract/admin-challenges.ts'
import { hintLimits } from '@pennant/contract/hints.ts'
import { picturesIn, placeOfPicture, replacePictures } from '@pennant/contract/text-pictures.ts'
import { posix } from 'node:path'
import type { ChallengeValue, Problem } from './value.ts'
import { decoded } from '../../../lib/decoded.ts'

// Pictures in the texts of a challenge that are files beside its document.

const IS_PICTURE = /\.(?:avif|bmp|gif|ico|jpe?g|png|svg|webp)$/i

export interface LocalPicture {
  /** As the text has it. */
  readonly address: string
  /** The path of the file in the tree. */
  readonly local: string
}

/** Texts of a challenge that players see. */
export function textsOf({ description = '', hints = [] }: Partial<ChallengeValue>): string[] {
  return [description, ...hints.map(({ text }) => text)]
}

export function withTexts(value: ChallengeValue, change: (text: string) => string): ChallengeValue {
  const { description, hints } = value
  return {
    ...value,
    ...(description !== undefined && { description: change(description) }),
    ...(hints && { hints: hints.map((hint) => ({ ...hint, text: change(hint.text) })) }),
  }
}

/** The challenge with other addresses for pictures in its texts. */
export function withPictures(value: ChallengeValue, addresses: ReadonlyMap<string, string>): ChallengeValue {
  return withTexts(value, (text) => replacePictures(text, (address) => addresses.get(address) ?? address))
}

/** Texts that became too long: the address of a stored picture is often longer than the one before. */
export function tooLongTexts({ description = '', hints = [] }: Partial<ChallengeValue>): Problem[] {
  const texts = [
    { path: 'description', text: description, max: challengeLimits.description },
    ...hints.map(({ text }, at) => ({ path: `hints.${at}.text`, text, max: hintLimits.text })),
  ]
  return texts.flatMap(({ path, text, max }) => {
    const reason = tooLongReason(text, max)
    return reason === null ? [] : [{ path, reason }]
  })
}

/** Null if the text has at most so many characters. */
export function tooLongReason(text: string, max: number): string | null {
  if (text.length <= max) return null
  return `has ${text.length} characters with the addresses of its stored pictures, and at most ${max} are possible`
}

/** The path in the tree of a picture in a text of a document in `folder`; null if its name is of no picture. */
export function picturePath(folder: string, address: string): string | null {
  const path = posix.join(folder, decoded(address.replace(/[?#].*$/, '')))
  return IS_PICTURE.test(path) ? path : null
}

/** The pictures of a challenge in `folder` that are files of its tree. */
export function localPictures(
  value: ChallengeValue,
  folder: string,
  sizes: ReadonlyMap<string, unknown>,
): LocalPicture[] {
  const beside = new Set(
    textsOf(value)
      .flatMap(picturesIn)
      .filter((each) => placeOfPicture(each, []) === 'beside'),
  )
  return [...beside].flatMap((address) => {
    const local = picturePath(folder, address)
    return local !== null && sizes.has(local) ? [{ address, local }] : []
  })
}

/** The URL of a file before it is stored; stores that are not this server have others. */
export function likelyUrl({ sha256, name }: { readonly sha256: string; readonly name: string }): string {
  return `/uploads/${sha256}/${encodeURIComponent(name)}`
}
