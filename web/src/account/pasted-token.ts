import { tokenIn } from './linked-token.ts'

export type Pasted =
  /** A team token to sign in with. */
  | { readonly kind: 'team'; readonly token: string }
  /** The token of an email link or of the server's first start: it has its own page. */
  | { readonly kind: 'link'; readonly token: string }

/** Parses the input of the token field: a token, or a link of this site that contains one. */
export function readPasted(pasted: string): Pasted {
  const text = pasted.trim()
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return { kind: 'team', token: text }
  const url = new URL(text)
  const token = tokenIn(url)
  if (token === null) return { kind: 'team', token: text }
  return { kind: url.pathname === '/verify' ? 'link' : 'team', token }
}
