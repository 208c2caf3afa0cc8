export type Pasted =
  /** A team token, to sign in with. */
  | { readonly kind: 'team'; readonly token: string }
  /** That of a mail or of the server's first start: it is used on a page of its own. */
  | { readonly kind: 'link'; readonly token: string }

/** What somebody put into the token field: the token itself, or a link of this site that holds one. */
export function readPasted(pasted: string): Pasted {
  const text = pasted.trim()
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return { kind: 'team', token: text }
  const { pathname, searchParams } = new URL(text)
  const token = searchParams.get('token')
  if (token === null) return { kind: 'team', token: text }
  return { kind: pathname === '/verify' ? 'link' : 'team', token }
}
