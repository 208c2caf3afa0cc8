import { useLocation } from 'react-router'

/** The path to return to after signing in: the current page, unless it is itself a sign-in page. */
export function useNext(): string | undefined {
  const { pathname, search } = useLocation()
  const isAccountPage = ['/', '/login', '/register', '/recover', '/verify'].includes(pathname)
  return isAccountPage ? undefined : pathname + search
}
