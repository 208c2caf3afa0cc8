// No run-time imports: the site's build would drop the functions otherwise (web/build/contract-routes.ts).

/** Removed from what players type, because no one can see it: docs/reference/challenges.md#submitting-a-flag */
const INVISIBLE = /[\u{ad}\u{180e}\u{200b}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2060}-\u{206f}\u{feff}]/u

/** Why no player can submit this flag, or null. */
export function flagProblem(text: string): string | null {
  if (/[\n\r\u2028\u2029]/.test(text)) return 'has a line break, which no player can submit; remove it'
  if (text !== text.trim()) return 'begins or ends with white space, which no player submits; remove it'
  if (INVISIBLE.test(text)) return 'has a character that cannot be seen, which no player can type; remove it'
  return text.length > 1024 ? 'is longer than 1024 characters, which no player can submit' : null
}

/** Whether a text is likely cut: in YAML, ` #` begins a comment, so `flag{a #b}` without quotes is `flag{a`. */
export function looksCut(text: string): boolean {
  return /\{[^}]*$/.test(text)
}
