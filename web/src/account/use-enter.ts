import { useNavigate } from 'react-router'
import { paths } from '../paths.ts'

interface SignedIn {
  readonly needsSecondFactor: boolean
  /** Why the sign-in gave the person no team, in an event that gives one. */
  readonly teamRefusal?: string | undefined
}

/** Where a person goes after signing in, whichever way: to the second factor, to why there is no team, or to `next`. */
export function useEnter() {
  const navigate = useNavigate()
  return ({ needsSecondFactor, teamRefusal }: SignedIn, next: string): void => {
    const replace = { replace: true }
    // Without a second factor, an organiser has no permissions yet.
    if (needsSecondFactor) return void navigate({ pathname: paths.settings(), hash: '#ways' }, replace)
    if (teamRefusal !== undefined) return void navigate(paths.join(), { ...replace, state: { teamRefusal } })
    void navigate(next, replace)
  }
}
