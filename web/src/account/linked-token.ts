import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { paths } from '../paths.ts'

/**
 * The token in an address: in the fragment, which is not sent to servers, or in the query of one-time links.
 */
export function tokenIn({ search, hash }: { readonly search: string; readonly hash: string }): string | null {
  return new URLSearchParams(hash.slice(1)).get('token') ?? new URLSearchParams(search).get('token')
}

/** A link that signs in with a team token, in the fragment, which browsers do not send: no server or proxy can log it. */
export function signInLink(token: string): string {
  return `${location.origin}${paths.verify()}#${new URLSearchParams({ token })}`
}

/**
 * Removes the token from the address and keeps it in memory only, so that it does not appear in screenshots,
 * the history or the next request.
 */
export function useLinkedToken(): string | null {
  const location = useLocation()
  const navigate = useNavigate()
  const linked = tokenIn(location)
  const [token, setToken] = useState(linked)
  useEffect(() => {
    if (linked === null) return
    setToken(linked)
    const search = new URLSearchParams(location.search)
    search.delete('token')
    void navigate({ pathname: location.pathname, search: search.toString() }, { replace: true })
  }, [linked, location.pathname, location.search, navigate])
  return linked ?? token
}
