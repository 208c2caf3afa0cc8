/**
 * Characters that no one can see, by their properties: zero width, bidi controls, soft hyphens, fillers, variation
 * selectors, tags, blanks that are not of a keyboard, and control characters. The braille blank and the
 * interlinear marks have no property that says so.
 */
const CLASS = String.raw`\p{Default_Ignorable_Code_Point}\p{Cc}\p{Zl}\p{Zp}\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000\u2800\uFFF9-\uFFFB`

/** Emoji contain joiners, selectors and tags that change how they look. */
const PICTURE = String.raw`\p{Extended_Pictographic}[\uFE0E\uFE0F]?\p{Emoji_Modifier}?`
const EMOJI = String.raw`[#*\d]\uFE0F\u20E3|\u{1F3F4}[\u{E0061}-\u{E007A}]+\u{E007F}|${PICTURE}(?:\u200D${PICTURE})*`

const HIDDEN = new RegExp(String.raw`(${EMOJI})|(?!\t)[${CLASS}]`, 'gu')
const LEADING = new RegExp(String.raw`^[\s${CLASS}]+`, 'u')
const TRAILING = new RegExp(String.raw`(${EMOJI})?[\s${CLASS}]*$`, 'u')

/** Removes white space and invisible characters from both ends. */
export function trimInvisible(text: string): string {
  return text.replace(LEADING, '').replace(TRAILING, '$1')
}

/** Removes every invisible character, except inside emoji. */
export function withoutInvisible(text: string): string {
  return text.replaceAll(HIDDEN, '$1')
}

/** The invisible characters of a text, each once, as `U+200B`. Those of emoji do not count. */
export function invisibleIn(text: string): readonly string[] {
  const found = [...text.matchAll(HIDDEN)].filter(([, emoji]) => emoji === undefined)
  return [...new Set(found.map(([character]) => codePoint(character)))]
}

function codePoint(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase()
  return `U+${hex.padStart(4, '0')}`
}
