import { useLocation } from 'react-router'

/** Where to go back to after signing in: the page that is open, unless it is one of coming in. */
export function useNext(): string | undefined {
  const { pathname, search } = useLocation()
  const isAccountPage = ['/', '/login', '/register', '/recover', '/verify'].includes(pathname)
  return isAccountPage ? undefined : pathname + search
}
