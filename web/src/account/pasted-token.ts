import { withoutInvisible } from '../text/invisible.ts'

export type Pasted =
  /** A team token to sign in with. */
  | { readonly kind: 'team'; readonly token: string }
  /** The token of an email link or of the server's first start: it has its own page. */
  | { readonly kind: 'link'; readonly token: string }

/** Redirecting links of mail services contain the link percent-encoded, sometimes twice. */
const MAX_ENCODINGS = 3
/** What precedes a token: the parameter of a link, a field of JSON, a shell variable, a label, a header. */
const LABEL = /(?:token["'`*]*\s*[:=]|bearer\s)\s*["'`*]*/i
const AFTER_TOKEN = /["'`*,;}&#)\]]/
const TERMINAL_STYLE = /\p{Cc}\[[\d;]*[A-Za-z]/gu
const ENTITY = /&(?:#\d+|#x[\da-f]+|\w+);/gi

/**
 * Parses the input of the token field: a token or a link that contains one, however a mail, a chat or a terminal
 * wrapped, quoted or encoded it. A text field removes line breaks, so quote marks and borders may be anywhere.
 */
export function readPasted(pasted: string): Pasted {
  const typed = pasted.trim()
  let text = withoutInvisible(withoutEntities(typed.replaceAll(TERMINAL_STYLE, '')))
  for (let left = MAX_ENCODINGS; left > 0 && !LABEL.test(text); left--) text = decoded(text)
  const label = LABEL.exec(text)
  if (!label && /https?:\/\//i.test(text)) return { kind: 'team', token: typed }
  const rest = label ? text.slice(label.index + label[0].length) : text.replace(/^["'`*(<[\s>|]+/, '')
  const token = tokenOf(rest.split(AFTER_TOKEN)[0] ?? '')
  const isVerify = label !== null && /\/verify\/?[?#]/.test(text.slice(0, label.index).replaceAll(/\s/g, ''))
  return { kind: isVerify ? 'link' : 'team', token: token || typed }
}

/** Keeps the characters of base64 and undoes quoted-printable: `=` inside a token is its escape. */
function tokenOf(text: string): string {
  let token = text.replaceAll(/[^\w+/=%-]/g, '')
  for (let left = MAX_ENCODINGS; left > 0 && token.includes('%'); left--) token = decoded(token)
  token = token.replaceAll(/=3D/gi, '=').replaceAll(/=+(?=[^=])/g, '')
  // `token=3D…` may also be a token that begins with 3D: the length of base64 is a multiple of 4.
  return token.startsWith('3D') && token.length % 4 === 2 ? token.slice(2) : token
}

/** As HTML shows the text, without its quotation marks and blanks. */
function withoutEntities(text: string): string {
  return text.replaceAll(ENTITY, (entity) => {
    if (!entity.startsWith('&#')) return entity.toLowerCase() === '&amp;' ? '&' : ''
    const code = Number(`0${entity.slice(2, -1)}`)
    return code < 0x80 ? String.fromCharCode(code) : ''
  })
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll(/\s/g, ''))
  } catch {
    return text
  }
}
